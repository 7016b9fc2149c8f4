/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The values of all keys of a role, read and checked once; a look-up does not parse. Immutable and thread-safe. */
public final class KeyValues {

    private final Role role;
    private final IdentityHashMap<ConfKey<?>, Object> values = new IdentityHashMap<>();

    private KeyValues(Role role) {
        this.role = role;
    }

    /**
     * Reads and checks all keys of a role.
     *
     * @param configured maps a name to its configured text, or to null
     * @throws InvalidValueException if a value is not accepted; the message names the first such key
     */
    public static KeyValues read(Role role, UnaryOperator<@Nullable String> configured) {
        KeyValues read = new KeyValues(role);
        for (ConfKey<?> key : KeyCatalogue.of(role)) {
            read.values.put(key, Objects.requireNonNull(key.get(configured), key.name()));
        }
        return read;
    }

    /**
     * The same values with one value changed.
     *
     * @throws InvalidValueException if the value is not accepted; the message names the key, the value and the accepted
     *     values
     * @throws IllegalArgumentException if the key belongs to another role
     */
    public KeyValues with(ConfKey<?> key, String text) {
        get(key);
        KeyValues changed = new KeyValues(role);
        changed.values.putAll(values);
        changed.values.put(key, Objects.requireNonNull(key.parse(text), key.name()));
        return changed;
    }

    /**
     * A key's value.
     *
     * @throws IllegalArgumentException if the key belongs to another role
     */
    @SuppressWarnings("unchecked") // stored under a key of this type
    public <T> T get(ConfKey<T> key) {
        Object value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key.name() + " is not a key of the role " + role);
        }
        return (T) value;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The values of all of a role's keys, read and checked once: looking one up costs no parsing. Immutable. */
public final class KeyValues {

    private final Role role;
    private final IdentityHashMap<ConfKey<?>, Object> values = new IdentityHashMap<>();

    private KeyValues(Role role) {
        this.role = role;
    }

    /**
     * Reads and checks all of a role's keys.
     *
     * @param configured gives the configured text of a name, or null
     * @throws InvalidValueException naming the first key with a value it does not accept
     */
    public static KeyValues read(Role role, UnaryOperator<@Nullable String> configured) {
        KeyValues read = new KeyValues(role);
        for (ConfKey<?> key : KeyCatalogue.of(role)) {
            read.values.put(key, Objects.requireNonNull(key.get(configured), key.name()));
        }
        return read;
    }

    /**
     * The same values but for one.
     *
     * @throws InvalidValueException naming the key, the value and what is accepted
     * @throws IllegalArgumentException if the key is another role's
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
     * @throws IllegalArgumentException if the key is another role's
     */
    @SuppressWarnings("unchecked") // put in under a key of that type
    public <T> T get(ConfKey<T> key) {
        Object value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key.name() + " is not a key of the role " + role);
        }
        return (T) value;
    }
}

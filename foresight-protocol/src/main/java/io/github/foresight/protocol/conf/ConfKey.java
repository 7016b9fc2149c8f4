/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One configuration key: its name, its accepted values, its default and its description.
 *
 * <p>A key reads its value with a function from the name to the configured text (in Hadoop, {@code conf::get}). The
 * function returns null if nothing is configured. Immutable and thread-safe.
 *
 * @param <T> the Java type of the value
 */
public final class ConfKey<T> {

    private final String name;
    private final ValueType<T> type;
    private final String defaultText;
    private final T defaultValue;
    private final String description;

    private ConfKey(String name, ValueType<T> type, String defaultText, String description) {
        this.name = Objects.requireNonNull(name, "name");
        this.type = Objects.requireNonNull(type, "type");
        this.defaultText = Objects.requireNonNull(defaultText, "defaultText");
        this.defaultValue = parsed(name, type, defaultText);
        this.description = Objects.requireNonNull(description, "description");
    }

    /**
     * Defines a key.
     *
     * @throws InvalidValueException if the type does not accept the default
     */
    static <T> ConfKey<T> of(String name, ValueType<T> type, String defaultText, String description) {
        return new ConfKey<>(name, type, defaultText, description);
    }

    public String name() {
        return name;
    }

    /** The accepted values in words, with unit and bounds. */
    public String accepted() {
        return type.accepted();
    }

    /** The default as it would be written in a configuration file. */
    public String defaultText() {
        return defaultText;
    }

    public T defaultValue() {
        return defaultValue;
    }

    public String description() {
        return description;
    }

    /**
     * The configured value, or the default if none is configured.
     *
     * @param configured maps a name to its configured text, or to null
     * @throws InvalidValueException if the value is not accepted; the message names the key, the value and the accepted
     *     values
     */
    public T get(UnaryOperator<@Nullable String> configured) {
        String text = configured.apply(name);
        return text == null ? defaultValue : parse(text);
    }

    /**
     * Reads a value from its text.
     *
     * @throws InvalidValueException if the value is not accepted; the message names the key, the value and the accepted
     *     values
     */
    public T parse(String text) {
        return parsed(name, type, text);
    }

    private static <T> T parsed(String name, ValueType<T> type, String text) {
        String trimmed = text.trim();
        T value = type.parse(trimmed.toLowerCase(Locale.ROOT), trimmed);
        if (value == null) {
            throw new InvalidValueException(name, text, type.accepted());
        }
        return value;
    }

    @Override
    public String toString() {
        return name;
    }
}

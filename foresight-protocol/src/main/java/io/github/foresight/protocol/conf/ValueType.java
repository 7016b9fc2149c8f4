/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The accepted values of a key: reads them from text, and describes them in words.
 *
 * <p>Sizes and times are written as in Hadoop: {@code 64m}, {@code 1g}; {@code 30s}, {@code 500ms}. A size without a
 * suffix is in bytes; a time without a suffix is in milliseconds. Immutable and thread-safe.
 *
 * @param <T> the Java type of the value
 */
abstract class ValueType<T> {

    private static final Map<String, Long> NO_SUFFIX = Collections.singletonMap("", 1L);
    private static final Map<String, Long> BYTES_BY_SUFFIX = new HashMap<>(NO_SUFFIX);
    private static final Map<String, Long> MILLIS_BY_SUFFIX = new HashMap<>(NO_SUFFIX);

    // Clients of one file read their keys, too: Guava's maps would be most of the classes that they load for it.
    static {
        BYTES_BY_SUFFIX.put("b", 1L);
        BYTES_BY_SUFFIX.put("k", 1L << 10);
        BYTES_BY_SUFFIX.put("m", 1L << 20);
        BYTES_BY_SUFFIX.put("g", 1L << 30);
        BYTES_BY_SUFFIX.put("t", 1L << 40);
        MILLIS_BY_SUFFIX.put("ms", 1L);
        MILLIS_BY_SUFFIX.put("s", 1_000L);
        MILLIS_BY_SUFFIX.put("m", 60_000L);
        MILLIS_BY_SUFFIX.put("h", 3_600_000L);
        MILLIS_BY_SUFFIX.put("d", 86_400_000L);
    }

    /** Patterns that are compiled only when a key of their kind has a value. */
    private static final class Shape {
        static final Pattern DIRECTORY = Pattern.compile("/|(/(?!\\.\\.?(/|$))[^/\\p{Cntrl}:]+)+/?");
        static final Pattern CLASS_NAME =
                Pattern.compile("([\\p{L}_$][\\p{L}\\p{N}_$]*)(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

        private Shape() {}
    }

    private final String accepted;

    private ValueType(String accepted) {
        this.accepted = accepted;
    }

    final String accepted() {
        return accepted;
    }

    /** The value of the text, or null if it is not accepted. */
    abstract @Nullable T parse(String lowerCase, String original);

    static ValueType<Boolean> bool() {
        return new ValueType<Boolean>("true or false") {
            @Override
            @Nullable
            Boolean parse(String lowerCase, String original) {
                return lowerCase.equals("true") ? Boolean.TRUE : lowerCase.equals("false") ? Boolean.FALSE : null;
            }
        };
    }

    static ValueType<Integer> integer(int min, int max) {
        return new ValueType<Integer>("a whole number from " + min + " to " + max) {
            @Override
            @Nullable
            Integer parse(String lowerCase, String original) {
                Long value = product(lowerCase, NO_SUFFIX, min, max);
                return value == null ? null : Math.toIntExact(value);
            }
        };
    }

    static ValueType<Double> fraction(double min, double max) {
        return new ValueType<Double>("a number from " + min + " to " + max) {
            @Override
            @Nullable
            Double parse(String lowerCase, String original) {
                try {
                    double value = new BigDecimal(lowerCase).doubleValue();
                    return value >= min && value <= max ? value : null;
                } catch (NumberFormatException e) {
                    return null;
                }
            }
        };
    }

    static ValueType<Long> bytes(String minText, String maxText) {
        long min = requireSize(minText);
        long max = requireSize(maxText);
        return new ValueType<Long>(
                "a size from " + minText + " to " + maxText + ", in bytes or with suffix k, m, g or t") {
            @Override
            @Nullable
            Long parse(String lowerCase, String original) {
                return sizeBetween(lowerCase, min, max);
            }
        };
    }

    /** A size in bytes; or {@code auto}, which is read as -1. */
    static ValueType<Long> bytesOrAuto(String minText, String maxText) {
        ValueType<Long> plain = bytes(minText, maxText);
        return new ValueType<Long>("'auto', or " + plain.accepted()) {
            @Override
            @Nullable
            Long parse(String lowerCase, String original) {
                return lowerCase.equals("auto") ? Long.valueOf(-1) : plain.parse(lowerCase, original);
            }
        };
    }

    static ValueType<Duration> duration(String minText, String maxText) {
        long min = requireMillis(minText);
        long max = requireMillis(maxText);
        return new ValueType<Duration>(
                "a time from " + minText + " to " + maxText + ", in milliseconds or with suffix ms, s, m, h or d") {
            @Override
            @Nullable
            Duration parse(String lowerCase, String original) {
                Long millis = product(lowerCase, MILLIS_BY_SUFFIX, min, max);
                return millis == null ? null : Duration.ofMillis(millis);
            }
        };
    }

    static <E extends Enum<E>> ValueType<E> choice(Class<E> values) {
        E[] constants = values.getEnumConstants();
        return new ValueType<E>("one of " + labels(constants)) {
            @Override
            @Nullable
            E parse(String lowerCase, String original) {
                for (E constant : constants) {
                    if (label(constant).equals(lowerCase)) {
                        return constant;
                    }
                }
                return null;
            }
        };
    }

    /** One or more constants, separated by commas. */
    static <E extends Enum<E>> ValueType<Set<E>> choices(Class<E> values) {
        ValueType<E> single = choice(values);
        return new ValueType<Set<E>>("some of " + labels(values.getEnumConstants()) + ", separated by commas") {
            @Override
            @Nullable
            Set<E> parse(String lowerCase, String original) {
                Set<E> chosen = EnumSet.noneOf(values);
                for (String word : lowerCase.split(",", -1)) {
                    E constant = single.parse(word.trim(), word.trim());
                    if (constant == null) {
                        return null;
                    }
                    chosen.add(constant);
                }
                return Collections.unmodifiableSet(chosen);
            }
        };
    }

    /** Words separated by commas or white space; may be empty. */
    static ValueType<Set<String>> words() {
        return new ValueType<Set<String>>("words separated by commas, or empty") {
            @Override
            Set<String> parse(String lowerCase, String original) {
                Set<String> words = new LinkedHashSet<>(Arrays.asList(original.split("[,\\s]+", -1)));
                words.remove("");
                return Collections.unmodifiableSet(words);
            }
        };
    }

    /**
     * Absolute paths of directories, separated by commas; may be empty. The slash at the end of a path is removed,
     * except for the root.
     */
    static ValueType<Set<String>> directories() {
        return new ValueType<Set<String>>(
                "absolute paths without scheme, '.' and '..', separated by commas; or empty") {
            @Override
            @Nullable
            Set<String> parse(String lowerCase, String original) {
                Set<String> paths = new LinkedHashSet<>();
                for (String part : original.isEmpty() ? new String[0] : original.split(",", -1)) {
                    String path = part.trim();
                    if (!Shape.DIRECTORY.matcher(path).matches()) {
                        return null;
                    }
                    paths.add(path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
                }
                return Collections.unmodifiableSet(paths);
            }
        };
    }

    /** Any text on one line, such as a path; may be empty. */
    static ValueType<String> text() {
        return new ValueType<String>("text on one line, or empty") {
            @Override
            @Nullable
            String parse(String lowerCase, String original) {
                return original.chars().anyMatch(Character::isISOControl) ? null : original;
            }
        };
    }

    /** A fully qualified class name, or empty for none. */
    static ValueType<String> className() {
        return new ValueType<String>("a fully qualified class name, or empty") {
            @Override
            @Nullable
            String parse(String lowerCase, String original) {
                return original.isEmpty() || Shape.CLASS_NAME.matcher(original).matches() ? original : null;
            }
        };
    }

    private static String labels(Enum<?>[] constants) {
        StringJoiner labels = new StringJoiner(", ");
        for (Enum<?> constant : constants) {
            labels.add(label(constant));
        }
        return labels.toString();
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long requireSize(String text) {
        Long value = sizeBetween(text, 0, Long.MAX_VALUE);
        if (value == null) {
            throw new IllegalArgumentException("not a size: " + text);
        }
        return value;
    }

    private static long requireMillis(String text) {
        Long value = product(text, MILLIS_BY_SUFFIX, 0, Long.MAX_VALUE);
        if (value == null) {
            throw new IllegalArgumentException("not a time: " + text);
        }
        return value;
    }

    private static @Nullable Long sizeBetween(String text, long min, long max) {
        return product(text, BYTES_BY_SUFFIX, min, max);
    }

    /** A whole number and a suffix, optionally with white space between them. */
    private static @Nullable Long product(String text, Map<String, Long> factors, long min, long max) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        Long factor = factors.get(text.substring(digits).trim());
        if (digits == 0 || factor == null) {
            return null;
        }
        BigInteger value = new BigInteger(text.substring(0, digits)).multiply(BigInteger.valueOf(factor));
        boolean within = value.compareTo(BigInteger.valueOf(min)) >= 0 && value.compareTo(BigInteger.valueOf(max)) <= 0;
        return within ? value.longValueExact() : null;
    }
}

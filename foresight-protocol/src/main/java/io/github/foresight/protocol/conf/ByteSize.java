/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.util.Locale;

/** Reads sizes as Hadoop writes them: bytes, or a number with suffix k, m, g or t (powers of 1024). Stateless. */
public final class ByteSize {

    private static final String SUFFIXES = "kmgt";

    private ByteSize() {}

    /**
     * The size in bytes.
     *
     * @throws IllegalArgumentException if the text is no size; the message names the text and the accepted forms
     */
    public static long parse(String text) {
        String lower = text.trim().toLowerCase(Locale.ROOT);
        int power = lower.isEmpty() ? 0 : SUFFIXES.indexOf(lower.charAt(lower.length() - 1)) + 1;
        try {
            long number = Long.parseLong(power == 0 ? lower : lower.substring(0, lower.length() - 1));
            if (number >= 0) {
                return Math.multiplyExact(number, 1L << (10 * power));
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(complaint(text), e);
        }
        throw new IllegalArgumentException(complaint(text));
    }

    private static String complaint(String text) {
        return "'" + text + "' is not a size; accepted are bytes, or a number with suffix k, m, g or t";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name after a numbered one: {@code part-00017} after {@code part-00016}. A guess for files of which nothing has been learned.
 * Stateless.
 */
public final class NumberedSibling {

    /** What the writers of Hadoop jobs put in front of a task's number, followed by anything. */
    private static final String TASK_PREFIX = "part-";

    /** Longer ones are no numbers but dates, hashes or times. */
    private static final int MOST_DIGITS = 9;

    private NumberedSibling() {}

    /**
     * The path of the sibling with the next number, of as many digits where they suffice; null if the name has no number. Where
     * it has several, a task's counts that follows {@code part-}, or else the last one before the extension.
     */
    public static @Nullable String after(String path) {
        int nameStart = path.lastIndexOf('/') + 1;
        int end = path.startsWith(TASK_PREFIX, nameStart)
                ? endOfFirstNumber(path, nameStart + TASK_PREFIX.length())
                : endOfLastNumber(path, nameStart);
        int start = end;
        while (start > nameStart && isDigit(path.charAt(start - 1))) {
            start--;
        }
        int digits = end - start;
        if (digits == 0 || digits > MOST_DIGITS) {
            return null;
        }
        int next = Integer.parseInt(path.substring(start, end)) + 1;
        return path.substring(0, start) + String.format(Locale.ROOT, "%0" + digits + "d", next) + path.substring(end);
    }

    private static int endOfFirstNumber(String path, int from) {
        int index = from;
        while (index < path.length() && !isDigit(path.charAt(index))) {
            index++;
        }
        while (index < path.length() && isDigit(path.charAt(index))) {
            index++;
        }
        return index;
    }

    private static int endOfLastNumber(String path, int nameStart) {
        int extension = path.indexOf('.', nameStart);
        int index = extension < 0 ? path.length() : extension;
        while (index > nameStart && !isDigit(path.charAt(index - 1))) {
            index--;
        }
        return index;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The next name after a numbered name: {@code part-00017} after {@code part-00016}. It is a guess for files of which
 * the graph knows nothing. Stateless.
 */
public final class NumberedSibling {

    /** The prefix that writers of Hadoop jobs put before a task's number; any text may stand between them. */
    private static final String TASK_PREFIX = "part-";

    /** The most digits of a number. Longer digit sequences are dates, hashes or times. */
    private static final int MOST_DIGITS = 9;

    private NumberedSibling() {}

    /**
     * The path of the sibling with the next number; null if the name has no number.
     *
     * <p>If the name begins with {@code part-}, the first number after this prefix counts. Otherwise the last number
     * before the extension counts. The new number keeps the count of digits where they suffice.
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.Random;

/**
 * The lengths of a benchmark's files: all equal, or log-normal about a median, like the lengths of real files. The number of a file
 * determines its length. Immutable.
 */
public final class FileLengths {

    /** Two thirds of the lengths are between 0.37 and 2.7 times the median. */
    private static final double SIGMA = 1;

    /** Cuts the length of one file in 360. */
    private static final int MAX_MEDIANS = 16;

    private static final String LOG_NORMAL = "~";

    private final int medianBytes;
    private final boolean logNormal;

    private FileLengths(int medianBytes, boolean logNormal) {
        this.medianBytes = medianBytes;
        this.logNormal = logNormal;
    }

    /** All files have the same length. */
    public static FileLengths equal(int bytes) {
        return new FileLengths(bytes, false);
    }

    /** Half the files are shorter than the median, and none is longer than {@value #MAX_MEDIANS} times the median. */
    public static FileLengths logNormal(int medianBytes) {
        return new FileLengths(medianBytes, true);
    }

    /** Reads the text that {@link #toString} returns. */
    static FileLengths parse(String text) {
        return text.startsWith(LOG_NORMAL)
                ? logNormal(Integer.parseInt(text.substring(LOG_NORMAL.length())))
                : equal(Integer.parseInt(text));
    }

    int of(int file) {
        if (!logNormal) {
            return medianBytes;
        }
        double length = medianBytes * Math.exp(SIGMA * new Random(file * 7919L).nextGaussian());
        return (int) Math.max(1, Math.min(length, (double) MAX_MEDIANS * medianBytes));
    }

    /** {@code 65536}, or {@code ~65536} where log-normal. */
    @Override
    public String toString() {
        return (logNormal ? LOG_NORMAL : "") + medianBytes;
    }
}

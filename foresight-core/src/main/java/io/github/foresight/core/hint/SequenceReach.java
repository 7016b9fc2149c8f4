/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.math.LongMath;

/**
 * Decides how far ahead of its reads a sequence of reads by position is hinted: as far as the reader will come in {@value #AHEAD_SECONDS} s at
 * the rate of its last blocks. A reader that waits for one disk gets faster by the hints, and then they reach more disks. A reader that is
 * slower than a disk gets no more than it needs.
 *
 * <p>Constant time and memory. Not thread-safe.
 */
public final class SequenceReach {

    /** A disk of 25 MiB/s reads a block of 128 MiB in that time; chosen, not measured. */
    static final int AHEAD_SECONDS = 5;

    private static final double NANOS = 1e9;

    private long lastFrontier;
    private long lastNanos;

    /** A sequence begins at a place, bytes from the file's beginning; of its rate nothing is known. */
    public void begins(long frontier, long nowNanos) {
        lastFrontier = frontier;
        lastNanos = nowNanos;
    }

    /**
     * The sequence has come to a place.
     *
     * @return the place that it will come to, at least {@code frontier}
     */
    public long reached(long frontier, long nowNanos) {
        double seconds = Math.max(1, nowNanos - lastNanos) / NANOS;
        long ahead = (long) (Math.max(0, frontier - lastFrontier) / seconds * AHEAD_SECONDS);
        begins(frontier, nowNanos);
        return LongMath.saturatedAdd(frontier, ahead);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

/**
 * Counts that fade with a half-life. Each count is one long, so that one compare-and-set changes it.
 *
 * <pre>
 *   tick of the last change (int) | count then, in 256ths (unsigned int)
 * </pre>
 *
 * <p>A tick is a power of two of nanoseconds, between a 32nd and a 16th of the half-life. Only differences of ticks
 * count, so the clock may begin anywhere and may wrap around. A count that does not change for 2^31 ticks reappears;
 * for a half-life of seconds this takes years. A reading that is older than the last change does not fade the count. A
 * count stops at 2^24.
 *
 * <p>Constant time. Immutable and thread-safe.
 */
final class Fading {

    /** The units of one in a count. */
    static final int ONE = 256;

    private static final long UNITS_MASK = 0xffff_ffffL;
    private static final int WEIGHT_BITS = 31;

    /** The half-lives after which even the largest count is 0. */
    private static final int HALF_LIVES = 33;

    private final int tickShift;
    private final int[] weights;

    Fading(long halfLifeNanos) {
        this.tickShift = Long.SIZE - 1 - Long.numberOfLeadingZeros(halfLifeNanos / 16);
        double halfLifeTicks = (double) halfLifeNanos / (1L << tickShift);
        this.weights = new int[(int) Math.ceil(HALF_LIVES * halfLifeTicks)];
        for (int ticks = 0; ticks < weights.length; ticks++) {
            double weight = Math.pow(0.5, ticks / halfLifeTicks);
            weights[ticks] = (int) Math.min(Math.round(weight * (1L << WEIGHT_BITS)), Integer.MAX_VALUE);
        }
    }

    /** The faded count, in 256ths. */
    long units(long count, long nowNanos) {
        long units = count & UNITS_MASK;
        int ticks = tick(nowNanos) - (int) (count >>> Integer.SIZE);
        if (ticks <= 0) {
            return units;
        }
        return ticks < weights.length ? (units * weights[ticks]) >>> WEIGHT_BITS : 0;
    }

    /** The faded count plus one. */
    long plusOne(long count, long nowNanos) {
        return plus(ONE, count, nowNanos);
    }

    /** The faded count minus one, at least 0. */
    long minusOne(long count, long nowNanos) {
        return plus(-ONE, count, nowNanos);
    }

    private long plus(int added, long count, long nowNanos) {
        int last = (int) (count >>> Integer.SIZE);
        int tick = tick(nowNanos);
        // A count of 0 has no last change.
        int later = tick - last > 0 || count == 0 ? tick : last;
        long units = Math.max(0, Math.min(units(count, nowNanos) + added, UNITS_MASK));
        return (long) later << Integer.SIZE | units;
    }

    private int tick(long nowNanos) {
        return (int) (nowNanos >> tickShift);
    }
}

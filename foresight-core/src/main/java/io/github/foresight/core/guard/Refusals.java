/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * Recent refusals, so that an external enforcer is not asked again. A refusal is remembered for one to two periods,
 * unless too many others follow.
 *
 * <p>The refusals are in two {@link RecentSet}s. New refusals go into the younger set. At the end of a period the older
 * set is emptied and becomes the younger set. Constant time, except at the end of a period, which is linear in the
 * capacity. Thread-safe.
 */
public final class Refusals {

    private final long periodNanos;
    private volatile RecentSet younger;
    private volatile RecentSet older;

    private volatile long periodBeginNanos;

    /**
     * Makes an empty set.
     *
     * @param capacity the most remembered refusals of one period, at least 0
     * @param periodNanos the time for which a refusal is remembered at least, at least 1
     * @param nowNanos of the same steady clock as in the other calls
     */
    public Refusals(int capacity, long periodNanos, long nowNanos) {
        if (periodNanos < 1) {
            throw new IllegalArgumentException("periodNanos must be at least 1: " + periodNanos);
        }
        this.periodNanos = periodNanos;
        this.periodBeginNanos = nowNanos;
        this.younger = new RecentSet(capacity);
        this.older = new RecentSet(capacity);
    }

    /** The allocated memory of the refusals, used or not. */
    public long capacityBytes() {
        return younger.capacityBytes() + older.capacityBytes();
    }

    /** Remembers a refusal by its hash. */
    public void add(long hash, long nowNanos) {
        turn(nowNanos);
        younger.add(hash);
    }

    /** Whether a refusal is remembered. */
    public boolean contains(long hash, long nowNanos) {
        turn(nowNanos);
        return younger.contains(hash) || older.contains(hash);
    }

    private void turn(long nowNanos) {
        if (nowNanos - periodBeginNanos >= periodNanos) {
            turnOnce(nowNanos);
        }
    }

    private synchronized void turnOnce(long nowNanos) {
        long passedNanos = nowNanos - periodBeginNanos;
        if (passedNanos < periodNanos) {
            return;
        }
        if (passedNanos - periodNanos >= periodNanos) {
            younger.clear();
        }
        RecentSet emptied = older;
        emptied.clear();
        older = younger;
        younger = emptied;
        periodBeginNanos = nowNanos;
    }
}

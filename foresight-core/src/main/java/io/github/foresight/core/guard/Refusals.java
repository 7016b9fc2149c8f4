/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * What was refused lately, so that an external enforcer is not asked again: a refusal is remembered for one to two periods, unless
 * too many others come after it.
 *
 * <p>Two {@link RecentSet}s: refusals go into the younger one, and when a period is over the older one is emptied and becomes the
 * younger. Constant time but for that. Thread-safe.
 */
public final class Refusals {

    private final long periodNanos;
    private volatile RecentSet younger;
    private volatile RecentSet older;

    private volatile long periodBeginNanos;

    /**
     * Remembers nothing yet.
     *
     * @param capacity how many refusals of one period are remembered at most, at least 0
     * @param periodNanos how long a refusal is remembered at least, at least 1
     * @param nowNanos of the steady clock that the other calls' times are of
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

    /** The memory that refusals take, used or not. */
    public long capacityBytes() {
        return younger.capacityBytes() + older.capacityBytes();
    }

    /** Remembers a refusal by its hash. */
    public void add(long hash, long nowNanos) {
        turn(nowNanos);
        younger.add(hash);
    }

    /** Whether a refusal is remembered; it may be forgotten meanwhile. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** The failures that a feature may have within a minute before it is switched off. Constant time. Thread-safe. */
public final class FailureBudget {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final int maxPerMinute;
    private volatile boolean spent;

    @GuardedBy("this")
    private long windowStartNanos;

    @GuardedBy("this")
    private int failuresInWindow;

    /**
     * Makes a budget without failures.
     *
     * @param maxPerMinute the most failures within a minute, at least 1
     */
    public FailureBudget(int maxPerMinute) {
        if (maxPerMinute < 1) {
            throw new IllegalArgumentException("maxPerMinute must be at least 1: " + maxPerMinute);
        }
        this.maxPerMinute = maxPerMinute;
    }

    /** Whether there were too many failures; costs one volatile read. */
    public boolean isSpent() {
        return spent;
    }

    /**
     * Counts a failure.
     *
     * @param nowNanos of any steady clock
     * @return true for the first failure above the budget, false for later failures
     */
    public synchronized boolean spend(long nowNanos) {
        if (failuresInWindow == 0 || nowNanos - windowStartNanos > MINUTE_NANOS) {
            windowStartNanos = nowNanos;
            failuresInWindow = 0;
        }
        failuresInWindow++;
        if (spent || failuresInWindow <= maxPerMinute) {
            return false;
        }
        spent = true;
        return true;
    }

    /** Removes all failures. */
    public synchronized void reset() {
        failuresInWindow = 0;
        spent = false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * How much of the namesystem's time predictions may take: when a hold of its lock ends, and when nothing is predicted at all.
 * Immutable and thread-safe; 0 is no limit.
 */
public final class ReadLimits {

    private final int filesPerHold;
    private final long nanosPerHold;
    private final int lockQueueMax;
    private final int callQueueMax;

    /**
     * Makes limits; none is negative.
     *
     * @param filesPerHold files that one hold of the lock covers
     * @param nanosPerHold how long one hold goes on to another file
     * @param lockQueueMax threads that wait for the lock
     * @param callQueueMax calls that wait for a handler
     */
    public ReadLimits(int filesPerHold, long nanosPerHold, int lockQueueMax, int callQueueMax) {
        this.filesPerHold = (int) notNegative("filesPerHold", filesPerHold);
        this.nanosPerHold = notNegative("nanosPerHold", nanosPerHold);
        this.lockQueueMax = (int) notNegative("lockQueueMax", lockQueueMax);
        this.callQueueMax = (int) notNegative("callQueueMax", callQueueMax);
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must be at least 0: " + value);
        }
        return value;
    }

    /** Whether the lock is to be released before another file is read. */
    public boolean isHoldOver(int filesRead, long heldNanos) {
        return (filesPerHold > 0 && filesRead >= filesPerHold) || (nanosPerHold > 0 && heldNanos >= nanosPerHold);
    }

    /** Whether so many threads wait for the lock that predictions must not take it. */
    public boolean isLockBusy(int waitingThreads) {
        return lockQueueMax > 0 && waitingThreads > lockQueueMax;
    }

    /** Whether so many calls wait for a handler that handlers must not predict. */
    public boolean areCallsWaiting(int waitingCalls) {
        return callQueueMax > 0 && waitingCalls > callQueueMax;
    }
}

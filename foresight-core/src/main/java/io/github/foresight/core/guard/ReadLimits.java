/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * Limits the namesystem's time that predictions take. The limits decide when a hold of its lock ends, and when nothing
 * is predicted. They also reduce predictions for a caller whose calls HDFS's scheduler puts behind other calls.
 *
 * <p>While calls wait for a handler, each priority level below the highest halves the number of predicted files. Below
 * the last configured level nothing is predicted. While no call waits, a prediction delays nobody, and levels limit
 * nothing. This matters because the scheduler puts the only busy user of a cluster at the lowest level, too.
 *
 * <p>Constant time. Immutable and thread-safe; 0 is no limit.
 */
public final class ReadLimits {

    private final int filesPerHold;
    private final long nanosPerHold;
    private final int lockQueueMax;
    private final int callQueueMax;
    private final int priorityLevels;

    /** Makes limits that predict files at each priority level. */
    public ReadLimits(int filesPerHold, long nanosPerHold, int lockQueueMax, int callQueueMax) {
        this(filesPerHold, nanosPerHold, lockQueueMax, callQueueMax, 0);
    }

    /**
     * Makes limits; none is negative.
     *
     * @param filesPerHold the most files for one hold of the lock
     * @param nanosPerHold the time after which one hold takes no further file
     * @param lockQueueMax the most threads that wait for the lock
     * @param callQueueMax the most calls that wait for a handler
     * @param priorityLevels the number of highest priority levels at which files are predicted while calls wait
     */
    public ReadLimits(int filesPerHold, long nanosPerHold, int lockQueueMax, int callQueueMax, int priorityLevels) {
        this.filesPerHold = (int) notNegative("filesPerHold", filesPerHold);
        this.nanosPerHold = notNegative("nanosPerHold", nanosPerHold);
        this.lockQueueMax = (int) notNegative("lockQueueMax", lockQueueMax);
        this.callQueueMax = (int) notNegative("callQueueMax", callQueueMax);
        this.priorityLevels = (int) notNegative("priorityLevels", priorityLevels);
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must be at least 0: " + value);
        }
        return value;
    }

    /** Whether the lock must be released before another file is read. */
    public boolean isHoldOver(int filesRead, long heldNanos) {
        return (filesPerHold > 0 && filesRead >= filesPerHold) || (nanosPerHold > 0 && heldNanos >= nanosPerHold);
    }

    /** Whether too many threads wait for the lock, so that predictions must not take it. */
    public boolean isLockBusy(int waitingThreads) {
        return lockQueueMax > 0 && waitingThreads > lockQueueMax;
    }

    /** Whether too many calls wait for a handler, so that handlers must not predict. */
    public boolean areCallsWaiting(int waitingCalls) {
        return callQueueMax > 0 && waitingCalls > callQueueMax;
    }

    /**
     * The number of files that may be predicted for a caller.
     *
     * @param priorityLevel the level of the caller's call, 0 for the highest
     * @param waitingCalls the calls that wait for a handler
     * @param most the files at the highest level
     */
    public int filesAt(int priorityLevel, int waitingCalls, int most) {
        if (priorityLevels == 0 || priorityLevel <= 0 || waitingCalls == 0) {
            return most;
        }
        return priorityLevel >= Math.min(priorityLevels, Integer.SIZE - 1) ? 0 : most >> priorityLevel;
    }
}

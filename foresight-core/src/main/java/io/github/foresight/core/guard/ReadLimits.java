/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * How much of the namesystem's time predictions may take: when a hold of its lock ends, when nothing is predicted at all, and how much
 * less is predicted for a caller whose calls HDFS's scheduler puts behind those of others.
 *
 * <p>While calls wait for a handler, each priority level below the highest halves the number of predicted files, and below a last level
 * nothing is predicted. While no call waits, nobody is served later for a prediction, so that a level limits nothing: the scheduler
 * puts the only busy user of a cluster at the lowest level, too.
 *
 * <p>Immutable and thread-safe; 0 is no limit.
 */
public final class ReadLimits {

    private final int filesPerHold;
    private final long nanosPerHold;
    private final int lockQueueMax;
    private final int callQueueMax;
    private final int priorityLevels;

    /** As below, with files at each priority level. */
    public ReadLimits(int filesPerHold, long nanosPerHold, int lockQueueMax, int callQueueMax) {
        this(filesPerHold, nanosPerHold, lockQueueMax, callQueueMax, 0);
    }

    /**
     * Makes limits; none is negative.
     *
     * @param filesPerHold files that one hold of the lock covers
     * @param nanosPerHold how long one hold goes on to another file
     * @param lockQueueMax threads that wait for the lock
     * @param callQueueMax calls that wait for a handler
     * @param priorityLevels at how many priority levels files are predicted while calls wait, the highest first
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

    /**
     * How many files may be predicted for a caller.
     *
     * @param priorityLevel of the caller's call, 0 being the highest
     * @param waitingCalls calls that wait for a handler
     * @param most files at the highest level
     */
    public int filesAt(int priorityLevel, int waitingCalls, int most) {
        if (priorityLevels == 0 || priorityLevel <= 0 || waitingCalls == 0) {
            return most;
        }
        return priorityLevel >= Math.min(priorityLevels, Integer.SIZE - 1) ? 0 : most >> priorityLevel;
    }
}

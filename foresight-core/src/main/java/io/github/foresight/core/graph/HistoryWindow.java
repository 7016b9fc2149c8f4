/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The last accesses of one client: the look-ahead history window of Nexus (section 4.2). A repetition of the last
 * access does not count as an access. A long pause empties the window, because an access after a pause does not follow
 * from the accesses before it.
 *
 * <p>Constant time and memory, no allocation. Not thread-safe.
 */
final class HistoryWindow {

    private final long[] files;
    private final long maxIdleNanos;
    private final int owner;
    private int size;
    private int newest;
    private long lastNanos;

    /**
     * Makes an empty window.
     *
     * @param capacity the number of remembered accesses, at least 1
     * @param maxIdleNanos the longest pause that does not empty the window, above 0
     */
    HistoryWindow(int capacity, long maxIdleNanos) {
        this(capacity, maxIdleNanos, SuccessorGraph.NOBODY);
    }

    /**
     * Makes an empty window.
     *
     * @param capacity the number of remembered accesses, at least 1
     * @param maxIdleNanos the longest pause that does not empty the window, above 0
     * @param owner the owner that is charged for vertices of these accesses, 0 to {@value SuccessorGraph#OWNERS_MAX}
     */
    HistoryWindow(int capacity, long maxIdleNanos, int owner) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1: " + capacity);
        }
        if (maxIdleNanos < 1) {
            throw new IllegalArgumentException("maxIdleNanos must be above 0: " + maxIdleNanos);
        }
        if (owner < 0 || owner > SuccessorGraph.OWNERS_MAX) {
            throw new IllegalArgumentException("owner is " + owner + "; accepted is 0 to " + SuccessorGraph.OWNERS_MAX);
        }
        this.files = new long[capacity];
        this.maxIdleNanos = maxIdleNanos;
        this.owner = owner;
    }

    /** The owner that is charged for vertices of these accesses. */
    int owner() {
        return owner;
    }

    /**
     * Sets the time of the client's next access, and empties the window after a long pause. Call this before reading
     * the window for that access.
     *
     * @param nowNanos of any steady clock
     */
    void advanceTo(long nowNanos) {
        if (isAfterPause(nowNanos)) {
            size = 0;
        }
        lastNanos = nowNanos;
    }

    /** Whether an access at a time comes after a long pause. */
    boolean isAfterPause(long nowNanos) {
        return isPause(lastNanos, nowNanos);
    }

    /** Whether the time between two accesses is a long pause. */
    boolean isPause(long fromNanos, long toNanos) {
        return toNanos - fromNanos > maxIdleNanos;
    }

    long lastNanos() {
        return lastNanos;
    }

    boolean isRepetition(long file) {
        return size > 0 && files[newest] == file;
    }

    /** Adds an access, which replaces the oldest access of a full window. */
    void push(long file) {
        newest = newest + 1 == files.length ? 0 : newest + 1;
        files[newest] = file;
        size = Math.min(size + 1, files.length);
    }

    /** The number of accesses in the window. */
    int size() {
        return size;
    }

    int capacity() {
        return files.length;
    }

    /**
     * An access in the window.
     *
     * @param distance 1 for the last access, up to {@link #size()}
     */
    long file(int distance) {
        if (distance < 1 || distance > size) {
            throw new IndexOutOfBoundsException("distance is " + distance + "; accepted is 1 to " + size);
        }
        int index = newest - (distance - 1);
        return files[index < 0 ? index + files.length : index];
    }
}

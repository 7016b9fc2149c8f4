/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The last accesses of one client, the look-ahead history window of Nexus (section 4.2). A repetition of the last access is none.
 * A window whose client has been idle too long is empty: what comes after a pause did not follow from what was before.
 *
 * <p>Constant memory, no allocation. Not thread-safe.
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
     * @param capacity accesses remembered, at least 1
     * @param maxIdleNanos how long a pause may be without the window being emptied, above 0
     */
    HistoryWindow(int capacity, long maxIdleNanos) {
        this(capacity, maxIdleNanos, SuccessorGraph.NOBODY);
    }

    /**
     * Makes an empty window.
     *
     * @param capacity accesses remembered, at least 1
     * @param maxIdleNanos how long a pause may be without the window being emptied, above 0
     * @param owner to whom what is learned from these accesses is charged, 0 to {@value SuccessorGraph#OWNERS_MAX}
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

    /** To whom what is learned from these accesses is charged. */
    int owner() {
        return owner;
    }

    /**
     * Time has come to the client's next access; call before the window is looked at for it.
     *
     * @param nowNanos of any steady clock
     */
    void advanceTo(long nowNanos) {
        if (isPaused(nowNanos)) {
            size = 0;
        }
        lastNanos = nowNanos;
    }

    /** Whether the window will be empty when time has come to this. */
    boolean isPaused(long nowNanos) {
        return isPause(lastNanos, nowNanos);
    }

    /** Whether so much time between two accesses is a pause. */
    boolean isPause(long fromNanos, long toNanos) {
        return toNanos - fromNanos > maxIdleNanos;
    }

    long lastNanos() {
        return lastNanos;
    }

    boolean isRepetition(long file) {
        return size > 0 && files[newest] == file;
    }

    /** Replaces the oldest access by this one. */
    void push(long file) {
        newest = newest + 1 == files.length ? 0 : newest + 1;
        files[newest] = file;
        size = Math.min(size + 1, files.length);
    }

    /** How many accesses are in the window. */
    int size() {
        return size;
    }

    int capacity() {
        return files.length;
    }

    /**
     * An access in the window.
     *
     * @param distance 1 for the last one, up to {@link #size()}
     */
    long file(int distance) {
        if (distance < 1 || distance > size) {
            throw new IndexOutOfBoundsException("distance is " + distance + "; accepted is 1 to " + size);
        }
        int index = newest - (distance - 1);
        return files[index < 0 ? index + files.length : index];
    }
}

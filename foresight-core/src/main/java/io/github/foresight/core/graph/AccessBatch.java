/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Consecutive accesses of one client, behind the accesses in its window. A graph learns a vertex of the batch in one
 * step; without a batch it takes a step for each access that follows the vertex.
 *
 * <p>The graph learns the same edges as without a batch. Only the choice of evicted vertices may differ in a full
 * bucket. For this, no file recurs in a batch while edges from the file's last access are still to be learned.
 *
 * <p>Adding an access takes time in proportion to the window. Memory is constant once the batch has seen the largest
 * window. Not thread-safe.
 */
public final class AccessBatch {

    /** The most new accesses of a batch; chosen, not measured. */
    private static final int NEW_MAX = 64;

    private final WeightScheme scheme;
    private long[] files = {};
    private int capacity;
    private int known;
    private int size;
    private int owner;

    /**
     * Makes an empty batch.
     *
     * @param scheme how weight falls with distance
     */
    AccessBatch(WeightScheme scheme) {
        this.scheme = scheme;
    }

    /**
     * Starts a new batch with the accesses in the client's window. Moves further accesses into the batch and into the
     * window, as long as the graph can learn them together.
     *
     * @param accesses oldest first
     * @param nanos the time of each access
     * @param begin the first access to move
     * @param end the index after the last access to move
     * @return the index after the last moved access; {@code begin} if the first access must be learned alone
     */
    int gather(HistoryWindow window, long[] accesses, long[] nanos, int begin, int end) {
        window.advanceTo(nanos[begin]);
        owner = window.owner();
        if (!tryBegin(window)) {
            return begin;
        }
        int next = begin;
        while (next < end && size < files.length && (next == begin || !window.isAfterPause(nanos[next]))) {
            if (!window.isRepetition(accesses[next])) {
                if (!tryAdd(accesses[next])) {
                    break;
                }
                window.push(accesses[next]);
            }
            window.advanceTo(nanos[next]);
            next++;
        }
        return next;
    }

    private boolean tryBegin(HistoryWindow window) {
        capacity = window.capacity();
        if (files.length < capacity + NEW_MAX) {
            files = new long[capacity + NEW_MAX];
        }
        size = 0;
        for (int distance = window.size(); distance > 0; distance--) {
            if (!tryAdd(window.file(distance))) {
                return false;
            }
        }
        known = size;
        return true;
    }

    /** Adds an access and returns true; returns false if edges from the file's last access are still to be learned. */
    private boolean tryAdd(long file) {
        for (int i = Math.max(0, size - capacity + 1); i < size; i++) {
            if (files[i] == file) {
                return false;
            }
        }
        files[size] = file;
        size++;
        return true;
    }

    /** The number of accesses, including the accesses that were already learned. */
    int size() {
        return size;
    }

    /** The owner that is charged for new vertices. */
    int owner() {
        return owner;
    }

    /** The largest distance of an edge, in accesses. */
    int reach() {
        return capacity;
    }

    /** The file of an access; index 0 is the oldest. */
    long file(int index) {
        return files[index];
    }

    /** Whether the graph has not yet learned an access. The other accesses serve only as starts of edges. */
    boolean isNew(int index) {
        return index >= known;
    }

    /** The first access to be learned after another access. */
    int firstAfter(int index) {
        return Math.max(index + 1, known);
    }

    /**
     * The index after the last access to which an edge from another access may lead.
     *
     * @param reach the largest distance of an edge, in accesses
     */
    int endAfter(int index, int reach) {
        return Math.min(index + reach + 1, size);
    }

    /** The weight of an edge from one access to a later one. */
    int weight(int from, int to) {
        return scheme.weight(to - from);
    }
}

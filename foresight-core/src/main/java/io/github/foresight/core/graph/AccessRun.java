/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Accesses of one client one after another, behind those in its window, so that a graph learns of a vertex all at once that would
 * else take a step for each access that follows it. What is learned is the same, but for which vertex gives way where there is no
 * room: no file comes again while edges from its last access are still to be learned.
 *
 * <p>Constant memory once it has seen the largest window. Not thread-safe.
 */
public final class AccessRun {

    private static final int NEW_MAX = 64;

    private final WeightScheme scheme;
    private long[] files = {};
    private int capacity;
    private int known;
    private int size;
    private int owner;

    /**
     * An empty run.
     *
     * @param scheme how weight falls with distance
     */
    AccessRun(WeightScheme scheme) {
        this.scheme = scheme;
    }

    /**
     * Begins anew with what is in the client's window, and moves accesses into both for as long as they can be learned together.
     *
     * @param accesses in turn
     * @param nanos when each was
     * @param begin the first to move
     * @param end behind the last to move
     * @return behind the last that was moved; {@code begin} if the first has to be learned alone
     */
    int gather(HistoryWindow window, long[] accesses, long[] nanos, int begin, int end) {
        window.advanceTo(nanos[begin]);
        owner = window.owner();
        if (!begin(window)) {
            return begin;
        }
        int next = begin;
        while (next < end && size < files.length && (next == begin || !window.isPaused(nanos[next]))) {
            if (!window.isRepetition(accesses[next])) {
                if (!add(accesses[next])) {
                    break;
                }
                window.push(accesses[next]);
            }
            window.advanceTo(nanos[next]);
            next++;
        }
        return next;
    }

    private boolean begin(HistoryWindow window) {
        capacity = window.capacity();
        if (files.length < capacity + NEW_MAX) {
            files = new long[capacity + NEW_MAX];
        }
        size = 0;
        for (int distance = window.size(); distance > 0; distance--) {
            if (!add(window.file(distance))) {
                return false;
            }
        }
        known = size;
        return true;
    }

    /** Adds an access unless edges from the file's last one would still have to be learned after it. */
    private boolean add(long file) {
        for (int i = Math.max(0, size - capacity + 1); i < size; i++) {
            if (files[i] == file) {
                return false;
            }
        }
        files[size] = file;
        size++;
        return true;
    }

    /** How many accesses there are, with those that were learned before. */
    int size() {
        return size;
    }

    /** To whom vertices are charged that the accesses make. */
    int owner() {
        return owner;
    }

    /** How many accesses later an edge may lead. */
    int reach() {
        return capacity;
    }

    /** The file of an access, 0 being the oldest. */
    long file(int index) {
        return files[index];
    }

    /** Whether an access is to be learned, other than as one that others follow. */
    boolean isNew(int index) {
        return index >= known;
    }

    /** The first access to be learned that follows another. */
    int firstAfter(int index) {
        return Math.max(index + 1, known);
    }

    /**
     * Behind the last access that an edge from another may lead to.
     *
     * @param reach how many accesses later that may be
     */
    int endAfter(int index, int reach) {
        return Math.min(index + reach + 1, size);
    }

    /** The weight of an edge from one access to a later one. */
    int weight(int from, int to) {
        return scheme.weight(to - from);
    }
}

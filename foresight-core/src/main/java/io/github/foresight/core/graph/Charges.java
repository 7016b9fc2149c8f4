/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The number of vertices that are charged to each owner, and the owners with more than their share. Constant time, no
 * allocation. Thread-safe.
 */
final class Charges {

    private final long most;
    private final AtomicLongArray charged = new AtomicLongArray(SuccessorGraph.OWNERS_MAX + 1);

    /** The number of owners with more than their share. While it is 0, no caller needs to look at single owners. */
    private final AtomicInteger over = new AtomicInteger();

    /**
     * Makes charges of 0 for each owner.
     *
     * @param most the share: the vertices of one owner
     */
    Charges(long most) {
        this.most = most;
    }

    /** Moves the charge for one vertex from an owner to another. */
    void move(int from, int to) {
        if (from != to) {
            if (to != SuccessorGraph.NOBODY && charged.getAndIncrement(to) == most) {
                over.incrementAndGet();
            }
            if (from != SuccessorGraph.NOBODY && charged.decrementAndGet(from) == most) {
                over.decrementAndGet();
            }
        }
    }

    /** Whether any owner has more than its share. */
    boolean isAnyOver() {
        return over.get() > 0;
    }

    /** Whether an owner has more than its share. */
    boolean isOver(int owner) {
        return owner != SuccessorGraph.NOBODY && charged.get(owner) > most;
    }

    /** The number of vertices that are charged to an owner; the owner must not be {@link SuccessorGraph#NOBODY}. */
    long of(int owner) {
        return charged.get(owner);
    }
}

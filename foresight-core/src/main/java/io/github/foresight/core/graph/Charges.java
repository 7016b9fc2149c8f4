/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many of a graph's vertices are charged to each owner, and which owners have more than their share. Constant time, no allocation.
 * Thread-safe.
 */
final class Charges {

    private final long most;
    private final AtomicLongArray charged = new AtomicLongArray(SuccessorGraph.OWNERS_MAX + 1);

    /** How many owners have more than their share: as long as none has, nobody has to look any further. */
    private final AtomicInteger over = new AtomicInteger();

    /**
     * Charges nobody yet.
     *
     * @param most vertices of one owner
     */
    Charges(long most) {
        this.most = most;
    }

    /** A vertex that was charged to one owner is charged to another. */
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

    /** How many vertices are charged to an owner, other than nobody. */
    long of(int owner) {
        return charged.get(owner);
    }
}

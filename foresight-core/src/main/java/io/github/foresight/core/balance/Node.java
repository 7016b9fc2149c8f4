/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * One DataNode's load: what its last heartbeat said, and what was handed out since. Thread-safe, without locks; what one thread
 * hands out the next one sees.
 */
final class Node {

    /** The number of a node that is not remembered; it is never taken for another. */
    static final int UNKNOWN = 0;

    static final int NOT_HEARD = -1;

    private static final AtomicLongFieldUpdater<Node> HANDED_OUT =
            AtomicLongFieldUpdater.newUpdater(Node.class, "handedOut");

    /** Tells nodes apart as long as they are remembered. */
    final int number;

    /** The same for the same key in every run. */
    final long hash;

    private volatile int xceivers;
    private volatile long heardNanos;

    private volatile long handedOut;

    /** Begins with a count that any heartbeat may replace, where it is {@link #NOT_HEARD}. */
    Node(int number, int keyHash, int xceivers, long nowNanos) {
        this.number = number;
        this.hash = Hash.of(keyHash);
        this.xceivers = xceivers;
        this.heardNanos = nowNanos;
    }

    /** An older heartbeat than the last changes nothing. Two at once may leave either's count, which the next one mends. */
    void heartbeat(int count, long nowNanos) {
        if (xceivers == NOT_HEARD || nowNanos - heardNanos >= 0) {
            heardNanos = nowNanos;
            xceivers = count;
        }
    }

    void handOut(Fading fading, long nowNanos) {
        long count = handedOut;
        while (!HANDED_OUT.compareAndSet(this, count, fading.plusOne(count, nowNanos))) {
            count = handedOut;
        }
    }

    /** The load in 256ths, in [0, 2^40). */
    long units(Fading fading, long nowNanos) {
        return (long) Math.max(xceivers, 0) * Fading.ONE + fading.units(handedOut, nowNanos);
    }

    /** Drops what has faded, before the clock's ticks come round to where it would count again. */
    void tidy(Fading fading, long nowNanos) {
        long count = handedOut;
        if (count != 0 && fading.units(count, nowNanos) == 0) {
            // Who has just handed out a read has the better count.
            boolean unused = HANDED_OUT.compareAndSet(this, count, 0L);
        }
    }

    boolean isSilent(Fading fading, long silentNanos, long nowNanos) {
        return nowNanos - heardNanos >= silentNanos && fading.units(handedOut, nowNanos) == 0;
    }
}

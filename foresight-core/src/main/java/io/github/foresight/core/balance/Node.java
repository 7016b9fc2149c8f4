/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The load of one DataNode: the transfers in its last heartbeat, and the reads handed out since. Thread-safe without
 * locks; a read that one thread hands out is visible to the next thread.
 */
final class Node {

    /** The number of a node that is not remembered; it never equals another node. */
    static final int UNKNOWN = 0;

    static final int NOT_HEARD = -1;

    private static final AtomicLongFieldUpdater<Node> HANDED_OUT =
            AtomicLongFieldUpdater.newUpdater(Node.class, "handedOut");

    /** Distinguishes nodes while they are remembered. */
    final int number;

    /** The same for the same key in each run. */
    final long hash;

    private volatile int xceivers;
    private volatile long heardNanos;

    private volatile long handedOut;

    /** Makes a node. Any heartbeat replaces a count of {@link #NOT_HEARD}. */
    Node(int number, int keyHash, int xceivers, long nowNanos) {
        this.number = number;
        this.hash = Hash.of(keyHash);
        this.xceivers = xceivers;
        this.heardNanos = nowNanos;
    }

    /**
     * Records a heartbeat; a heartbeat that is older than the last changes nothing. Of two concurrent heartbeats either
     * count may stay until the next heartbeat.
     */
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

    /** Takes back a read that was handed out just now. */
    void takeBack(Fading fading, long nowNanos) {
        long count = handedOut;
        while (!HANDED_OUT.compareAndSet(this, count, fading.minusOne(count, nowNanos))) {
            count = handedOut;
        }
    }

    /** The load in 256ths, in [0, 2^40). */
    long units(Fading fading, long nowNanos) {
        return (long) Math.max(xceivers, 0) * Fading.ONE + fading.units(handedOut, nowNanos);
    }

    /** Removes a fully faded count, before the clock's ticks wrap around and the count would reappear. */
    void tidy(Fading fading, long nowNanos) {
        long count = handedOut;
        if (count != 0 && fading.units(count, nowNanos) == 0) {
            // If another thread has just handed out a read, its count stays.
            boolean unused = HANDED_OUT.compareAndSet(this, count, 0L);
        }
    }

    boolean isSilent(Fading fading, long silentNanos, long nowNanos) {
        return nowNanos - heardNanos >= silentNanos && fading.units(handedOut, nowNanos) == 0;
    }
}

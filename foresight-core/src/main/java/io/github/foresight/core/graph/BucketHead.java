/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.nio.ByteBuffer;

/**
 * How the head of a bucket of {@link PackedGraph} lies in memory: the bucket's vertices, and which of them is evicted
 * next by CLOCK (Corbato, 1968).
 *
 * <pre>
 *   head:  lock | hand | used bits | 7 vertices
 *          int    byte   byte        long
 * </pre>
 *
 * <p>The used bit of a vertex is set at its first use since the hand passed. It is written without the lock. If two
 * threads write used bits at once, one bit may be lost; the vertex is then evicted too early. Everything else is
 * written with the lock held. Stateless; a head is named by its memory and its first byte there.
 */
final class BucketHead {

    /** The vertices of a bucket: with them the head fills one cache line. */
    static final int WAYS = 7;

    static final int BYTES = 64;

    /** No way. */
    static final int NOWHERE = -1;

    /** The vertex of a free way. */
    static final long FREE = 0;

    private static final int HAND = 4;
    private static final int USED_BITS = 5;
    private static final int VERTICES = 8;

    private BucketHead() {}

    /**
     * The way in which a vertex is looked for first, by the lower half of its hash. Most vertices that were added to a
     * free bucket are in this way. For this reason the processor predicts the slot and fetches it together with the
     * head.
     */
    static int home(long hash) {
        return (int) (((hash & 0xffffffffL) * WAYS) >>> Integer.SIZE);
    }

    private static int vertexAt(int head, int way) {
        return head + VERTICES + way * Long.BYTES;
    }

    static long vertex(ByteBuffer memory, int head, int way) {
        return memory.getLong(vertexAt(head, way));
    }

    static void setVertex(ByteBuffer memory, int head, int way, long vertex) {
        memory.putLong(vertexAt(head, way), vertex);
    }

    /** The way of a vertex, looked for from its home on, or {@link #NOWHERE}. */
    static int find(ByteBuffer memory, int head, int home, long vertex) {
        if (vertex(memory, head, home) == vertex) {
            return home;
        }
        for (int way = home + 1; way < WAYS; way++) {
            if (vertex(memory, head, way) == vertex) {
                return way;
            }
        }
        for (int way = 0; way < home; way++) {
            if (vertex(memory, head, way) == vertex) {
                return way;
            }
        }
        return NOWHERE;
    }

    static void lock(ByteBuffer memory, int head) {
        for (int spins = 1; !BufferInts.compareAndSet(memory, head, 0, 1); spins++) {
            Spin.pause(spins);
        }
    }

    static void unlock(ByteBuffer memory, int head) {
        BufferInts.setRelease(memory, head, 0);
    }

    static void markUsed(ByteBuffer memory, int head, int way) {
        int bits = memory.get(head + USED_BITS);
        if ((bits & 1 << way) == 0) {
            memory.put(head + USED_BITS, (byte) (bits | 1 << way));
        }
    }

    static boolean isUsed(ByteBuffer memory, int head, int way) {
        return (memory.get(head + USED_BITS) & 1 << way) != 0;
    }

    /** A way, counted from the hand on. */
    static int fromHand(ByteBuffer memory, int head, int steps) {
        return (memory.get(head + HAND) + steps) % WAYS;
    }

    /** Moves the hand to the first way that was not used since the hand passed, and clears the used bits on its way. */
    static int moveHand(ByteBuffer memory, int head) {
        int bits = memory.get(head + USED_BITS);
        int hand = memory.get(head + HAND);
        while ((bits & 1 << hand) != 0) {
            bits &= ~(1 << hand);
            hand = (hand + 1) % WAYS;
        }
        memory.put(head + USED_BITS, (byte) bits);
        return hand;
    }

    /** Puts the hand behind a way. */
    static void passHand(ByteBuffer memory, int head, int way) {
        memory.put(head + HAND, (byte) ((way + 1) % WAYS));
    }

    /** Puts the hand back to the first way, and clears the used bits. */
    static void resetHand(ByteBuffer memory, int head) {
        memory.put(head + HAND, (byte) 0);
        memory.put(head + USED_BITS, (byte) 0);
    }
}

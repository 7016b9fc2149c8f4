/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Where the last blocks of each reader's last request start, so that its next request goes on from there.
 *
 * <p>A client asks for some blocks at a time. What it asks next begins at the byte where the last answer ended, which is the key,
 * together with who reads what; so nothing need be known of the file, and a reader that goes elsewhere begins anew. It is a
 * table of one word per key, a print of the key beside the node's number:
 *
 * <pre>
 *   print of the key (int) | number of the node (int)
 * </pre>
 *
 * <p>A newer word takes an older one's place without asking. What is lost, or mistaken for another with the same print, costs at
 * most one choice that is a little worse. Constant time, no allocation. Thread-safe, without locks.
 */
final class RecentFirsts {

    private static final long NODE_MASK = 0xffff_ffffL;

    private final AtomicLongArray words;

    /** Makes a table for so many at least, and none for 0. */
    RecentFirsts(int entries) {
        this.words = new AtomicLongArray(entries == 0 ? 0 : ceilingPowerOfTwo(entries));
    }

    /**
     * Keeps where a block starts.
     *
     * @param offsetBytes where the request ended
     * @param back how many blocks before that end the block begins, at least 1
     */
    void remember(long stream, long offsetBytes, int back, int node) {
        if (words.length() > 0) {
            long hash = hash(stream, offsetBytes, back);
            words.lazySet(place(hash), (hash & ~NODE_MASK) | (node & NODE_MASK));
        }
    }

    /** What was kept under the same key, else {@link Node#UNKNOWN}. */
    int recall(long stream, long offsetBytes, int back) {
        if (words.length() == 0) {
            return Node.UNKNOWN;
        }
        long hash = hash(stream, offsetBytes, back);
        long word = words.get(place(hash));
        return (word ^ hash) >>> Integer.SIZE == 0 ? (int) word : Node.UNKNOWN;
    }

    private int place(long hash) {
        return (int) hash & (words.length() - 1);
    }

    private static long hash(long stream, long offsetBytes, int back) {
        return Hash.of(Hash.of(stream) + offsetBytes) + Hash.of(back);
    }

    private static int ceilingPowerOfTwo(int value) {
        return value == 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }
}

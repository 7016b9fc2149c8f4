/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The first locations of the last blocks of each reader's last request, so that the reader's next request continues
 * from there.
 *
 * <p>A client asks for a few blocks at a time. Its next request begins at the offset where the last answer ended. The
 * key is this offset together with the reader and the file. For this reason the table needs no data about the file, and
 * a reader that seeks begins anew. The table has one word for each key, with a fingerprint of the key and the node's
 * number:
 *
 * <pre>
 *   fingerprint of the key (int) | number of the node (int)
 * </pre>
 *
 * <p>A newer word replaces an older word without a check. A lost word, or a word of another key with the same
 * fingerprint, costs at most one slightly worse choice. Constant time, no allocation. Thread-safe without locks.
 */
final class RecentFirsts {

    private static final long NODE_MASK = 0xffff_ffffL;

    private final AtomicLongArray words;

    /** Makes a table with room for at least this many words; none for 0. */
    RecentFirsts(int entries) {
        this.words = new AtomicLongArray(entries == 0 ? 0 : ceilingPowerOfTwo(entries));
    }

    /**
     * Remembers the first node of a block.
     *
     * @param offsetBytes the end of the request
     * @param back the number of blocks from the block's begin to that end, at least 1
     */
    void remember(long stream, long offsetBytes, int back, int node) {
        if (words.length() > 0) {
            long hash = hash(stream, offsetBytes, back);
            words.lazySet(place(hash), (hash & ~NODE_MASK) | (node & NODE_MASK));
        }
    }

    /** The node that was remembered under the same key, or {@link Node#UNKNOWN}. */
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

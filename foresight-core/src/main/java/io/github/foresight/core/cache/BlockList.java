/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of blocks from the oldest to the newest. The blocks themselves hold the links, so a block is in one list at a
 * time. Each operation takes constant time for each {@link Front} of the list. Not thread-safe.
 */
final class BlockList<K> {

    private final List<Front<K>> fronts = new ArrayList<>(2);
    private @Nullable Block<K> oldest;
    private @Nullable Block<K> newest;
    private long bytes;
    private int count;
    private long appended;

    @Nullable
    Block<K> oldest() {
        return oldest;
    }

    long bytes() {
        return bytes;
    }

    int count() {
        return count;
    }

    /** Makes a front of the list; call this while the list is empty. */
    Front<K> front() {
        Front<K> front = new Front<>();
        fronts.add(front);
        return front;
    }

    void append(Block<K> block) {
        block.sequence = appended++;
        block.older = newest;
        if (newest == null) {
            oldest = block;
        } else {
            newest.newer = block;
        }
        newest = block;
        bytes += block.bytes;
        count++;
        for (Front<K> front : fronts) {
            front.appended(block);
        }
    }

    void remove(Block<K> block) {
        for (Front<K> front : fronts) {
            front.removing(block);
        }
        if (block.older == null) {
            oldest = block.newer;
        } else {
            block.older.newer = block.newer;
        }
        if (block.newer == null) {
            newest = block.older;
        } else {
            block.newer.older = block.older;
        }
        block.older = null;
        block.newer = null;
        bytes -= block.bytes;
        count--;
    }

    /**
     * The oldest part of a list. It grows on demand and shrinks as its blocks leave. Each block is visited once while
     * it is in the list: amortised constant time for each block, however large the front.
     */
    static final class Front<K> {

        /** The first block beyond the front; null if the whole list belongs to the front. */
        private @Nullable Block<K> end;

        private long bytes;

        /** Grows to the fewest blocks that have this many bytes together, or to the whole list. */
        void growToBytes(long minBytes) {
            while (end != null && bytes < minBytes) {
                take(end);
            }
        }

        /** Grows by the blocks of at least this age, up to the first younger block. */
        void growToAge(long minNanos, long nowNanos) {
            while (end != null && end.isAged(minNanos, nowNanos)) {
                take(end);
            }
        }

        long bytes() {
            return bytes;
        }

        /** Whether a block of the list belongs to the front. */
        boolean contains(Block<K> block) {
            return end == null || block.sequence < end.sequence;
        }

        private void take(Block<K> block) {
            bytes += block.bytes;
            end = block.newer;
        }

        private void appended(Block<K> block) {
            if (end == null) {
                end = block;
            }
        }

        private void removing(Block<K> block) {
            if (contains(block)) {
                bytes -= block.bytes;
            } else if (block == end) {
                end = block.newer;
            }
        }
    }
}

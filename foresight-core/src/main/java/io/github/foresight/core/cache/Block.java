/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import org.jspecify.annotations.Nullable;

/** A block that the cache holds, and its place in its list. A block is in one list at a time. Not thread-safe. */
final class Block<K> {

    final K key;
    final long bytes;
    /** The client for which the block was prefetched. */
    final long clientId;

    MultiQueueCache.Queue queue = MultiQueueCache.Queue.UNACCESSED;
    /** The time when the block entered its queue; in the caching queue, the time of its last hit. */
    long sinceNanos;

    /** Only {@link BlockList} sets these: the neighbours, and a number that rises along the list. */
    @Nullable
    Block<K> older;

    @Nullable
    Block<K> newer;

    long sequence;

    Block(K key, long bytes, long clientId, long sinceNanos) {
        this.key = key;
        this.bytes = bytes;
        this.clientId = clientId;
        this.sinceNanos = sinceNanos;
    }

    /** Whether the block has been in its queue, or without a hit, for this time. Works when the clock wraps around. */
    boolean isAged(long maxNanos, long nowNanos) {
        return nowNanos - sinceNanos >= maxNanos;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import org.jspecify.annotations.Nullable;

/** A block that the cache holds, and its place in the one list it is in. Not thread-safe. */
final class Block<K> {

    final K key;
    final long bytes;
    /** The client it was prefetched for. */
    final long clientId;

    MultiQueueCache.Queue queue = MultiQueueCache.Queue.UNACCESSED;
    /** When it came into its queue; in the caching queue, when it was last hit. */
    long sinceNanos;

    /** Set by {@link BlockList} alone: neighbours, and a number that rises along the list. */
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

    /** Whether it has been in its queue, or without a hit, for so long; safe where the clock wraps around. */
    boolean isAged(long maxNanos, long nowNanos) {
        return nowNanos - sinceNanos >= maxNanos;
    }
}

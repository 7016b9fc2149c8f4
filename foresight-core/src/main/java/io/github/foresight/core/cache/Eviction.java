/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.Objects;

/**
 * A block that the cache evicted; the owner of its pinned pages now unpins them. Immutable; as thread-safe as its key.
 */
public final class Eviction<K> {

    /** The reason of an eviction. */
    public enum Reason {
        /** A new block needed the room. */
        ROOM,
        /** The block was read, and the time in which its client may repeat the request has passed. */
        RETRY_TIME_PASSED,
        /** The block was popular, but had no hit for a long time. */
        IDLE,
        /** The block's queue lost a share of the cache to another queue. */
        REASSIGNED,
        /** The caching policy prefers all its other blocks to this block. */
        TURNED_AWAY,
        /** The capacity of the cache was reduced. */
        RESIZED
    }

    private final K key;
    private final long bytes;
    private final MultiQueueCache.Queue queue;
    private final Reason reason;

    Eviction(Block<K> block, Reason reason) {
        this.key = block.key;
        this.bytes = block.bytes;
        this.queue = block.queue;
        this.reason = reason;
    }

    public K key() {
        return key;
    }

    public long bytes() {
        return bytes;
    }

    /**
     * The block's queue at its eviction. A block that is evicted while it is read has already left the unaccessed
     * queue; this is then the queue that it would have entered.
     */
    public MultiQueueCache.Queue queue() {
        return queue;
    }

    public Reason reason() {
        return reason;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Eviction)) {
            return false;
        }
        Eviction<?> other = (Eviction<?>) o;
        return key.equals(other.key) && bytes == other.bytes && queue == other.queue && reason == other.reason;
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, bytes, queue, reason);
    }

    @Override
    public String toString() {
        return key + " (" + bytes + " bytes) from " + queue + ": " + reason;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.Objects;

/**
 * A block that the cache gave up of its own accord; whoever pinned its pages now unpins them. Immutable; as thread-safe as
 * its key.
 */
public final class Eviction<K> {

    /** Why a block left. */
    public enum Reason {
        /** A newcomer needed its room. */
        ROOM,
        /** It was read, and the time in which its client might ask again has passed. */
        RETRY_TIME_PASSED,
        /** It was popular, but nobody has asked for it for long. */
        IDLE,
        /** Its queue lost a share of the cache to another. */
        REASSIGNED,
        /** The caching policy prefers every block it has to this one. */
        TURNED_AWAY,
        /** The cache shrank. */
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
     * The queue the block was in when it left. A block that leaves as it is read has left the queue of the unaccessed: this is
     * then the queue it was on its way to.
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import io.github.foresight.core.hint.TrackedBlocks.Tracked;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The warmed blocks that are unread, in the order in which they expire. A block is warmed if it is prefetched without a
 * session.
 *
 * <p>Each operation takes constant time. The number of blocks is bounded by the cache, which holds all of them. Not
 * thread-safe.
 */
final class WarmBlocks {

    /** The mark of a warmed block that is unread: its reader, and the time of its last use. */
    static final class Warmth {
        private final Reader reader;
        private final long sinceNanos;

        private Warmth(Reader reader, long sinceNanos) {
            this.reader = reader;
            this.sinceNanos = sinceNanos;
        }
    }

    private final Set<Tracked> byExpiry = new LinkedHashSet<>();

    /** Adds a block that was warmed for a reader, or makes it the last to expire. */
    void add(Tracked block, Reader reader, long nowNanos) {
        byExpiry.remove(block);
        block.warmth = new Warmth(reader, nowNanos);
        byExpiry.add(block);
    }

    /** Removes a block that was read or evicted. */
    void remove(Tracked block) {
        byExpiry.remove(block);
        block.warmth = null;
    }

    boolean contains(Tracked block) {
        return block.warmth != null;
    }

    int count() {
        return byExpiry.size();
    }

    /** A reader is reading the block. Makes it the last to expire if it is warmed. */
    void used(Tracked block, long nowNanos) {
        Warmth warmth = block.warmth;
        if (warmth != null) {
            add(block, warmth.reader, nowNanos);
        }
    }

    /** The reader for which the block was warmed, if it may be the given reader; otherwise the given reader. */
    Reader readerOf(Tracked block, Reader reader) {
        Warmth warmth = block.warmth;
        return warmth != null && warmth.reader.matches(reader) ? warmth.reader : reader;
    }

    /** Removes and returns the next block without a use for {@code idleNanos}; null if there is none. */
    @Nullable
    Tracked removeExpired(long idleNanos, long nowNanos) {
        if (byExpiry.isEmpty()) {
            return null;
        }
        Tracked oldest = byExpiry.iterator().next();
        if (nowNanos - Objects.requireNonNull(oldest.warmth).sinceNanos < idleNanos) {
            return null;
        }
        remove(oldest);
        return oldest;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Objects;

/**
 * An action that {@link ReadAhead} decided. The DataNode carries decisions out in the order in which core returned
 * them. Immutable and thread-safe.
 */
public final class Decision {

    /** The kind of action. */
    public enum Kind {
        /** Begin to read the block's part into memory and to pin it, up to {@link #limitBytes()}. */
        PREFETCH,
        /** Let the running prefetch go on up to {@link #limitBytes()}. */
        EXTEND,
        /** Run the block's prefetch before others on the same volume, because a reader is at the block. */
        EXPEDITE,
        /**
         * Stop the block's prefetch if it runs, and unpin the block. Its pages stay while there is room, because the
         * block was read or its file has changed.
         */
        UNPIN,
        /**
         * Stop the block's prefetch if it runs, unpin the block, and drop the prefetched pages, because nobody has read
         * the block.
         */
        DISCARD
    }

    private final Kind kind;
    private final HintedBlock block;
    private final long limitBytes;

    private Decision(Kind kind, HintedBlock block, long limitBytes) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.block = Objects.requireNonNull(block, "block");
        this.limitBytes = limitBytes;
    }

    static Decision of(Kind kind, HintedBlock block) {
        return new Decision(kind, block, block.endBytes());
    }

    static Decision upTo(Kind kind, HintedBlock block, long limitBytes) {
        return new Decision(kind, block, limitBytes);
    }

    public Kind kind() {
        return kind;
    }

    public HintedBlock block() {
        return block;
    }

    /** The end of the prefetch, in bytes from the block's begin; at most the end of the block's part. */
    public long limitBytes() {
        return limitBytes;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Decision)) {
            return false;
        }
        Decision other = (Decision) o;
        return kind == other.kind && block.equals(other.block) && limitBytes == other.limitBytes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, block, limitBytes);
    }

    @Override
    public String toString() {
        return kind + " " + block + " up to " + limitBytes;
    }
}

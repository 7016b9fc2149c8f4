/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Objects;

/**
 * Something that {@link ReadAhead} wants done; the adapter carries decisions out in the order in which they were given.
 * Immutable and thread-safe.
 */
public final class Decision {

    /** What is to be done. */
    public enum Kind {
        /** Begin to read the block into memory and to pin it, up to {@link #limitBytes()} from its start. */
        PREFETCH,
        /** A running prefetch may go on up to {@link #limitBytes()}. */
        EXTEND,
        /** A reader stands in the block: its prefetch goes before others on the same volume. */
        EXPEDITE,
        /** Stop the block's prefetch if it runs, and unpin it. Its pages stay while there is room: it was read, or its file has changed. */
        UNPIN,
        /** Stop the block's prefetch if it runs, unpin it and drop the pages that the prefetch brought in: nobody has read it. */
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
        return new Decision(kind, block, block.lengthBytes());
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

    /** How far into the block a prefetch may go, bytes from its start, at most its length. */
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

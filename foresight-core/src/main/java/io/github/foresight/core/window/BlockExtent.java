/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import io.github.foresight.core.hint.BlockKey;
import java.util.Objects;

/** A part of a block, with the generation stamp that identifies the block's content. Immutable and thread-safe. */
public final class BlockExtent {

    private final BlockKey key;
    private final long generationStamp;
    private final Extent extent;

    public BlockExtent(BlockKey key, long generationStamp, Extent extent) {
        this.key = Objects.requireNonNull(key, "key");
        this.generationStamp = generationStamp;
        this.extent = Objects.requireNonNull(extent, "extent");
    }

    public BlockKey key() {
        return key;
    }

    public long generationStamp() {
        return generationStamp;
    }

    /** The part, counted from the block's begin. */
    public Extent extent() {
        return extent;
    }

    BlockExtent with(Extent other) {
        return new BlockExtent(key, generationStamp, other);
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof BlockExtent)) {
            return false;
        }
        BlockExtent other = (BlockExtent) o;
        return key.equals(other.key) && generationStamp == other.generationStamp && extent.equals(other.extent);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, generationStamp, extent);
    }

    @Override
    public String toString() {
        return key + "_" + generationStamp + extent;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a block, up to the end of one of the block's parts, with the part's replica first.
 *
 * <p>HDFS's stream reads to the end of a block, which here is the part's end. There the stream looks for the next block, and gets the next
 * part. The part begins where the block begins, because a stream calculates its position in the block from that. Only its
 * token can change. As thread-safe as HDFS's blocks.
 */
public class BlockPart extends LocatedBlock {

    private final long endInBlock;

    /**
     * The block of a layout up to a part's end.
     *
     * @param first which of the block's locations serves the part
     */
    BlockPart(LocatedBlock block, int first, long endInBlock) {
        this(block, block.getLocations(), block.getStorageIDs(), block.getStorageTypes(), first, endInBlock);
    }

    /**
     * The block of a layout up to a part's end.
     *
     * @param first which of the locations serves the part; the others follow in their order
     */
    protected BlockPart(
            LocatedBlock block,
            DatanodeInfo[] locations,
            String @Nullable [] storageIds,
            StorageType @Nullable [] storageTypes,
            int first,
            long endInBlock) {
        super(
                block.getBlock(),
                withFirst(locations, first),
                storageIds == null ? null : withFirst(storageIds, first),
                storageTypes == null ? null : withFirst(storageTypes, first),
                block.getStartOffset(),
                block.isCorrupt(),
                block.getCachedLocations());
        setBlockToken(block.getBlockToken());
        this.endInBlock = endInBlock;
    }

    private static <T> T[] withFirst(T[] array, int first) {
        T[] moved = array.clone();
        if (first < array.length) {
            System.arraycopy(array, 0, moved, 1, first);
            moved[0] = array[first];
        }
        return moved;
    }

    /** A part of a block of a layout. */
    static BlockPart of(LocatedBlock block, int first, long endInBlock) {
        return block instanceof BlockPart
                ? ((BlockPart) block).part(first, endInBlock)
                : new BlockPart(block, first, endInBlock);
    }

    /** A part of this block. */
    protected BlockPart part(int first, long end) {
        return new BlockPart(this, first, end);
    }

    /** The end of the part in the block: where a stream that reads the part stops. {@link #getBlock} has the block's length. */
    @Override
    public long getBlockSize() {
        return endInBlock;
    }
}

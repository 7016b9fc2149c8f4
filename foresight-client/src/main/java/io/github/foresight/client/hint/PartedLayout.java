/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import io.github.foresight.client.caller.LayoutCaller;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * The layout of an open file that gives a stream, for an offset, the part of the block with that offset.
 *
 * <p>A stream asks {@link #findBlock} for the index of a block, and {@link #get} for the block, both with its lock held. {@link
 * #getLocatedBlocks} has the blocks themselves, and so has a stream that lists its blocks. Used by one stream, under its lock.
 */
public class PartedLayout extends LocatedBlocks {

    /** No offset: the block itself is wanted. */
    private static final long WHOLE = -1;

    /** The file whose blocks are cut; null where they are not. */
    private volatile @Nullable OpenFile file;

    /** The block that was looked for last, and its parts; of a long file no more is kept. */
    private @Nullable LocatedBlock latest;

    private int latestCuts;
    private long latestUndecided;
    private List<BlockPart> latestParts = Collections.emptyList();
    private long wanted = WHOLE;

    /** A layout whose blocks are not cut yet. */
    protected PartedLayout(LocatedBlocks layout, List<LocatedBlock> blocks) {
        super(
                layout.getFileLength(),
                layout.isUnderConstruction(),
                blocks,
                layout.getLastLocatedBlock(),
                layout.isLastBlockComplete(),
                layout.getFileEncryptionInfo(),
                layout.getErasureCodingPolicy());
    }

    /**
     * The layout whose blocks are cut as those of a file are.
     *
     * @param file the file; null where blocks are not cut
     */
    public static LocatedBlocks of(LocatedBlocks layout, @Nullable OpenFile file) {
        if (file == null || !file.isCut()) {
            return layout;
        }
        PartedLayout cut = layout instanceof PartedLayout
                ? (PartedLayout) layout
                : new PartedLayout(layout, layout.getLocatedBlocks());
        cut.file = file;
        return cut;
    }

    @Override
    public int findBlock(long offset) {
        int index = super.findBlock(offset);
        if (file != null) {
            boolean begins = index < 0 || super.get(index).getStartOffset() == offset;
            wanted = begins && LayoutCaller.isListing() ? WHOLE : offset;
        }
        return index;
    }

    @Override
    public LocatedBlock get(int index) {
        LocatedBlock block = super.get(index);
        long offset = wanted - block.getStartOffset();
        OpenFile of = file;
        if (of == null || wanted == WHOLE || offset < 0 || offset >= block.getBlockSize()) {
            return block;
        }
        if (wanted >= of.undecidedBytes()) {
            of.decide();
        }
        int cuts = of.cuts();
        long undecided = block.getStartOffset() == 0 ? of.undecidedBytes() : 0;
        if (block != latest || cuts != latestCuts || undecided != latestUndecided) {
            latestParts = parts(block, of.partsOf(block.getBlock().getBlockId()), undecided);
            latest = block;
            latestCuts = cuts;
            latestUndecided = undecided;
        }
        for (BlockPart part : latestParts) {
            if (offset < part.getBlockSize()) {
                return part;
            }
        }
        return block;
    }

    private static List<BlockPart> parts(LocatedBlock block, List<Placed<HintTarget>> cut, long undecided) {
        List<BlockPart> parts = new ArrayList<>(cut.size() + 1);
        if (undecided > 0 && !cut.isEmpty() && undecided < cut.get(0).block().endBytes()) {
            parts.add(part(block, cut.get(0).node(), undecided));
        }
        for (Placed<HintTarget> placed : cut) {
            parts.add(part(block, placed.node(), placed.block().endBytes()));
        }
        return parts;
    }

    private static BlockPart part(LocatedBlock block, HintTarget target, long endInBlock) {
        return BlockPart.of(block, Math.max(0, placeOf(target, block.getLocations())), endInBlock);
    }

    /** The place of a DataNode among locations; -1 if it is not there. */
    static int placeOf(HintTarget target, DatanodeInfo[] locations) {
        int place = locations.length - 1;
        while (place >= 0 && !target.node().getDatanodeUuid().equals(locations[place].getDatanodeUuid())) {
            place--;
        }
        return place;
    }
}

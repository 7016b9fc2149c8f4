/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.hint.HintTarget;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * The data blocks of an erasure-coded block group, as parts of the file that hints name.
 *
 * <p>A stream reads all data blocks of a group at once, cell by cell, and turns to each of them at the group's begin, in their order. So the
 * blocks are given places in the file one behind the other, as if they were parts of one block. Stateless.
 */
final class StripedBlocks {

    private StripedBlocks() {}

    /** The data blocks that hold bytes, each at its DataNode; empty if one of them has none, so that it is reconstructed. */
    static ImmutableList<Placed<HintTarget>> of(LocatedStripedBlock group, ErasureCodingPolicy policy) {
        LocatedBlock[] blocks = StripedBlockUtil.parseStripedBlockGroup(
                group, policy.getCellSize(), policy.getNumDataUnits(), policy.getNumParityUnits());
        ImmutableList.Builder<Placed<HintTarget>> placed = ImmutableList.builder();
        long begin = group.getStartOffset();
        for (int index = 0; index < policy.getNumDataUnits(); index++) {
            long length = lengthBytes(group, policy, index);
            if (length == 0) {
                break;
            }
            LocatedBlock block = blocks[index];
            if (block == null || block.getLocations().length == 0) {
                return ImmutableList.of();
            }
            BlockKey key = new BlockKey(
                    block.getBlock().getBlockPoolId(), block.getBlock().getBlockId());
            placed.add(new Placed<>(
                    new HintedBlock(key, block.getBlock().getGenerationStamp(), begin, length),
                    new HintTarget(block.getLocations()[0], block.getBlockToken())));
            begin += length;
        }
        return placed.build();
    }

    /** The bytes of a data block. */
    static long lengthBytes(LocatedBlock group, ErasureCodingPolicy policy, int index) {
        return StripedBlockUtil.getInternalBlockLength(
                group.getBlockSize(), policy.getCellSize(), policy.getNumDataUnits(), index);
    }
}

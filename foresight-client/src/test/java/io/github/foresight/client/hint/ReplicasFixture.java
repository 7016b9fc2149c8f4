/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import io.github.foresight.core.hint.BlockParts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.BeforeEach;

/** Files whose blocks have a replica on each DataNode, unless a test names others. */
abstract class ReplicasFixture extends HintFixture {

    static final long MIB = 1 << 20;
    static final long[] ENDS = {21 * MIB, 42 * MIB, BLOCK_BYTES};

    DatanodeInfo[] nodes;

    @BeforeEach
    void nodes() {
        nodes = dataNodes.stream().map(FakeDataNode::info).toArray(DatanodeInfo[]::new);
    }

    final LocatedBlock block(int index, DatanodeInfo... locations) {
        LocatedBlock block = new LocatedBlock(new ExtendedBlock(POOL, index, BLOCK_BYTES, 1), locations.clone());
        block.setStartOffset(index * BLOCK_BYTES);
        return block;
    }

    final LocatedBlocks layout(int blocks, DatanodeInfo... locations) {
        List<LocatedBlock> all =
                IntStream.range(0, blocks).mapToObj(i -> block(i, locations)).collect(Collectors.toList());
        return new LocatedBlocks(blocks * BLOCK_BYTES, false, all, all.get(blocks - 1), true, null, null);
    }

    /** The parts of each block of a file whose blocks have replicas on all nodes. */
    final List<List<BlockParts.Part<String>>> cuts(int blocks) {
        List<String> uuids =
                Arrays.stream(nodes).map(DatanodeInfo::getDatanodeUuid).toList();
        BlockParts<String> file = new BlockParts<>(3, 16 * MIB, uuid -> uuid);
        return IntStream.range(0, blocks)
                .mapToObj(block -> file.cut(block, BLOCK_BYTES, uuids))
                .collect(Collectors.toList());
    }

    /** The DataNodes of the first block's parts. */
    final List<String> order() {
        return cuts(1).get(0).stream().map(BlockParts.Part::node).toList();
    }
}

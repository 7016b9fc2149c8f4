/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.hint.BlockPart;
import io.github.foresight.client.window.WindowedBlock.Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** The order in which a block with a window gives its locations. */
class WindowedBlockTest extends WindowFixture {

    @Test
    void part_ofABlockWithAWindow_beginsWithItsReplica_andHasAWindow() {
        BlockPart part = blockAt(opened(), 0).part(1, BLOCK_BYTES / 2);

        assertThat(part).isInstanceOf(WindowedBlock.class);
        assertThat(part.getBlockSize()).isEqualTo(BLOCK_BYTES / 2);
        assertThat(part.getLocations()[0].getDatanodeUuid())
                .isEqualTo(replicaNode.info().getDatanodeUuid());
        assertThat(part.getStorageIDs()).containsExactly("b", "a");
        assertThat(part.getStorageTypes()).containsExactly(StorageType.SSD, StorageType.DISK);
    }

    /** With the originals on other hosts than the reader's, which is the replica node's. */
    @Test
    void replicaNode_onTheReadersHost_isReadFromOutsideOfTheWindowToo() throws IOException {
        LocatedBlocks layout = layout(0, BLOCKS, 1);
        List<LocatedBlock> blocks = new ArrayList<>();
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            DatanodeInfo remote = new DatanodeInfo.DatanodeInfoBuilder()
                    .setNodeID(new DatanodeID(
                            "192.0.2.1", "elsewhere", "remote" + blocks.size() % 2, 9866, 9864, 9865, 9867))
                    .build();
            LocatedBlock moved = new LocatedBlock(block.getBlock(), new DatanodeInfo[] {replicaNode.info(), remote});
            moved.setStartOffset(block.getStartOffset());
            blocks.add(moved);
        }
        LocatedBlocks opened = windows.windowed(
                "/file", new LocatedBlocks(BLOCKS * BLOCK_BYTES, false, blocks, blocks.get(0), true, null, null), true);
        WindowedBlock block = blockAt(opened, 0);
        assertThat(block.nearest(block.getLocations(), 0, 0, BlockLookup.Kind.POSITIONED))
                .isEqualTo(Order.STOCK);

        awaitRequests(1);
        await().until(() ->
                block.nearest(block.getLocations(), 0, 0, BlockLookup.Kind.POSITIONED) == Order.REPLICA_NODE_FIRST);
    }

    @Test
    void block_outsideOfARead_givesTheNameNodesOrder() {
        WindowedBlock block = blockAt(opened(), 0);
        assertThat(block.getLocations())
                .extracting(DatanodeInfo::getDatanodeUuid)
                .containsExactly("original0", "replica-node");
    }

    @Test
    void block_orderDecided_movesLocationsAndStorageTypesTogether() {
        WindowedBlock block = blockAt(opened(), 0);
        BlockLookup turn = Objects.requireNonNull(BlockLookup.current());

        turn.decide(block, BlockLookup.Kind.POSITIONED, Order.REPLICA_NODE_FIRST);
        assertThat(block.getLocations())
                .extracting(DatanodeInfo::getDatanodeUuid)
                .containsExactly("replica-node", "original0");
        assertThat(block.getStorageTypes()).containsExactly(StorageType.SSD, StorageType.DISK);

        turn.decide(block, BlockLookup.Kind.POSITIONED, Order.REPLICA_NODE_LAST);
        assertThat(block.getLocations())
                .extracting(DatanodeInfo::getDatanodeUuid)
                .containsExactly("original0", "replica-node");
        assertThat(block.getStorageTypes()).containsExactly(StorageType.DISK, StorageType.SSD);
    }
}

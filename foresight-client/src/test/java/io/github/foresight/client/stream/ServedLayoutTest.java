/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** A stream's steps with the layout of its open, one by one. */
class ServedLayoutTest {

    private static final String PATH = "/f";

    private static LocatedBlocks blocks(int replicas, long... ids) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (long id : ids) {
            DatanodeInfo[] nodes = new DatanodeInfo[replicas];
            for (int i = 0; i < replicas; i++) {
                nodes[i] = new DatanodeInfoBuilder()
                        .setNodeID(new org.apache.hadoop.hdfs.protocol.DatanodeID(
                                "127.0.0.1", "h", "uuid" + i, 1 + i, 2, 3, 4))
                        .build();
            }
            LocatedBlock block = new LocatedBlock(new ExtendedBlock("BP", id, 10, 1), nodes);
            block.setStartOffset(10L * blocks.size());
            blocks.add(block);
        }
        return new LocatedBlocks(10L * ids.length, false, blocks, blocks.get(blocks.size() - 1), true, null, null);
    }

    private static List<Long> ids(LocatedBlocks layout) {
        List<Long> ids = new ArrayList<>();
        layout.getLocatedBlocks().forEach(block -> ids.add(block.getBlock().getBlockId()));
        return ids;
    }

    private final LocatedBlocks fresh = blocks(2, 11, 12);

    private static void tries(ServedLayout layout, long offset, long blockId) {
        layout.findBlock(offset);
        ServedLayout.attempted(PATH, blockId);
    }

    @Test
    void streamThatCouldReadNothing_goesOnWithTheNewBlocks() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        tries(served, 0, 1);
        tries(served, 0, 1);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(11L, 12L);
        assertThat(ids(served)).as("only where it is compared with them").containsExactly(1L, 2L);
    }

    @Test
    void streamThatHasReadFromAReplicaBefore_keepsItsBlocks() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        tries(served, 0, 1);
        tries(served, 5, 1);
        tries(served, 5, 1);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(1L, 2L);
    }

    @Test
    void streamThatHasDeliveredBytes_keepsItsBlocks_howeverOftenItHasTried() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        AtomicLong delivered = new AtomicLong(1);
        served.readBy(delivered::get);
        tries(served, 0, 1);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(1L, 2L);

        delivered.set(0);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(11L, 12L);
    }

    @Test
    void streamThatHasReadAnotherBlock_keepsItsBlocks() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        tries(served, 0, 1);
        tries(served, 10, 2);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(1L, 2L);
    }

    @Test
    void streamOfWhichNothingIsKnown_keepsItsBlocks() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(served)).containsExactly(1L, 2L);
    }

    @Test
    void answerAboutAnotherFile_changesNothing() {
        ServedLayout served = new ServedLayout(PATH, blocks(2, 1, 2));
        tries(served, 0, 1);
        ServedLayout.refetched("/other", fresh);
        assertThat(ids(served)).containsExactly(1L, 2L);
    }

    @Test
    void twoStreamsOfOneThread_areNotMistakenForOneAnother() {
        ServedLayout first = new ServedLayout(PATH, blocks(1, 1));
        ServedLayout second = new ServedLayout(PATH, blocks(1, 1));
        tries(first, 0, 1);
        tries(first, 0, 1);
        tries(second, 0, 1);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(first)).containsExactly(1L);
        ServedLayout.refetched(PATH, fresh);
        assertThat(ids(second)).containsExactly(11L, 12L);
    }

    @Test
    void layout_ofMoreBlocksThanAreAskedFor_isCutAsTheNameNodeWouldCutIt() {
        LocatedBlocks known = blocks(1, 1, 2, 3, 4);
        assertThat(ids(ServedLayout.upTo(20, known))).containsExactly(1L, 2L);
        assertThat(ids(ServedLayout.upTo(21, known))).containsExactly(1L, 2L, 3L);
        assertThat(ids(ServedLayout.upTo(1, known))).containsExactly(1L);
        assertThat(ServedLayout.upTo(31, known)).isSameAs(known);
        LocatedBlocks cut = ServedLayout.upTo(20, known);
        assertThat(cut.getFileLength()).isEqualTo(40);
        assertThat(cut.getLastLocatedBlock()).isSameAs(known.getLastLocatedBlock());
        assertThat(cut.isLastBlockComplete()).isTrue();
    }
}

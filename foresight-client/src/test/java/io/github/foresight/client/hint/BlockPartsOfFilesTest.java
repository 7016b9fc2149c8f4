/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.BlockParts;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** Blocks with several replicas: the parts that a stream reads, and the hints. */
class BlockPartsOfFilesTest extends ReplicasFixture {

    private final DiskReaders readers = new DiskReaders();

    private LocatedBlocks open(LocatedBlocks layout) {
        return PartedLayout.of(
                layout, OpenFiles.INSTANCE.opened(path, layout, settings, sender, (file, offset) -> null));
    }

    @Test
    void file_whoseDisksAreAllBusyForThisProcess_isRead_inWholeBlocks() {
        LocatedBlocks layout = layout(1, nodes);
        OpenStream stream = () -> 0;
        List<OpenFile> files = new ArrayList<>();
        for (int i = 0; i < 2 * nodes.length; i++) {
            files.add(new OpenFile(path, layout, settings, sender, (file, offset) -> layout, readers));
            assertThat(files.get(i).isCut()).as("file " + i).isEqualTo(i < 2 * nodes.length - 1);
        }
        assertThat(files.get(5).partsOf(0)).singleElement().satisfies(whole -> {
            assertThat(whole.block().isWhole()).isTrue();
            assertThat(whole.node().node()).isEqualTo(nodes[0]);
        });

        files.get(4).streamOpened(stream);
        files.get(4).streamClosed(stream);
        assertThat(new OpenFile(path, layout, settings, sender, (file, offset) -> layout, readers).isCut())
                .isTrue();
    }

    // ---- the stream ----

    @Test
    void stream_findsForEachOffset_thePartAndItsDataNode() {
        LocatedBlocks layout = open(layout(2, nodes));
        List<List<BlockParts.Part<String>>> cuts = cuts(2);

        for (int block = 0; block < 2; block++) {
            long begin = 0;
            for (BlockParts.Part<String> part : cuts.get(block)) {
                for (long offset : new long[] {begin, part.endBytes() - 1}) {
                    LocatedBlock found = layout.get(layout.findBlock(block * BLOCK_BYTES + offset));
                    boolean isFirst = block == 0 && offset == 0;
                    assertThat(found.getStartOffset()).isEqualTo(block * BLOCK_BYTES);
                    assertThat(found.getBlockSize()).isEqualTo(isFirst ? EVIDENCE : part.endBytes());
                    assertThat(found.getBlock().getNumBytes()).isEqualTo(BLOCK_BYTES);
                    assertThat(found.getBlock().getBlockId()).isEqualTo(block);
                    assertThat(found.getLocations()).hasSize(3);
                    assertThat(found.getLocations()[0].getDatanodeUuid()).isEqualTo(part.node());
                }
                begin = part.endBytes();
            }
        }
    }

    @Test
    void layout_listed_hasTheBlocksThemselves() {
        LocatedBlocks layout = open(layout(2, nodes));

        assertThat(layout.locatedBlockCount()).isEqualTo(2);
        assertThat(layout.getLocatedBlocks())
                .extracting(LocatedBlock::getBlockSize)
                .containsOnly(BLOCK_BYTES);
        assertThat(layout.getLastLocatedBlock().getBlockSize()).isEqualTo(BLOCK_BYTES);
    }

    @Test
    void blocks_thatTheStreamFetchedLater_areReadInPartsToo() {
        LocatedBlocks all = layout(4, nodes);
        LocatedBlocks first = new LocatedBlocks(
                all.getFileLength(),
                false,
                new ArrayList<>(all.getLocatedBlocks().subList(0, 1)),
                all.getLastLocatedBlock(),
                true,
                null,
                null);
        LocatedBlocks layout = open(first);
        List<BlockParts.Part<String>> third = cuts(4).get(2);
        long offset = 2 * BLOCK_BYTES + third.get(0).endBytes();
        OpenFiles.INSTANCE.located(path, 0, all, settings, sender, (file, from) -> null);

        int index = layout.findBlock(offset);
        assertThat(index).isNegative();
        int place = LocatedBlocks.getInsertIndex(index);
        layout.insertRange(place, all.getLocatedBlocks().subList(2, 4));
        LocatedBlock found = layout.get(place);

        assertThat(found.getBlock().getBlockId()).isEqualTo(2);
        assertThat(found.getBlockSize()).isEqualTo(third.get(1).endBytes());
    }

    @Test
    void block_thatNoFileKnows_isReadWhole() {
        LocatedBlocks layout = open(layout(1, nodes));
        layout.insertRange(1, List.of(block(9, nodes)));

        assertThat(layout.get(layout.findBlock(9 * BLOCK_BYTES + ENDS[0])).getBlockSize())
                .isEqualTo(BLOCK_BYTES);
    }

    // ---- hints ----

    private void turnsTo(int block, long endInBlock) {
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, block, endInBlock, CLIENT);
    }

    @Test
    void firstRead_hintsNoMoreThanIsReadBeforeTheCutIsDecided() {
        open(layout(2, nodes));
        turnsTo(0, EVIDENCE);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
        HintRequestProto hint = requests(OpType.HINT).get(0);
        HintedBlockProto first = hint.getBlocks(0);
        assertThat(hint.getBlocksCount()).isEqualTo(1);
        assertThat(first.getRangeOffset()).isZero();
        assertThat(first.getRangeLength()).isEqualTo(EVIDENCE);
        assertThat(first.getLength()).isEqualTo(BLOCK_BYTES);
        staysAt(1);
    }

    @Test
    void nextPart_isSequentialProgress_andHintsEveryDataNodeItsParts() {
        open(layout(2, nodes));
        turnsTo(0, EVIDENCE);
        turnsTo(0, ENDS[0]);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
        for (FakeDataNode dataNode : dataNodes) {
            assertThat(hintedBy(dataNode, true)).containsExactly(0L, 1L);
        }
    }

    @Test
    void seekBackToTheBegin_isNoProgress() {
        open(layout(2, nodes));
        turnsTo(0, EVIDENCE);
        turnsTo(0, EVIDENCE);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(2));
        await().during(QUIET)
                .untilAsserted(() -> assertThat(requests(OpType.HINT)).noneMatch(HintRequestProto::getSequential));
    }

    @Test
    void disksThatBecomeBusy_whileTheFirstPartIsRead_leaveTheRestToTheNameNodesFirstReplica() {
        LocatedBlocks layout = open(layout(2, nodes));
        turnsTo(0, EVIDENCE);
        List<DiskReaders.Reading> others = readingAsManyAsKeepDisksBusy(nodes);
        LocatedBlock first = layout.get(layout.findBlock(0));
        LocatedBlock rest = layout.get(layout.findBlock(EVIDENCE));
        others.forEach(DiskReaders.Reading::end);

        assertThat(first.getBlockSize()).isEqualTo(EVIDENCE);
        assertThat(first.getLocations()[0].getDatanodeUuid()).isEqualTo(order().get(0));
        assertThat(rest.getBlockSize()).isEqualTo(BLOCK_BYTES);
        assertThat(rest.getLocations()[0]).isEqualTo(nodes[0]);
        assertThat(layout.get(layout.findBlock(BLOCK_BYTES + ENDS[0])).getLocations()[0])
                .as("the next block")
                .isEqualTo(nodes[0]);

        turnsTo(0, BLOCK_BYTES);
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(0), true)).containsExactly(0L, 1L));
        assertThat(requests(OpType.HINT))
                .as("one of the first part, one of all")
                .hasSize(2);
        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(1));
    }

    @Test
    void disksThatBecomeBusy_afterTheFirstPart_leaveTheCutAsItIs() {
        LocatedBlocks layout = open(layout(2, nodes));
        layout.get(layout.findBlock(EVIDENCE));
        List<DiskReaders.Reading> others = readingAsManyAsKeepDisksBusy(nodes);
        LocatedBlock next = layout.get(layout.findBlock(ENDS[0]));
        others.forEach(DiskReaders.Reading::end);

        assertThat(next.getBlockSize()).isEqualTo(ENDS[1]);
    }

    @Test
    void blockWhoseDisksAreIdle_staysCut_whereAnothersHaveBecomeBusy() {
        LocatedBlock second = block(1, nodes[1], nodes[2]);
        List<LocatedBlock> both = new ArrayList<>(List.of(block(0, nodes[0], nodes[1]), second));
        LocatedBlocks layout = open(new LocatedBlocks(2 * BLOCK_BYTES, false, both, second, true, null, null));
        List<DiskReaders.Reading> others = readingAsManyAsKeepDisksBusy(nodes[0], nodes[1]);
        LocatedBlock rest = layout.get(layout.findBlock(EVIDENCE));
        LocatedBlock next = layout.get(layout.findBlock(BLOCK_BYTES));
        others.forEach(DiskReaders.Reading::end);

        assertThat(rest.getBlockSize()).isEqualTo(BLOCK_BYTES);
        assertThat(next.getBlockSize()).isLessThan(BLOCK_BYTES);
    }

    @Test
    void evidenceOfAByte_letsTheFirstPartEndAtAMebibyte() throws IOException {
        configured("foresight.client.hint.evidence", "1");
        LocatedBlocks layout = open(layout(2, nodes));
        assertThat(layout.get(layout.findBlock(0)).getBlockSize()).isEqualTo(MIB);
        assertThat(layout.get(layout.findBlock(MIB)).getBlockSize()).isEqualTo(ENDS[0]);

        turnsTo(0, MIB);
        turnsTo(0, ENDS[0]);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
    }

    private List<DiskReaders.Reading> readingAsManyAsKeepDisksBusy(DatanodeInfo... of) {
        List<String> disks =
                Arrays.stream(of).map(DatanodeInfo::getDatanodeUuid).toList();
        return IntStream.range(0, 2 * of.length)
                .mapToObj(i -> OpenFiles.INSTANCE.readers().begin(disks, System.nanoTime()))
                .toList();
    }

    @Test
    void readThatEndsWithinAPart_isByPosition_andHintsNothing() {
        open(layout(2, nodes));
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 0, ENDS[0] - 1, CLIENT);
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 0, ENDS[1] + 1, CLIENT);

        staysAt(0);
    }

    /** Three blocks that only two nodes hold leave all of the next to the third node, wherever the NameNode lists it. */
    @Test
    void block_thatOneDataNodeServes_isReadFromIt() {
        LocatedBlocks layout = open(unevenlyPlaced(nodes[0], nodes[1], nodes[2]));

        assertIsReadFrom(nodes[2], layout);
        for (long block = 0; block < 2; block++) {
            OpenFiles.INSTANCE.recordBlockRead(path, POOL, block, BLOCK_BYTES / 2, CLIENT);
            OpenFiles.INSTANCE.recordBlockRead(path, POOL, block, BLOCK_BYTES, CLIENT);
        }
        await().untilAsserted(() -> assertThat(hintsAt(nodes[2])).isPositive());
        assertIsReadFrom(nodes[2], open(unevenlyPlaced(nodes[1], nodes[0], nodes[2])));
    }

    private LocatedBlocks unevenlyPlaced(DatanodeInfo... ofLast) {
        List<LocatedBlock> blocks = List.of(
                block(0, nodes[0], nodes[1]),
                block(1, nodes[0], nodes[1]),
                block(2, nodes[0], nodes[1]),
                block(3, ofLast));
        return new LocatedBlocks(4 * BLOCK_BYTES, false, blocks, blocks.get(3), true, null, null);
    }

    private static void assertIsReadFrom(DatanodeInfo node, LocatedBlocks layout) {
        LocatedBlock last = layout.get(layout.findBlock(3 * BLOCK_BYTES));
        assertThat(last.getBlockSize()).isEqualTo(BLOCK_BYTES);
        assertThat(last.getLocations()[0]).isEqualTo(node);
    }

    private long hintsAt(DatanodeInfo node) {
        return dataNodes.stream()
                .filter(each -> each.info().equals(node))
                .mapToLong(each -> each.requests(OpType.HINT).size())
                .sum();
    }

    private DatanodeInfo[] without(int place) {
        String gone = order().get(place);
        return dataNodes.stream()
                .map(FakeDataNode::info)
                .filter(node -> !node.getDatanodeUuid().equals(gone))
                .toArray(DatanodeInfo[]::new);
    }

    @Test
    void replicaThatIsGone_whileTheFileIsHinted_leavesItsPartToTheFirst() {
        open(layout(1, nodes));
        turnsTo(0, EVIDENCE);
        DatanodeInfo[] left = without(1);
        LocatedBlocks again = open(layout(1, left));

        LocatedBlock found = again.get(again.findBlock(ENDS[0]));
        assertThat(found.getBlockSize()).isEqualTo(ENDS[1]);
        assertThat(found.getLocations()[0].getDatanodeUuid()).isEqualTo(left[0].getDatanodeUuid());
    }

    @Test
    void replicaThatIsGone_beforeTheFileIsHinted_hasTheBlockCutAnew() {
        open(layout(1, nodes));
        LocatedBlocks again = open(layout(1, without(1)));

        assertThat(again.get(again.findBlock(EVIDENCE)).getBlockSize()).isEqualTo(BLOCK_BYTES / 2);
        assertThat(again.get(again.findBlock(BLOCK_BYTES / 2)).getBlockSize()).isEqualTo(BLOCK_BYTES);
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 0, BLOCK_BYTES / 2, CLIENT);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
    }

    @Test
    void replicaThatComesLater_hasTheBlockCut() {
        open(layout(1, nodes[0]));
        LocatedBlocks again = open(layout(1, nodes));

        assertThat(again.get(again.findBlock(EVIDENCE)).getBlockSize()).isEqualTo(ENDS[0]);
    }

    @Test
    void fileThatWasReplaced_isAnotherFile() {
        OpenFile before = OpenFiles.INSTANCE.opened(path, layout(1, nodes), settings, sender, (file, from) -> null);
        LocatedBlock other = block(5, nodes);
        other.setStartOffset(0);
        LocatedBlocks replaced =
                new LocatedBlocks(BLOCK_BYTES, false, new ArrayList<>(List.of(other)), other, true, null, null);
        OpenFile after = OpenFiles.INSTANCE.opened(path, replaced, settings, sender, (file, from) -> null);

        assertThat(after).isNotSameAs(before);
        assertThat(after.partsOf(5)).hasSize(3);
        assertThat(before.partsOf(5)).isEmpty();
    }

    @Test
    void hintsOfAStream_thatOutlastAnothersEnd_areReleasedWhenTheFileIsCutAnew() {
        open(layout(2, nodes));
        turnsTo(0, EVIDENCE);
        turnsTo(0, ENDS[0]);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
        OpenFile file = OpenFiles.INSTANCE.opened(path, layout(2, nodes), settings, sender, (name, from) -> null);
        file.released();
        open(layout(2, without(1)));

        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSizeGreaterThanOrEqualTo(3));
    }
}

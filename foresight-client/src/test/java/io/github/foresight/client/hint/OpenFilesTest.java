/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import java.io.IOException;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the NameNode's answer and the blocks that a stream reads, to the hints that DataNodes get. */
class OpenFilesTest extends HintFixture {

    @Test
    void open_alone_tellsNobody() {
        opened(6);

        staysAt(0);
    }

    @Test
    void firstRead_tellsItsDataNodeAndNoOther() {
        opened(6);
        turnsTo(0);

        await().untilAsserted(
                        () -> assertThat(hintedBy(dataNodes.get(0), false)).containsExactly(0L, 3L));
        staysAt(1);
    }

    private void openedFor(ReadIntent intent, int blocks) {
        OpenFiles.Opening opening = OpenFiles.INSTANCE.opening(path, intent);
        OpenFiles.INSTANCE.opened(path, layout(0, blocks, blocks, 1), settings, sender, (file, from) -> null);
        opening.end();
    }

    @Test
    void firstRead_ofAFileOpenedToBeReadSequentially_tellsEveryDataNodeItsSequence() {
        openedFor(ReadIntent.of("sequential", 0), 6);
        turnsTo(0);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(3));
        assertThat(hintedBy(dataNodes.get(0), true)).containsExactly(0L, 3L);
        assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L, 5L);
    }

    @Test
    void reads_ofASplit_areHintedUpToItsEnd() {
        openedFor(ReadIntent.of("sequential", 3 * BLOCK_BYTES), 6);
        turnsTo(1);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(2));
        assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L);
        assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L);
    }

    @Test
    void reads_ofAFileOpenedToBeReadAtRandom_areNotHinted_untilItIsOpenedOtherwise() {
        openedFor(ReadIntent.of("parquet", 0), 6);
        turnsTo(0);
        turnsTo(1);
        staysAt(0);

        openedFor(ReadIntent.NONE, 6);
        turnsTo(0);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
    }

    @Test
    void firstRead_thatIsServedFarEnough_tellsEveryDataNodeItsSequence() {
        opened(6);
        turnsTo(0);
        await().untilAsserted(() -> assertThat(requests(OpType.PROGRESS)).isNotEmpty());
        served.set(EVIDENCE);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
        assertThat(hintedBy(dataNodes.get(0), true)).containsExactly(0L, 3L);
        assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L, 4L);
        assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L, 5L);
        staysAt(4);
    }

    @Test
    void nextBlock_tellsEveryDataNodeItsSequence_onceForTheFile() {
        opened(6);
        for (int block = 0; block < 6; block++) {
            turnsTo(block);
        }

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
        staysAt(4);
    }

    @Test
    void hintsOfOneReading_areOneSession() {
        opened(6);
        turnsTo(0);
        turnsTo(1);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));

        assertThat(requests(OpType.HINT).stream()
                        .map(HintRequestProto::getFileId)
                        .distinct())
                .hasSize(1);
    }

    @Test
    void positionedRead_tellsNobody() {
        opened(6);
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 0, BLOCK_BYTES / 2, CLIENT);
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 3, BLOCK_BYTES / 2, CLIENT);

        staysAt(0);
    }

    @Test
    void positionedReadsBetween_doNotDisturbASequentialReader() {
        opened(6);
        turnsTo(0);
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 5, BLOCK_BYTES / 2, CLIENT);
        turnsTo(1);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(4));
        assertThat(requests(OpType.RELEASE)).isEmpty();
    }

    @Test
    void randomReader_takesBackWhatItHinted() {
        opened(30);
        for (int block : new int[] {3, 21, 9, 15, 27}) {
            turnsTo(block);
        }

        int jumps = 4;
        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(jumps));
        assertThat(requests(OpType.HINT)).hasSize(jumps).noneMatch(HintRequestProto::getSequential);
    }

    @Test
    void longFile_isHintedWindowByWindow_andItsLayoutAskedForAhead() throws IOException {
        configured("foresight.client.hint.window.blocks", "8");
        located(0, layout(0, 8, 32, 1));
        for (int block = 0; block < 32; block++) {
            turnsTo(block);
            long needed = Math.min(32, block + 5) * BLOCK_BYTES;
            await().untilAsserted(() -> assertThat(knownBytes()).isGreaterThanOrEqualTo(needed));
        }

        List<Long> hinted = new ArrayList<>();
        await().untilAsserted(() -> {
            hinted.clear();
            dataNodes.forEach(dataNode -> hinted.addAll(hintedBy(dataNode, true)));
            assertThat(hinted).contains(31L);
        });
        assertThat(hinted).contains(10L, 20L, 30L);
        assertThat(requests(OpType.HINT)).allMatch(request -> request.getBlocksCount() <= 8);
    }

    private long knownBytes() {
        synchronized (layoutQuestions) {
            return layoutQuestions.isEmpty()
                    ? 8 * BLOCK_BYTES
                    : layoutQuestions.get(layoutQuestions.size() - 1) + 8 * BLOCK_BYTES;
        }
    }

    @Test
    void smallFileOfOneBlock_isNotHinted() {
        ExtendedBlock block = new ExtendedBlock(POOL, 0, 1 << 20, 1);
        LocatedBlock located =
                new LocatedBlock(block, new DatanodeInfo[] {dataNodes.get(0).info()});
        located(0, new LocatedBlocks(1 << 20, false, List.of(located), located, true, null, null));
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, 0, 1 << 20, CLIENT);

        staysAt(0);
    }

    private static final ErasureCodingPolicy RS_3_2 =
            SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.RS_3_2_POLICY_ID);

    /** Block groups of three full data blocks, one on each DataNode. The first group's id is -16000. */
    private LocatedBlocks groups(int count, int dataBlocksThere) {
        List<LocatedBlock> groups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DatanodeInfo[] nodes = new DatanodeInfo[dataBlocksThere];
            byte[] indices = new byte[dataBlocksThere];
            for (int index = 0; index < dataBlocksThere; index++) {
                nodes[index] = dataNodes.get(index).info();
                indices[index] = (byte) index;
            }
            groups.add(new LocatedStripedBlock(
                    new ExtendedBlock(POOL, -16_000 + 16 * i, 3 * BLOCK_BYTES, 1),
                    nodes,
                    new String[dataBlocksThere],
                    new StorageType[dataBlocksThere],
                    indices,
                    i * 3L * BLOCK_BYTES,
                    false,
                    null));
        }
        return new LocatedBlocks(count * 3L * BLOCK_BYTES, false, groups, groups.get(count - 1), true, null, RS_3_2);
    }

    @Test
    void erasureCodedFile_isHinted_eachDataBlockWhereItIs() {
        located(0, groups(2, 3));
        turnsTo(-16_000);
        turnsTo(-15_999);
        turnsTo(-15_998);

        await().untilAsserted(() -> {
            assertThat(hintedBy(dataNodes.get(1), true)).contains(-15_999L, -15_983L);
            assertThat(hintedBy(dataNodes.get(2), true)).contains(-15_998L, -15_982L);
            assertThat(hintedBy(dataNodes.get(0), true)).contains(-15_984L);
        });
    }

    @Test
    void blocksOfErasureCodedFiles_areNotReadInParts() {
        located(0, groups(2, 3));
        LocatedBlocks layout = groups(2, 3);
        OpenFile file = OpenFiles.INSTANCE.opened(path, layout, settings, sender, (name, from) -> null);
        assertThat(PartedLayout.of(layout, file)).isSameAs(layout);
    }

    @Test
    void blockGroupThatMustBeReconstructed_isAskedForOnce() {
        LocatedBlocks whole = groups(2, 3);
        LocatedBlock degraded = groups(2, 2).get(1);
        AtomicInteger questions = new AtomicInteger();
        LocatedBlocks layout = new LocatedBlocks(
                whole.getFileLength(), false, List.of(whole.get(0), degraded), degraded, true, null, RS_3_2);
        OpenFiles.INSTANCE.located(path, 0, layout, settings, sender, (file, from) -> {
            questions.incrementAndGet();
            return new LocatedBlocks(whole.getFileLength(), false, List.of(degraded), degraded, true, null, RS_3_2);
        });
        for (int turn = 0; turn < 5; turn++) {
            for (long block = -16_000; block <= -15_998; block++) {
                turnsTo(block);
            }
            await().untilAsserted(() -> assertThat(questions).hasPositiveValue());
        }
        await().during(QUIET).untilAsserted(() -> assertThat(questions).hasValue(1));
    }

    @Test
    void blockGroupThatMustBeReconstructed_isNotHinted() {
        located(0, groups(2, 2));
        turnsTo(-16_000);
        turnsTo(-15_999);

        staysAt(0);
    }

    @Test
    void fileThatWasReplaced_isHintedAsItIsNow() {
        opened(6);
        located(0, layout(0, 6, 6, 2));
        turnsTo(0);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
        assertThat(requests(OpType.HINT).get(0).getBlocksList()).allMatch(block -> block.getGenerationStamp() == 2);
    }

    @Test
    void answerFromTheMiddleOfAnotherContent_isForgotten() {
        opened(6);
        located(3 * BLOCK_BYTES, layout(3, 6, 6, 2));
        turnsTo(0);

        staysAt(0);
    }

    @Test
    void lookAtTheEndOfALongFile_leavesItsBeginningHinted() {
        located(0, layout(0, 6, 20, 1));
        located(18 * BLOCK_BYTES, layout(18, 20, 20, 1));
        turnsTo(19);
        turnsTo(0);

        await().untilAsserted(
                        () -> assertThat(hintedBy(dataNodes.get(0), false)).containsExactly(0L, 3L));
        staysAt(1);
    }

    @Test
    void layoutThatCannotBeHad_leavesTheReaderAlone() throws IOException {
        configured("foresight.client.hint.window.blocks", "2");
        OpenFiles.INSTANCE.located(path, 0, layout(0, 2, 6, 1), settings, sender, (file, from) -> {
            throw new IOException("on purpose");
        });
        turnsTo(0);
        turnsTo(1);

        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L));
    }

    /** An answer holds its stream and waits for the file; a turn that came after it must not hold the file for the stream. */
    @Test
    @Timeout(60)
    void turnAndAnswerAtOnce_doNotWaitForOneAnotherForever() throws Exception {
        OpenFile file =
                new OpenFile(path, layout(0, 6, 6, 1), settings, sender, (name, from) -> null, new DiskReaders());
        file.recordBlockRead(0, BLOCK_BYTES, CLIENT, 1);
        await().untilAsserted(() -> assertThat(requests(OpType.PROGRESS)).isNotEmpty());
        Thread reader = new Thread(() -> file.recordBlockRead(1, BLOCK_BYTES, CLIENT, 1));
        reader.setDaemon(true);
        synchronized (file) {
            served.set(EVIDENCE);
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread ->
                            thread.getName().startsWith("foresight-hints") && thread.getState() == State.BLOCKED));
            reader.start();
            await().until(() -> reader.getState() == State.BLOCKED);
        }

        reader.join();
    }
}

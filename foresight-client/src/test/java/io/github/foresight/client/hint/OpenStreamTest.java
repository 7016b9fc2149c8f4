/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application's own streams: their progress, their close, and the replicas that they read. */
class OpenStreamTest extends HintFixture {

    private final AtomicLong streamed = new AtomicLong();
    private final OpenStream stream = streamed::get;

    private void openedWithStream(int blocks) {
        opened(blocks);
        OpenFiles.INSTANCE.streamOpened(path, POOL, stream);
    }

    /** The order of whole blocks; {@link BlockPartsOfFilesTest} has the parts. */
    @BeforeEach
    void wholeBlocks() throws IOException {
        configured("foresight.client.hint.part.replicas", "1");
    }

    @Test
    void progressOfTheOnlyStream_isSeenThere_andNoDataNodeIsAsked() {
        openedWithStream(6);
        turnsTo(0);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
        streamed.set(EVIDENCE - 1);
        staysAt(1);
        streamed.set(EVIDENCE);

        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L, 5L));
        assertThat(requests(OpType.PROGRESS)).isEmpty();
    }

    @Test
    void bytesBeforeTheBlock_areNoProgress() {
        streamed.set(EVIDENCE);
        openedWithStream(6);
        turnsTo(0);

        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(1));
        staysAt(1);
    }

    @Test
    void twoStreams_cannotBeToldApart_soTheDataNodeIsAsked() {
        openedWithStream(6);
        OpenFiles.INSTANCE.streamOpened(path, POOL, () -> 0);
        turnsTo(0);

        await().untilAsserted(() -> assertThat(requests(OpType.PROGRESS)).isNotEmpty());
    }

    @Test
    void close_inTheMiddle_releasesTheHints_andTheNextReadHintsAgain() {
        openedWithStream(6);
        turnsTo(0);
        turnsTo(1);
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(2), true)).isNotEmpty());
        OpenFiles.INSTANCE.streamClosed(path, POOL, stream);

        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(3));
        int hints = requests(OpType.HINT).size();
        turnsTo(2);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(hints + 3));
    }

    @Test
    void close_afterTheLastBlock_needsNoRelease() {
        openedWithStream(2);
        turnsTo(0);
        turnsTo(1);
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L));
        OpenFiles.INSTANCE.streamClosed(path, POOL, stream);

        await().during(QUIET)
                .untilAsserted(() -> assertThat(requests(OpType.RELEASE)).isEmpty());
    }

    @Test
    void laterAnswer_inAnotherOrder_isReadFromTheHintedReplica() {
        located(0, twoReplicas(0, 1));
        turnsTo(0);
        LocatedBlocks later = twoReplicas(1, 0);
        located(0, later);

        assertThat(first(later)).isEqualTo("node0" + path);
        assertThat(later.get(0).getStorageIDs()).containsExactly("storage0", "storage1");
    }

    @Test
    void laterAnswer_withoutAHint_keepsTheNameNodesOrder() {
        located(0, twoReplicas(0, 1));
        LocatedBlocks later = twoReplicas(1, 0);
        located(0, later);

        assertThat(first(later)).isEqualTo("node1" + path);
        turnsTo(0);
        await().untilAsserted(
                        () -> assertThat(hintedBy(dataNodes.get(1), false)).containsExactly(0L));
    }

    @Test
    void laterAnswer_afterTheClose_keepsTheNameNodesOrder() {
        located(0, twoReplicas(0, 1));
        OpenFiles.INSTANCE.streamOpened(path, POOL, stream);
        turnsTo(0);
        OpenFiles.INSTANCE.streamClosed(path, POOL, stream);
        LocatedBlocks later = twoReplicas(1, 0);
        located(0, later);

        assertThat(first(later)).isEqualTo("node1" + path);
    }

    @Test
    void laterAnswer_longAfterTheLastHint_keepsTheNameNodesOrder() {
        OpenFile file =
                new OpenFile(path, twoReplicas(0, 1), settings, sender, (name, from) -> null, new DiskReaders());
        file.hinted(System.nanoTime() - OpenFile.HINT_NANOS);
        LocatedBlocks later = twoReplicas(1, 0);
        assertThat(file.merge(later)).isTrue();

        assertThat(first(later)).isEqualTo("node1" + path);
    }

    @Test
    void laterAnswer_withTheHintedReplicaOnALeavingDataNode_keepsTheNameNodesOrder() {
        located(0, twoReplicas(0, 1));
        turnsTo(0);
        LocatedBlocks later = twoReplicas(1, 0);
        later.get(0).getLocations()[1].startDecommission();
        located(0, later);

        assertThat(first(later)).isEqualTo("node1" + path);
    }

    @Test
    void laterAnswer_withoutTheHintedReplica_staysAsItIs() {
        located(0, twoReplicas(0, 1));
        turnsTo(0);
        LocatedBlocks later = twoReplicas(2, 1);
        located(0, later);

        assertThat(first(later)).isEqualTo("node2" + path);
    }

    /** A defect of ours in a stream's figures must not reach the application. */
    @Test
    void streamThatFails_leavesTheReaderAlone() {
        opened(6);
        OpenFiles.INSTANCE.streamOpened(path, POOL, () -> {
            throw new IllegalStateException("on purpose");
        });
        long errors = sender.metrics().internalErrors.value();

        turnsTo(0);
        assertThat(sender.metrics().internalErrors.value()).isGreaterThan(errors);
    }

    private static String first(LocatedBlocks layout) {
        return layout.get(0).getLocations()[0].getDatanodeUuid();
    }

    private LocatedBlocks twoReplicas(int first, int second) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock(POOL, 0, BLOCK_BYTES, 1),
                new DatanodeInfo[] {
                    dataNodes.get(first).info(), dataNodes.get(second).info()
                },
                new String[] {"storage" + first, "storage" + second},
                new StorageType[] {StorageType.DISK, StorageType.DISK});
        block.setStartOffset(0);
        return new LocatedBlocks(BLOCK_BYTES, false, List.of(block), block, true, null, null);
    }
}

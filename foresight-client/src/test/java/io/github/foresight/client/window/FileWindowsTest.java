/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.hint.BlockPart;
import io.github.foresight.client.window.WindowedBlock.Order;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** The window over a whole file: from a random read to the order of its block's locations, and to the replica node's window. */
class FileWindowsTest extends WindowFixture {

    @Test
    void read_outsideOfTheWindow_goesToAnOriginalAndOneRequestToTheReplicaNode() {
        LocatedBlocks layout = opened();

        assertThat(pread(layout, 3 * BLOCK_BYTES + 5)).isEqualTo(Order.REPLICA_NODE_LAST);

        awaitRequests(1);
        HintRequestProto request = replicaNode.requests(OpType.WINDOW).get(0);
        assertThat(request.getBlocksList()).singleElement().satisfies(part -> {
            assertThat(part.getBlockId()).isEqualTo(103);
            assertThat(part.getOffset()).isEqualTo(3 * BLOCK_BYTES);
            assertThat(part.getLength()).isEqualTo(BLOCK_BYTES);
            assertThat(part.getRangeOffset()).isZero();
            assertThat(part.getRangeLength()).isEqualTo(OBJECT);
        });
        assertThat(originals).allSatisfy(node -> assertThat(node.requests()).isEmpty());
    }

    @Test
    void read_insideTheWindow_goesToTheReplicaNodeAndSendsNothing() {
        LocatedBlocks layout = opened();
        readInto(layout, 0);
        int requests = replicaNode.requests().size();

        assertThat(pread(layout, 16_384)).isEqualTo(Order.REPLICA_NODE_FIRST);

        assertThat(replicaNode.requests()).hasSize(requests);
    }

    @Test
    void window_overABlocksEnd_namesBothBlocks() throws IOException {
        configured("foresight.client.window.objects.first", "4");
        LocatedBlocks layout = opened();

        pread(layout, BLOCK_BYTES);

        awaitRequests(1);
        assertThat(replicaNode.requests(OpType.WINDOW).get(0).getBlocksList())
                .extracting(part -> part.getBlockId() + " " + part.getRangeOffset() + " " + part.getRangeLength())
                .containsExactly("100 " + 7 * OBJECT + " " + OBJECT, "101 0 " + 3 * OBJECT);
    }

    @Test
    void window_movesWhileARequestIsUnderWay_isToldOfOnceMore() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        replicaNode.answering(request -> {
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return HintResponseProto.newBuilder().setAccepted(1).build();
        });
        LocatedBlocks layout = opened();
        for (int i = 0; i < 6; i++) {
            pread(layout, i * BLOCK_BYTES);
        }
        awaitRequests(1);

        answered.countDown();

        awaitRequests(2);
        long covered = replicaNode.requests(OpType.WINDOW).get(1).getBlocksList().stream()
                .mapToLong(part -> part.getRangeLength())
                .sum();
        assertThat(covered).as("the window after six reads outside").isEqualTo(16 * OBJECT);
    }

    @Test
    void replicaNode_refuses_leavesReadsAsTheyAre() {
        replicaNode.answering(request -> HintResponseProto.newBuilder().build());
        LocatedBlocks layout = opened();
        pread(layout, 0);
        awaitRequests(1);

        await().until(() -> pread(layout, 0) == Order.STOCK);
        assertThat(pread(layout, 5 * BLOCK_BYTES)).isEqualTo(Order.STOCK);
        assertThat(replicaNode.requests()).hasSize(1);
    }

    @Test
    void replicaNode_dies_leavesReadsAsTheyAre() {
        LocatedBlocks layout = opened();
        readInto(layout, 0);
        replicaNode.close();

        pread(layout, 5 * BLOCK_BYTES);

        await().until(() -> pread(layout, 0) == Order.STOCK);
    }

    @Test
    void stream_readsOn_isLeftToHints() {
        LocatedBlocks layout = opened();
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(turn(layout, i * BLOCK_BYTES, BlockLookup.Kind.STREAM)).isEqualTo(Order.STOCK);
        }
        assertThat(replicaNode.requests()).isEmpty();
    }

    @Test
    void stream_turnsFromPartToPart_isLeftToHints() {
        LocatedBlocks layout = opened();
        FileWindow window = Objects.requireNonNull(windows.known("/file"));
        long length = BLOCK_BYTES / 8;
        for (int i = 0; i < 16; i++) {
            long block = i / 8 * BLOCK_BYTES;
            BlockPart part = blockAt(layout, block).part(i % 2, (i % 8 + 1) * length);

            assertThat(window.recordBlockRead(part, i * length, BlockLookup.Kind.STREAM))
                    .isEqualTo(Order.STOCK);
        }
        assertThat(replicaNode.requests(OpType.WINDOW)).isEmpty();
    }

    @Test
    void stream_seeksAbout_getsAWindow() {
        LocatedBlocks layout = opened();
        int[] turns = {0, 4, 2, 6, 1};
        for (int block : turns) {
            turn(layout, block * BLOCK_BYTES + 77, BlockLookup.Kind.STREAM);
        }
        awaitRequests(1);
    }

    @Test
    void read_ofWhatTheWindowLeft_goesToTheReplicaNodeAndMovesNothing() {
        LocatedBlocks layout = opened();
        readInto(layout, 0);
        readInto(layout, 4 * BLOCK_BYTES);
        int requests = replicaNode.requests().size();

        assertThat(pread(layout, 77)).isEqualTo(Order.REPLICA_NODE_FIRST);

        assertThat(replicaNode.requests()).hasSize(requests);
    }

    @Test
    void reader_withoutLocality_isNotHelpedForEver() throws IOException {
        configured("foresight.client.window.trail", "0");
        configured("foresight.client.window.patience", "5");
        LocatedBlocks layout = opened();
        readInto(layout, 0);
        int rests = 0;
        for (int i = 0; i < 12; i++) {
            // Back and forth between the file's ends, which no window of five objects covers.
            rests += pread(layout, i % 2 == 0 ? (BLOCKS - 1) * BLOCK_BYTES : 0) == Order.STOCK ? 1 : 0;
        }
        assertThat(rests).isPositive();
    }

    @Test
    void reads_longerThanAWindowReaches_areLeftToHdfs() throws IOException {
        configured("foresight.client.window.objects.max", "5");
        LocatedBlocks layout = opened();
        pread(layout, 0, 3 * OBJECT + 1);
        awaitRequests(1);

        for (int block = 1; block < BLOCKS; block++) {
            assertThat(pread(layout, block * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(Order.STOCK);
        }
        assertThat(replicaNode.requests(OpType.WINDOW)).hasSize(1);
    }

    @Test
    void reads_shortOnesAfterLongOnes_getAWindowAgain() throws IOException {
        configured("foresight.client.window.objects.max", "5");
        LocatedBlocks layout = opened();
        pread(layout, 0, BLOCK_BYTES);
        for (int read = 0; read < 4; read++) {
            assertThat(pread(layout, 5 * BLOCK_BYTES, 16_384)).isEqualTo(Order.STOCK);
        }

        assertThat(pread(layout, 5 * BLOCK_BYTES, 16_384)).isNotEqualTo(Order.STOCK);
    }

    @Test
    void reads_asLongAsAWindowReaches_haveOne() {
        LocatedBlocks layout = opened();
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(pread(layout, block * BLOCK_BYTES, BLOCK_BYTES)).isNotEqualTo(Order.STOCK);
        }
    }

    @Test
    void longReadsInSequence_inAFileOfSeveralBlocks_haveAWindow() {
        LocatedBlocks layout = opened();
        assertThat(FileWindows.serveSequences(layout)).isTrue();
    }

    @Test
    void layout_ofSingleReplicas_isLeftAlone() {
        List<LocatedBlock> strewn = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            LocatedBlock block = new LocatedBlock(
                    new ExtendedBlock(POOL, 200 + i, BLOCK_BYTES, 1),
                    new DatanodeInfo[] {originals.get(i).info()});
            block.setStartOffset(i * BLOCK_BYTES);
            strewn.add(block);
        }
        LocatedBlocks two = new LocatedBlocks(2 * BLOCK_BYTES, false, strewn, strewn.get(1), true, null, null);
        assertThat(windows.windowed("/two", two, true)).isSameAs(two);
    }

    @Test
    void layout_onlyLookedAt_startsNoWindow() {
        LocatedBlocks looked = layout(0, BLOCKS, 1);
        assertThat(windows.windowed("/file", looked, false)).isSameAs(looked);
        opened();
        assertThat(windows.windowed("/file", layout(2, 3, 1), false).get(0)).isInstanceOf(WindowedBlock.class);
    }

    @Test
    void layout_ofOtherContent_startsAnew() {
        LocatedBlocks old = opened();
        readInto(old, 0);

        LocatedBlocks now = windows.windowed("/file", layout(0, BLOCKS, 2), true);

        assertThat(pread(now, 0)).isEqualTo(Order.REPLICA_NODE_LAST);
        await().until(() -> !replicaNode.requests(OpType.RELEASE).isEmpty());
    }
}

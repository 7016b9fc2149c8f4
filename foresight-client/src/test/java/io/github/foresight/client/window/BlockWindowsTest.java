/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.hint.FakeDataNode;
import io.github.foresight.client.window.WindowedBlock.Order;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** Windows over single blocks: in files of one block, and where no DataNode holds all blocks. */
class BlockWindowsTest extends WindowFixture {

    /** A file of one block, with a replica on each of two nodes. */
    private LocatedBlocks ofOneBlock(long bytes) {
        LocatedBlock only = new LocatedBlock(
                new ExtendedBlock(POOL, 100, bytes, 1),
                new DatanodeInfo[] {originals.get(0).info(), replicaNode.info()});
        only.setStartOffset(0);
        return new LocatedBlocks(bytes, false, List.of(only), only, true, null, null);
    }

    @Test
    void layout_ofOneBlock_hasAWindowIfItIsLongEnough() {
        LocatedBlocks tooShort = ofOneBlock((8 << 20) - 1);
        assertThat(windows.windowed("/short", tooShort, true)).isSameAs(tooShort);

        LocatedBlocks layout = windows.windowed("/file", ofOneBlock(8 << 20), true);
        assertThat(pread(layout, 0)).isEqualTo(Order.REPLICA_NODE_LAST);
        FakeDataNode chosen = chosen(layout.get(0));
        await().until(() -> chosen.requests(OpType.WINDOW).size() == 1);
        await().until(() -> pread(layout, 0) == Order.REPLICA_NODE_FIRST);
    }

    /** The node that all clients choose for a block that has a window of its own. */
    private FakeDataNode chosen(LocatedBlock block) {
        String uuid = Objects.requireNonNull(windows.known("/file")).replicaNodeOf(block);
        return Stream.of(originals.get(0), originals.get(1), replicaNode)
                .filter(node -> node.info().getDatanodeUuid().equals(uuid))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void longReadsInSequence_inAFileOfOneBlock_areLeftToHintsOfParts() {
        LocatedBlocks layout = windows.windowed("/file", ofOneBlock(128 << 20), true);
        assertThat(FileWindows.serveSequences(layout)).isFalse();
        int piece = 1 << 20;
        for (int i = 0; i < 4; i++) {
            assertThat(pread(layout, (long) i * piece, piece)).isNotEqualTo(Order.STOCK);
        }
        for (int i = 4; i < 100; i++) {
            assertThat(pread(layout, (long) i * piece, piece)).isEqualTo(Order.STOCK);
        }
        pread(layout, 50 << 20, 16_384);
        assertThat(pread(layout, 51 << 20, 16_384)).as("a short one").isNotEqualTo(Order.STOCK);
    }

    /** No thread's own reads are a sequence: it reads every fourth piece. */
    @Test
    void longReadsInSequence_byThreadsInTurn_areLeftToHintsOfParts() throws Exception {
        LocatedBlocks layout = windows.windowed("/file", ofOneBlock(128 << 20), true);
        int piece = 128 << 10;
        List<ExecutorService> threads =
                Stream.generate(Executors::newSingleThreadExecutor).limit(4).toList();
        try {
            for (int i = 0; i < 400; i++) {
                long offset = (long) i * piece;
                Order order = threads.get(i % 4)
                        .submit(() -> {
                            layout.findBlock(offset);
                            return pread(layout, offset, piece);
                        })
                        .get();
                if (i >= 40) {
                    assertThat(order).as("piece %d", i).isEqualTo(Order.STOCK);
                }
            }
        } finally {
            threads.forEach(ExecutorService::shutdownNow);
        }
    }

    /** Each block on two of three nodes, and none of them with all. */
    private LocatedBlocks dealt(long blockBytes) {
        List<DatanodeInfo> nodes =
                List.of(originals.get(0).info(), originals.get(1).info(), replicaNode.info());
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            LocatedBlock block = new LocatedBlock(
                    new ExtendedBlock(POOL, 100 + i, blockBytes, 1),
                    new DatanodeInfo[] {nodes.get(i % 3), nodes.get((i + 1) % 3)});
            block.setStartOffset(i * blockBytes);
            blocks.add(block);
        }
        return new LocatedBlocks(BLOCKS * blockBytes, false, blocks, blocks.get(BLOCKS - 1), true, null, null);
    }

    @Test
    void layout_withoutANodeOfAllBlocks_hasAWindowForEachBlock() {
        LocatedBlocks layout = windows.windowed("/file", dealt(BLOCK_BYTES), true);
        for (int i = 0; i < BLOCKS; i++) {
            long offset = i * BLOCK_BYTES + 3 * OBJECT;
            long id = 100L + i;
            FakeDataNode chosen = chosen(layout.get(i));
            assertThat(pread(layout, offset)).isEqualTo(Order.REPLICA_NODE_LAST);
            await().until(() -> pread(layout, offset) == Order.REPLICA_NODE_FIRST);
            assertThat(chosen.requests(OpType.WINDOW)).anySatisfy(request -> assertThat(request.getBlocksList())
                    .singleElement()
                    .satisfies(part -> {
                        assertThat(part.getBlockId()).isEqualTo(id);
                        assertThat(part.getRangeOffset()).isEqualTo(3 * OBJECT);
                        assertThat(part.getRangeLength()).isEqualTo(OBJECT);
                    }));
        }
    }

    @Test
    void windowsOfBlocks_stayWithinTheirBlocks() throws IOException {
        configured("foresight.client.window.objects.first", "4");
        LocatedBlocks layout = windows.windowed("/file", dealt(BLOCK_BYTES), true);
        FakeDataNode chosen = chosen(layout.get(1));

        pread(layout, BLOCK_BYTES);

        await().until(() -> chosen.requests(OpType.WINDOW).size() == 1);
        assertThat(chosen.requests(OpType.WINDOW).get(0).getBlocksList())
                .extracting(part -> part.getBlockId() + " " + part.getRangeOffset() + " " + part.getRangeLength())
                .containsExactly("101 0 " + 3 * OBJECT);
    }

    /** How many of 8,000 reads at random of a file of 1 GiB, by blocks of 128 MiB, are in an order of replicas. */
    private long readAtRandom(Order order) {
        LocatedBlocks layout = windows.windowed("/file", dealt(128 << 20), true);
        for (int block = 0; block < BLOCKS; block++) {
            readInto(layout, block * (128L << 20));
        }
        Random random = new Random(1);
        return LongStream.generate(() -> (long) (random.nextDouble() * layout.getFileLength()))
                .limit(8000)
                .filter(offset -> pread(layout, offset) == order)
                .count();
    }

    @Test
    void randomReads_ofAFileAsLongAsItsTrail_soonComeFromTheReplicaNodes() throws IOException {
        configured("foresight.client.window.trail", "1g");
        assertThat(readAtRandom(Order.REPLICA_NODE_FIRST)).isGreaterThan(7200);
    }

    @Test
    void randomReads_ofAFileLongerThanItsTrail_soonMoveNoWindow() {
        assertThat(readAtRandom(Order.REPLICA_NODE_LAST)).isLessThan(200);
    }

    @Test
    void windowsOfBlocks_stayWhenMoreOfTheLayoutIsKnown() {
        LocatedBlocks all = dealt(BLOCK_BYTES);
        LocatedBlocks begin = new LocatedBlocks(
                all.getFileLength(), false, all.getLocatedBlocks().subList(0, 4), all.get(7), true, null, null);
        LocatedBlocks layout = windows.windowed("/file", begin, true);
        readInto(layout, 0);
        readInto(layout, 6 * OBJECT);

        LocatedBlocks rest = new LocatedBlocks(
                all.getFileLength(), false, all.getLocatedBlocks().subList(4, 8), all.get(7), true, null, null);
        windows.windowed("/file", rest, false);

        assertThat(pread(layout, 0)).as("on the trail").isEqualTo(Order.REPLICA_NODE_FIRST);
    }

    @Test
    void windowsOfBlocks_areReleasedWithTheFile() throws IOException {
        configured("foresight.client.files.max", "1");
        LocatedBlocks layout = windows.windowed("/file", dealt(BLOCK_BYTES), true);
        readInto(layout, 0);
        FakeDataNode chosen = chosen(layout.get(0));

        for (int other = 0; other < 3; other++) {
            windows.windowed("/other" + other, dealt(BLOCK_BYTES), true);
        }

        await().until(() -> !chosen.requests(OpType.RELEASE).isEmpty());
    }

    @Test
    void longReadsInSequence_inWindowsOfBlocks_areLeftToHintsOfParts() {
        LocatedBlocks layout = windows.windowed("/file", dealt(128 << 20), true);
        assertThat(FileWindows.serveSequences(layout)).isFalse();
        int piece = 1 << 20;
        for (int i = 0; i < 200; i++) {
            Order order = pread(layout, (long) i * piece, piece);
            if (i >= 4) {
                assertThat(order).as("piece %d", i).isEqualTo(Order.STOCK);
            }
        }
    }

    @Test
    void layout_withOneReplicaOfABlock_hasWindowsForTheOthers() {
        List<LocatedBlock> blocks = new ArrayList<>(layout(0, BLOCKS, 1).getLocatedBlocks());
        LocatedBlock single = new LocatedBlock(blocks.get(3).getBlock(), new DatanodeInfo[] {replicaNode.info()});
        single.setStartOffset(3 * BLOCK_BYTES);
        blocks.set(3, single);
        LocatedBlocks layout = windows.windowed(
                "/file",
                new LocatedBlocks(BLOCKS * BLOCK_BYTES, false, blocks, blocks.get(BLOCKS - 1), true, null, null),
                true);
        assertThat(pread(layout, 0)).isEqualTo(Order.REPLICA_NODE_LAST);
        assertThat(pread(layout, 3 * BLOCK_BYTES)).isEqualTo(Order.STOCK);
    }
}

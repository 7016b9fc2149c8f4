/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.hint.BlockPart;
import io.github.foresight.client.hint.FakeDataNode;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.client.window.WindowedBlock.Order;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From a random read to the order of its block's locations, and to the replica node's window. */
class FileWindowsTest {

    private static final String POOL = "BP-1";
    private static final long OBJECT = 128 << 10;
    private static final long BLOCK_BYTES = 1 << 20;
    private static final int BLOCKS = 8;

    private final Configuration conf = new Configuration();
    private final List<FakeDataNode> originals = new ArrayList<>();
    private FakeDataNode replicaNode;
    private HintSender sender;
    private FileWindows windows;

    @BeforeEach
    void begin() throws IOException {
        for (int i = 0; i < 2; i++) {
            originals.add(FakeDataNode.start("original" + i));
        }
        replicaNode = FakeDataNode.start("replica-node");
        configured("foresight.client.window.enabled", "true");
    }

    private void configured(String key, String value) throws IOException {
        conf.set(key, value);
        if (sender != null) {
            sender.close();
        }
        ClientSettings settings = ClientSettings.read(conf);
        sender = new HintSender(settings, conf, UserGroupInformation.getCurrentUser());
        windows = new FileWindows(settings, sender);
    }

    @AfterEach
    void end() {
        sender.close();
        originals.forEach(FakeDataNode::close);
        replicaNode.close();
    }

    /** Each block's original first, the replica node second. */
    private LocatedBlocks layout(int from, int to, long stamp) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = from; i < to; i++) {
            DatanodeInfo[] nodes = {originals.get(i % 2).info(), replicaNode.info()};
            StorageType[] types = {StorageType.DISK, StorageType.SSD};
            LocatedBlock block = new LocatedBlock(
                    new ExtendedBlock(POOL, 100 + i, BLOCK_BYTES, stamp), nodes, new String[] {"a", "b"}, types);
            block.setStartOffset(i * BLOCK_BYTES);
            blocks.add(block);
        }
        return new LocatedBlocks(BLOCKS * BLOCK_BYTES, false, blocks, blocks.get(blocks.size() - 1), true, null, null);
    }

    private LocatedBlocks opened() {
        return windows.windowed("/file", layout(0, BLOCKS, 1), true);
    }

    private static WindowedBlock blockAt(LocatedBlocks layout, long offset) {
        LocatedBlock block = layout.get(layout.findBlock(offset));
        assertThat(block).isInstanceOf(WindowedBlock.class);
        return (WindowedBlock) block;
    }

    /** Where a read goes; HDFS's stack is not there, so the test gives the kind of the read. */
    private Order turn(LocatedBlocks layout, long offset, BlockLookup.Kind kind) {
        FileWindow window = Objects.requireNonNull(windows.known("/file"));
        return window.recordBlockRead(blockAt(layout, offset), offset, kind);
    }

    private Order pread(LocatedBlocks layout, long offset) {
        return turn(layout, offset, BlockLookup.Kind.POSITIONED);
    }

    private void awaitRequests(int count) {
        await().until(() -> replicaNode.requests(OpType.WINDOW).size() == count);
    }

    /** Reads until the replica node is known to have taken a window. */
    private void readInto(LocatedBlocks layout, long offset) {
        pread(layout, offset);
        await().until(() -> pread(layout, offset) == Order.REPLICA_NODE_FIRST);
    }

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
    void part_ofABlockWithAWindow_beginsWithItsReplica_andHasAWindow() {
        BlockPart part = blockAt(opened(), 0).part(1, BLOCK_BYTES / 2);

        assertThat(part).isInstanceOf(WindowedBlock.class);
        assertThat(part.getBlockSize()).isEqualTo(BLOCK_BYTES / 2);
        assertThat(part.getLocations()[0].getDatanodeUuid())
                .isEqualTo(replicaNode.info().getDatanodeUuid());
        assertThat(part.getStorageIDs()).containsExactly("b", "a");
        assertThat(part.getStorageTypes()).containsExactly(StorageType.SSD, StorageType.DISK);
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

    /** A read from an offset, with its length as the builder that HDFS asks when it opens the block learns it. */
    private Order pread(LocatedBlocks layout, long offset, long length) {
        WindowedBlock block = blockAt(layout, offset);
        Order order = pread(layout, offset);
        Objects.requireNonNull(BlockLookup.current()).decide(block, BlockLookup.Kind.POSITIONED, order);
        BlockLookup.opened(block.getBlock().getBlockId(), offset - block.getStartOffset() + length);
        return order;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.Installation;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Read-ahead on real daemons: it happens, it stays within its bounds, and no fault reaches a reader. */
final class ReadAheadIT {

    private static final long BUDGET = 64 << 20;

    private static TestCluster cluster;
    private static FileSystem stock;

    private FileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "read-ahead",
                3,
                Map.of(
                        "foresight.datanode.cache.capacity", String.valueOf(BUDGET),
                        "foresight.datanode.cache.retry.time", "1s",
                        "foresight.datanode.cache.idle.time", "2s",
                        "foresight.datanode.sessions.idle.time", "3s",
                        "foresight.datanode.hint.rate", "100",
                        "foresight.datanode.hint.burst", "200"),
                Map.of("dfs.client.socket-timeout", "10000"));
        stock = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    @BeforeEach
    void client() throws Exception {
        fs = cluster.foresightClient();
    }

    @Test
    void sequentialRead_isPrefetchedAndUsed() throws Exception {
        long written = write(stock, "/sequential", 12, (short) 1);
        cluster.coolDown();
        long prefetched = cluster.metric("PrefetchedBytes");
        long used = cluster.metric("UsedBytes");

        assertThat(read(fs, "/sequential")).isEqualTo(written);

        eventually(() -> {
            assertThat(cluster.metric("PrefetchedBytes") - prefetched).isGreaterThan(4L * BLOCK);
            assertThat(cluster.metric("UsedBytes") - used).isGreaterThan(4L * BLOCK);
        });
    }

    @Test
    void positionedReads_hintNothing() throws Exception {
        write(stock, "/positioned", 6, (short) 1);
        eventually(() -> assertThat(cluster.lockedBytes())
                .as("what other tests had prefetched is given up")
                .containsOnly(0L));
        long hints = cluster.metric("Hints");
        byte[] buffer = new byte[16 << 10];
        Random random = new Random(7);
        try (FSDataInputStream in = fs.open(new Path("/positioned"))) {
            for (int i = 0; i < 200; i++) {
                in.readFully((long) (random.nextDouble() * (6L * BLOCK - buffer.length - 1)), buffer);
            }
            for (int block = 1; block < 6; block++) {
                in.readFully((long) block * BLOCK - buffer.length / 2, buffer);
                in.readFully((long) block * BLOCK - buffer.length, buffer);
            }
        }

        assertThat(cluster.lockedBytes()).containsOnly(0L);
        write(stock, "/fence", 2, (short) 1);
        read(fs, "/fence");
        eventually(() -> assertThat(cluster.metric("Hints")).isGreaterThan(hints));
        assertThat(cluster.metric("Hints") - hints)
                .as("only the fence file's hints have come")
                .isLessThan(30);
    }

    @Test
    void lockedMemory_underTenTimesTheBudget_staysWithinItAndReturnsToZero() throws Exception {
        int files = 6;
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            written.add(write(stock, "/locked" + i, 40, (short) 1));
        }
        cluster.coolDown();
        long before = cluster.metric("PrefetchedBytes");
        AtomicLong highest = new AtomicLong();
        AtomicBoolean reading = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(files + 1);
        Future<?> watcher = threads.submit(() -> {
            while (reading.get()) {
                for (long locked : cluster.lockedBytes()) {
                    highest.accumulateAndGet(locked, Math::max);
                }
            }
            return null;
        });
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            String path = "/locked" + i;
            readers.add(threads.submit(() -> read(fs, path)));
        }
        for (int i = 0; i < files; i++) {
            assertThat(readers.get(i).get()).isEqualTo(written.get(i));
        }
        reading.set(false);
        watcher.get();
        threads.shutdown();

        eventually(() -> assertThat(cluster.metric("PrefetchedBytes") - before).isGreaterThan(10 * BUDGET));
        assertThat(highest.get()).isPositive().isLessThanOrEqualTo(BUDGET);
        eventually(() -> assertThat(cluster.lockedBytes()).containsOnly(0L));
    }

    @Test
    void killedDataNode_inTheMiddleOfHintedReads_everyReaderFinishesWithTheRightBytes() throws Exception {
        int files = 4;
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            written.add(write(stock, "/killed" + i, 12, (short) 2));
        }
        ExecutorService threads = Executors.newFixedThreadPool(files);
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            String path = "/killed" + i;
            boolean kills = i == 0;
            readers.add(threads.submit(() -> read(fs, path, 2L * BLOCK, () -> {
                if (kills) {
                    cluster.processes().dataNodes().get(1).kill();
                }
            })));
        }
        try {
            for (int i = 0; i < files; i++) {
                assertThat(readers.get(i).get()).isEqualTo(written.get(i));
            }
        } finally {
            threads.shutdown();
            cluster.processes().restartDataNode(1, cluster.dataNodeInstallation());
        }
    }

    @Test
    void volumeThatDies_inTheMiddleOfAHintedRead_isLeftAndTheDataNodeStaysUp() throws Exception {
        java.nio.file.Path folder = cluster.processes().workDir().resolve("datanode0");
        java.nio.file.Path doomed = folder.resolve("doomed");
        cluster.processes()
                .restartDataNode(
                        0,
                        cluster.dataNodeInstallation()
                                // HDFS writes no replica of an ordinary file to an archive volume.
                                .with(
                                        "dfs.datanode.data.dir",
                                        "[ARCHIVE]" + folder.resolve("data").toUri() + "," + doomed.toUri())
                                .with("dfs.datanode.failed.volumes.tolerated", "1")
                                .with("dfs.datanode.disk.check.min.gap", "0s")
                                .with("foresight.datanode.cache.idle.time", "20s"));
        try {
            long written = write(stock, "/doomed", 48, (short) 2);
            cluster.coolDown();
            long givenUp = cluster.metric(0, "InvalidatedBlocks");

            // Only the doomed volume has blocks of this file on this DataNode.
            assertThat(read(fs, "/doomed", bytes -> cluster.lockedBytes().get(0) > 0, () -> {
                        FileUtils.deleteDirectory(doomed.toFile());
                        Files.createFile(doomed);
                    }))
                    .isEqualTo(written);

            Daemon dataNode = cluster.processes().dataNodes().get(0);
            assertThat(dataNode.isAlive()).isTrue();
            eventually(() -> assertThat(dataNode.bean("Hadoop:service=DataNode,name=FSDatasetState")
                            .path("NumFailedVolumes")
                            .asInt())
                    .isEqualTo(1));
            eventually(() -> assertThat(cluster.metric(0, "InvalidatedBlocks")).isGreaterThan(givenUp));
            assertThat(read(fs, "/doomed")).isEqualTo(written);
            assertThat(cluster.metric("InternalErrors")).isZero();
            eventually(() -> assertThat(cluster.lockedBytes()).containsOnly(0L));
        } finally {
            cluster.processes().restartDataNode(0, cluster.dataNodeInstallation());
        }
    }

    @Test
    void dataNodeWithoutForesight_isReadAsEver() throws Exception {
        cluster.processes().restartDataNode(2, Installation.STOCK);
        try {
            long written = write(stock, "/mixed", 9, (short) 1);
            assertThat(read(fs, "/mixed")).isEqualTo(written);
        } finally {
            cluster.processes().restartDataNode(2, cluster.dataNodeInstallation());
        }
    }

    @Test
    void deletedFile_whileHinted_givesItsMemoryBack() throws Exception {
        write(stock, "/deleted", 8, (short) 1);
        try (FSDataInputStream in = fs.open(new Path("/deleted"))) {
            in.readFully(new byte[BLOCK + BLOCK / 2]);
            stock.delete(new Path("/deleted"), false);
            eventually(() -> assertThat(cluster.lockedBytes()).containsOnly(0L));
        }
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    @Test
    void appendedBlock_isReadWithItsNewBytes() throws Exception {
        write(stock, "/appended", 3, (short) 1);
        byte[] half = new byte[BLOCK / 2];
        try (OutputStream out = stock.append(new Path("/appended"))) {
            out.write(half);
        }
        long first = read(fs, "/appended");
        try (OutputStream out = fs.append(new Path("/appended"))) {
            out.write(half);
        }
        long second = read(fs, "/appended");

        assertThat(second).isNotEqualTo(first).isEqualTo(read(stock, "/appended"));
    }

    @Test
    void hintsThatAreWrong_areRefusedByReason() throws Exception {
        write(stock, "/refused", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/refused").get(0);
        HintProtocolPB node = cluster.hintProxy(cluster.nodeOf(block));

        assertThat(reasons(node.hint(null, HintRequestProto.getDefaultInstance())))
                .containsExactly(Reason.MALFORMED);
        assertThat(reasons(node.hint(null, hint(block, 1, 0)))).containsExactly(Reason.NO_REPLICA);
        assertThat(reasons(node.hint(null, hint(block, 0, 1)))).containsExactly(Reason.STALE);
        assertThat(node.hint(null, hint(block, 0, 0)).getAccepted()).isEqualTo(1);
    }

    @Test
    void tenThousandHints_fromOneClient_areLimitedAndTheDataNodeStaysUp() throws Exception {
        write(stock, "/flood", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/flood").get(0);
        int node = cluster.nodeOf(block);
        HintProtocolPB proxy = cluster.hintProxy(node);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            HintRequestProto request =
                    hint(block, 0, 0).toBuilder().setFileId(i).build();
            refused += reasons(proxy.hint(null, request)).contains(Reason.RATE_LIMITED) ? 1 : 0;
        }

        assertThat(refused).isPositive();
        assertThat(cluster.processes().dataNodes().get(node).isAlive()).isTrue();
        int counted = refused;
        eventually(() -> assertThat(cluster.metric(node, "RefusedRateLimited")).isGreaterThanOrEqualTo(counted));
        assertThat(read(stock, "/flood")).isEqualTo(read(fs, "/flood"));
    }

    @Test
    void garbageOnTheRpcPort_leavesTheDataNodeUp() throws Exception {
        byte[] garbage = new byte[64 << 10];
        new Random(3).nextBytes(garbage);
        byte[][] beginnings = {{}, {'h', 'r', 'p', 'c', 9, 0, 0}};
        for (byte[] beginning : beginnings) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), cluster.processes().ipcPort(0))) {
                OutputStream out = socket.getOutputStream();
                out.write(beginning);
                out.write(garbage);
                out.flush();
                socket.shutdownOutput();
                socket.setSoTimeout(10_000);
                assertThat(socket.getInputStream().readAllBytes()).isNotNull();
            } catch (java.net.SocketException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        }

        assertThat(cluster.hintProxy(0)
                        .hint(null, HintRequestProto.getDefaultInstance())
                        .getRefusalsCount())
                .isEqualTo(1);
    }

    private static List<Reason> reasons(HintResponseProto response) {
        return response.getRefusalsList().stream().map(RefusalProto::getReason).toList();
    }

    private static HintRequestProto hint(LocatedBlock block, long otherId, long otherStamp) {
        return HintRequestProto.newBuilder()
                .setOpType(OpType.HINT)
                .setClientId(1)
                .setFileId(2)
                .setBlockPoolId(block.getBlock().getBlockPoolId())
                .setBlockNum(1)
                .addBlocks(HintedBlockProto.newBuilder()
                        .setBlockId(block.getBlock().getBlockId() + 1_000_000 * otherId)
                        .setGenerationStamp(block.getBlock().getGenerationStamp() + otherStamp)
                        .setOffset(0)
                        .setLength(block.getBlockSize()))
                .build();
    }
}

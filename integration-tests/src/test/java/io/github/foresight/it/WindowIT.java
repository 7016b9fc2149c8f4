/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.blocks;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.client.ClientCounters;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Random reads of a file. One node holds all blocks, and the other nodes hold the blocks in turn. */
final class WindowIT {

    private static final int REPLICA_NODE = 0;
    private static final int BLOCKS = 5;
    private static final int READ = 16 << 10;
    private static final int OBJECT = 128 << 10;

    /** The client's count of internal errors before the test. */
    private long errors;

    private static TestCluster cluster;
    private static DistributedFileSystem stock;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "window",
                3,
                Map.of(
                        "foresight.datanode.sessions.idle.time",
                        "2s",
                        "dfs.block.local-path-access.user",
                        UserGroupInformation.getCurrentUser().getShortUserName()),
                Map.of("dfs.client.socket-timeout", "10000"));
        stock = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    @BeforeEach
    void countErrorsBefore() {
        errors = ClientCounters.value("InternalErrors");
    }

    private static InetSocketAddress address(int node) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), cluster.processes().dataPort(node));
    }

    /** Writes a file block by block. Each block has a replica on the replica node and a replica on another node. Returns the file's bytes. */
    private static byte[] writeOrthogonally(String path) throws IOException {
        byte[] content = new byte[BLOCKS * BLOCK];
        new Random(path.hashCode()).nextBytes(content);
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            Path part = new Path(i == 0 ? path : path + "-part" + i);
            InetSocketAddress[] nodes = {address(1 + i % 2), address(REPLICA_NODE)};
            try (OutputStream out =
                    stock.create(part, FsPermission.getFileDefault(), true, 1 << 20, (short) 2, BLOCK, null, nodes)) {
                out.write(content, i * BLOCK, BLOCK);
            }
            parts.add(part);
        }
        stock.concat(parts.get(0), parts.subList(1, BLOCKS).toArray(new Path[0]));
        eventually(() -> assertThat(blocks(stock, path)).hasSize(BLOCKS).allSatisfy(WindowIT::isOnTheReplicaNode));
        return content;
    }

    private static void isOnTheReplicaNode(LocatedBlock block) {
        assertThat(block.getLocations())
                .hasSize(2)
                .extracting(DatanodeInfo::getXferPort)
                .contains(cluster.processes().dataPort(REPLICA_NODE));
    }

    /** Reads at random offsets around a place that moves through the file. */
    private static void wander(FSDataInputStream in, byte[] content, int reads) throws IOException {
        Random random = new Random(3);
        byte[] buffer = new byte[READ];
        for (int i = 0; i < reads; i++) {
            long place = (long) i * content.length / reads;
            long offset = place + (long) ((random.nextDouble() - 0.5) * 4 * OBJECT);
            offset = Math.max(0, Math.min(content.length - READ, offset));
            in.readFully(offset, buffer);
            assertEqual(content, offset, buffer);
        }
    }

    private static void assertEqual(byte[] content, long offset, byte[] read) {
        int from = Math.toIntExact(offset);
        assertThat(Arrays.equals(read, 0, read.length, content, from, from + read.length))
                .as("bytes at %d", offset)
                .isTrue();
    }

    @Test
    void randomReads_aboutAPlace_areServedByTheReplicaNodeOnOneRequestEach() throws Exception {
        byte[] content = writeOrthogonally("/wandering");
        long hits = ClientCounters.value("WindowHits");
        long misses = ClientCounters.value("WindowMisses");
        long[] requests = requestsByNode();
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/wandering"))) {
            wander(in, content, 1500);
        }

        assertThat(ClientCounters.value("WindowHits") - hits).isGreaterThan(1000);
        assertThat(ClientCounters.value("WindowMisses") - misses).isBetween(1L, 300L);
        // A DataNode publishes the same values for a second.
        eventually(() -> assertThat(requestsByNode()[REPLICA_NODE]).isGreaterThan(requests[REPLICA_NODE]));
        long[] after = requestsByNode();
        assertThat(after[1]).isEqualTo(requests[1]);
        assertThat(after[2]).isEqualTo(requests[2]);
        assertThat(cluster.metric(REPLICA_NODE, "WindowReadBytes")).isPositive();
        assertThat(ClientCounters.value("InternalErrors")).isEqualTo(errors);
        eventually(() -> assertThat(cluster.metric(REPLICA_NODE, "Windows"))
                .as("windows of a client that has gone")
                .isZero());
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    /** As most files are: the replicas choose one among themselves, and it takes the window. */
    @Test
    void randomReads_ofAFileOfOneBlock_areServedByOneOfItsReplicas() throws Exception {
        byte[] content = new byte[9 << 20];
        new Random(5).nextBytes(content);
        Path file = new Path("/one-block");
        try (OutputStream out = stock.create(file, true, 1 << 20, (short) 3, 16 << 20)) {
            out.write(content);
        }
        eventually(() -> assertThat(blocks(stock, file.toString()))
                .singleElement()
                .satisfies(block -> assertThat(block.getLocations()).hasSize(3)));
        long hits = ClientCounters.value("WindowHits");
        long[] requests = requestsByNode();
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(file)) {
            wander(in, content, 1500);
        }

        // While a window moves, reads go to the other replicas. How many do depends on the machine.
        assertThat(ClientCounters.value("WindowHits") - hits).isGreaterThan(500);
        eventually(() -> {
            long[] after = requestsByNode();
            assertThat(IntStream.range(0, after.length).filter(node -> after[node] > requests[node]))
                    .as("DataNodes that were asked for a window")
                    .hasSize(1);
        });
        assertThat(ClientCounters.value("InternalErrors")).isEqualTo(errors);
    }

    private static long[] requestsByNode() throws IOException {
        long[] requests = new long[3];
        for (int node = 0; node < requests.length; node++) {
            requests[node] = cluster.metric(node, "WindowRequests");
        }
        return requests;
    }

    @Test
    void everyWayToReadAtRandom_givesTheRightBytes() throws Exception {
        byte[] content = writeOrthogonally("/ways");
        long misses = ClientCounters.value("WindowMisses");
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/ways"))) {
            Random random = new Random(5);
            byte[] buffer = new byte[READ];
            for (int i = 0; i < 100; i++) {
                int offset = random.nextInt(content.length - 4 * READ);
                in.seek(offset);
                in.readFully(buffer);
                assertEqual(content, offset, buffer);
                int overABlocksEnd = (1 + i % (BLOCKS - 1)) * BLOCK - READ / 3;
                in.readFully(overABlocksEnd, buffer);
                assertEqual(content, overABlocksEnd, buffer);
                List<FileRange> ranges = List.of(
                        FileRange.createFileRange(offset, READ), FileRange.createFileRange(offset + 3 * READ, READ));
                in.readVectored(ranges, ByteBuffer::allocate);
                for (FileRange range : ranges) {
                    assertEqual(
                            content, range.getOffset(), range.getData().get().array());
                }
            }
        }
        assertThat(ClientCounters.value("WindowMisses")).isGreaterThan(misses);
        assertThat(ClientCounters.value("InternalErrors")).isEqualTo(errors);
    }

    @Test
    void longReads_byPosition_areLeftToHdfs() throws Exception {
        byte[] content = writeOrthogonally("/long");
        long requests = ClientCounters.value("WindowRequests");
        long left = ClientCounters.value("WindowLongReads");
        byte[] buffer = new byte[BLOCK / 2];
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/long"))) {
            Random random = new Random(11);
            for (int i = 0; i < 50; i++) {
                int offset = random.nextInt(content.length - buffer.length);
                in.readFully(offset, buffer);
                assertEqual(content, offset, buffer);
            }
        }
        assertThat(ClientCounters.value("WindowLongReads") - left).isGreaterThan(40);
        assertThat(ClientCounters.value("WindowRequests") - requests).isLessThan(5);
    }

    @Test
    void hedgedReads_goOnAsEver() throws Exception {
        byte[] content = writeOrthogonally("/hedged");
        long hits = ClientCounters.value("WindowHits");
        try (FileSystem fs = cluster.foresightClientWith("dfs.client.hedged.read.threadpool.size", "4");
                FSDataInputStream in = fs.open(new Path("/hedged"))) {
            wander(in, content, 500);
        } finally {
            HedgedReads.switchOff();
        }
        assertThat(ClientCounters.value("WindowHits")).isGreaterThan(hits);
    }

    /** Uses short-circuit reads without libhadoop: the client opens the block's file itself. */
    @Test
    void shortCircuitReads_areServedFromTheReplicaNodesFiles() throws Exception {
        byte[] content = writeOrthogonally("/short-circuit");
        long hits = ClientCounters.value("WindowHits");
        long read = cluster.metric(REPLICA_NODE, "WindowReadBytes");
        // The JVM keeps the state of short-circuit reads for all clients with the same context name.
        Map<String, String> shortCircuit = Map.of(
                "dfs.client.context",
                "short-circuit",
                "dfs.client.read.shortcircuit",
                "true",
                "dfs.client.use.legacy.blockreader.local",
                "true");
        try (FileSystem fs = cluster.foresightClientWith(shortCircuit);
                FSDataInputStream in = fs.open(new Path("/short-circuit"))) {
            wander(in, content, 500);
            // HDFS may read some bytes twice after an error.
            ReadStatistics statistics = ((HdfsDataInputStream) in).getReadStatistics();
            assertThat(statistics.getTotalShortCircuitBytesRead())
                    .as("bytes read past the DataNodes")
                    .isGreaterThanOrEqualTo(500L * READ)
                    .isEqualTo(statistics.getTotalBytesRead());
        }
        assertThat(ClientCounters.value("WindowHits")).isGreaterThan(hits);
        eventually(() ->
                assertThat(cluster.metric(REPLICA_NODE, "WindowReadBytes")).isGreaterThan(read));
        assertThat(ClientCounters.value("InternalErrors")).isEqualTo(errors);
    }

    /** Short-circuit reads are configured, but the DataNodes have no socket. HDFS then uses TCP. */
    @Test
    void shortCircuitReads_thatCannotBeHad_leaveWindowsAsTheyAre() throws Exception {
        byte[] content = writeOrthogonally("/no-socket");
        long hits = ClientCounters.value("WindowHits");
        Map<String, String> shortCircuit = Map.of(
                "dfs.client.context",
                "no-socket",
                "dfs.client.read.shortcircuit",
                "true",
                "dfs.domain.socket.path",
                "/no/such/socket");
        try (FileSystem fs = cluster.foresightClientWith(shortCircuit);
                FSDataInputStream in = fs.open(new Path("/no-socket"))) {
            wander(in, content, 300);
            assertThat(((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead())
                    .isZero();
        }
        assertThat(ClientCounters.value("WindowHits")).isGreaterThan(hits);
        assertThat(ClientCounters.value("InternalErrors")).isEqualTo(errors);
    }

    @Test
    void sequentialStream_isLeftToHints() throws Exception {
        byte[] content = writeOrthogonally("/streamed");
        long windows = ClientCounters.value("WindowMisses");
        long streamed = ClientCounters.value("StreamedTurns");
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/streamed"))) {
            byte[] all = new byte[content.length];
            in.readFully(all);
            assertEqual(content, 0, all);
        }
        assertThat(ClientCounters.value("WindowMisses")).isEqualTo(windows);
        assertThat(ClientCounters.value("StreamedTurns") - streamed).isGreaterThanOrEqualTo(BLOCKS);
    }

    @Test
    void windowsSwitchedOff_requestNothing() throws Exception {
        byte[] content = writeOrthogonally("/off");
        long requests = ClientCounters.value("WindowRequests");
        long misses = ClientCounters.value("WindowMisses");
        try (FileSystem fs = cluster.foresightClientWith("foresight.client.window.enabled", "false");
                FSDataInputStream in = fs.open(new Path("/off"))) {
            wander(in, content, 100);
        }
        assertThat(ClientCounters.value("WindowRequests")).isEqualTo(requests);
        assertThat(ClientCounters.value("WindowMisses")).isEqualTo(misses);
    }

    @Test
    void replicaNodeKilled_readsGoOnFromTheOriginals() throws Exception {
        byte[] content = writeOrthogonally("/killed");
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/killed"))) {
            long hits = ClientCounters.value("WindowHits");
            wander(in, content, 300);
            assertThat(ClientCounters.value("WindowHits")).isGreaterThan(hits);
            cluster.processes().dataNodes().get(REPLICA_NODE).kill();
            byte[] buffer = new byte[READ];
            long slowestMillis = 0;
            Random random = new Random(9);
            for (int i = 0; i < 300; i++) {
                int offset = random.nextInt(content.length - READ);
                long begin = System.nanoTime();
                in.readFully(offset, buffer);
                slowestMillis = Math.max(slowestMillis, (System.nanoTime() - begin) / 1_000_000);
                assertEqual(content, offset, buffer);
            }
            assertThat(slowestMillis).as("no read waited for a time-out").isLessThan(10_000);
        } finally {
            cluster.processes().restartDataNode(REPLICA_NODE, cluster.dataNodeInstallation());
        }
    }
}

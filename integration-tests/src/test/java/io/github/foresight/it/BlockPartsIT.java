/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks that one reader reads in parts, from all of their replicas. */
final class BlockPartsIT {

    private static final int DATA_NODES = 3;
    private static final short ALL = DATA_NODES;

    private static TestCluster cluster;
    private static FileSystem stock;

    private FileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "block-parts",
                DATA_NODES,
                Map.of("foresight.datanode.cache.idle.time", "2s", "foresight.datanode.sessions.idle.time", "3s"),
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
        fs = cluster.foresightClientWith(
                Map.of("foresight.client.hint.part.min", "2m", "foresight.client.hint.evidence", "512k"));
    }

    /** Writes a file and waits until the NameNode knows all of its replicas. */
    private static long written(String path, int blocks) throws Exception {
        long crc = write(stock, path, blocks, ALL);
        eventually(() -> assertThat(TestCluster.blocks(stock, path))
                .allMatch(block -> block.getLocations().length == DATA_NODES));
        return crc;
    }

    /** The bytes of data that each DataNode has served since; HDFS counts four bytes of checksum for each 512. */
    private static List<Long> servedSince(List<Long> before) throws Exception {
        return since(before, cluster.bytesRead()).stream()
                .map(bytes -> bytes * 512 / 516)
                .toList();
    }

    private static List<Long> prefetched() throws Exception {
        List<Long> bytes = new ArrayList<>();
        for (int node = 0; node < DATA_NODES; node++) {
            bytes.add(cluster.metric(node, "PrefetchedBytes"));
        }
        return bytes;
    }

    private static List<Long> since(List<Long> before, List<Long> now) {
        return IntStream.range(0, before.size())
                .mapToObj(i -> now.get(i) - before.get(i))
                .toList();
    }

    @Test
    void fileOfOneBlock_comesFromAllItsReplicas_andIsReadFromDiskOnce() throws Exception {
        long written = written("/one", 1);
        cluster.coolDown();
        List<Long> servedBefore = cluster.settledBytesRead();
        List<Long> prefetchedBefore = prefetched();

        assertThat(read(fs, "/one")).isEqualTo(written);

        eventually(() -> assertThat(servedSince(servedBefore))
                .as("8 MiB in parts of 3, 3 and 2 MiB")
                .containsExactlyInAnyOrder(3L << 20, 3L << 20, 2L << 20));
        assertThat(since(prefetchedBefore, prefetched()))
                .as("each DataNode prefetches no more than its part")
                .allMatch(bytes -> bytes <= 3 << 20);
    }

    @Test
    void fileOfSeveralBlocks_isPrefetchedInParts() throws Exception {
        long written = written("/several", 6);
        cluster.coolDown();
        List<Long> before = prefetched();

        // A reader that did not wait could be done before a DataNode has its first hint.
        assertThat(read(
                        fs,
                        "/several",
                        4 << 20,
                        () -> eventually(
                                () -> assertThat(since(before, prefetched())).allMatch(bytes -> bytes > BLOCK / 2))))
                .isEqualTo(written);

        assertThat(since(before, prefetched()).stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isLessThanOrEqualTo(6L * BLOCK);
    }

    @Test
    void seeksAndReadsByPosition_overAllParts_giveTheBytesOfStockHdfs() throws Exception {
        written("/positions", 3);
        Random random = new Random(11);
        byte[] ours = new byte[1 << 20];
        byte[] theirs = new byte[1 << 20];
        try (FSDataInputStream in = fs.open(new Path("/positions"));
                FSDataInputStream expected = stock.open(new Path("/positions"))) {
            for (int i = 0; i < 120; i++) {
                int length = 1 + random.nextInt(ours.length);
                long position = (long) (random.nextDouble() * (3L * BLOCK - length));
                if (i % 2 == 0) {
                    in.readFully(position, ours, 0, length);
                } else {
                    in.seek(position);
                    in.readFully(ours, 0, length);
                    assertThat(in.getPos()).isEqualTo(position + length);
                }
                expected.readFully(position, theirs, 0, length);
                assertThat(ours).as("%s bytes at %s", length, position).startsWith(Arrays.copyOf(theirs, length));
            }
        }
    }

    @Test
    void oneStream_readByManyThreadsAtAllPositions_givesTheBytesOfStockHdfs() throws Exception {
        assertManyThreads(fs, "/threads");
    }

    @Test
    void oneStream_withHedgedReads_givesTheBytesOfStockHdfs() throws Exception {
        assertManyThreads(
                cluster.foresightClientWith(Map.of(
                        "foresight.client.hint.part.min", "2m",
                        "dfs.client.hedged.read.threadpool.size", "4",
                        "dfs.client.hedged.read.threshold.millis", "1")),
                "/hedged");
    }

    /** Three threads read by position, while one reads the same stream from front to back. */
    private static void assertManyThreads(FileSystem client, String path) throws Exception {
        long crc = written(path, 4);
        byte[] content = new byte[4 * BLOCK];
        try (FSDataInputStream in = stock.open(new Path(path))) {
            in.readFully(content);
        }
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (FSDataInputStream in = client.open(new Path(path))) {
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                Random random = new Random(reader);
                readers.add(threads.submit(() -> {
                    for (int i = 0; i < 150; i++) {
                        byte[] bytes = new byte[1 + random.nextInt(512 << 10)];
                        int position = random.nextInt(content.length - bytes.length);
                        in.readFully(position, bytes);
                        assertThat(Arrays.equals(bytes, 0, bytes.length, content, position, position + bytes.length))
                                .as("%s bytes at %s", bytes.length, position)
                                .isTrue();
                    }
                    return null;
                }));
            }
            CRC32C streamed = new CRC32C();
            byte[] buffer = new byte[64 << 10];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                streamed.update(buffer, 0, n);
            }
            assertThat(streamed.getValue()).isEqualTo(crc);
            for (Future<?> reader : readers) {
                reader.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void corruptReplica_ofAPart_isReadElsewhere() throws Exception {
        long crc = written("/corrupt", 1);
        cluster.corruptReplica(0, TestCluster.blocks(stock, "/corrupt").get(0));

        assertThat(read(fs, "/corrupt")).isEqualTo(crc);
    }

    @Test
    void listOfAStreamsBlocks_hasWholeBlocks() throws Exception {
        written("/listed", 3);
        for (int opens = 0; opens < 2; opens++) {
            try (FSDataInputStream in = fs.open(new Path("/listed"))) {
                in.readFully(new byte[5 << 20]);
                List<LocatedBlock> blocks = ((HdfsDataInputStream) in).getAllBlocks();
                assertThat(blocks)
                        .extracting(LocatedBlock::getBlockSize)
                        .containsExactly((long) BLOCK, (long) BLOCK, (long) BLOCK);
                assertThat(blocks)
                        .extracting(LocatedBlock::getStartOffset)
                        .containsExactly(0L, (long) BLOCK, 2L * BLOCK);
                in.readFully(new byte[5 << 20]);
                assertThat(in.getPos()).isEqualTo(10 << 20);
            }
        }
    }

    @Test
    void killedDataNode_inTheMiddleOfAPart_readersFinishWithTheRightBytes() throws Exception {
        long written = written("/killed", 8);
        cluster.coolDown();
        try {
            assertThat(read(fs, "/killed", 4L << 20, () -> cluster.processes()
                            .dataNodes()
                            .get(1)
                            .kill()))
                    .isEqualTo(written);
            assertThat(read(fs, "/killed"))
                    .as("opened again, with a dead replica")
                    .isEqualTo(written);
        } finally {
            cluster.processes().restartDataNode(1, cluster.dataNodeInstallation());
        }
    }

    @Test
    void switchedOff_aBlockComesFromOneReplica() throws Exception {
        FileSystem whole = cluster.foresightClientWith("foresight.client.hint.part.replicas", "1");
        long written = written("/whole", 1);
        List<Long> before = cluster.settledBytesRead();

        assertThat(read(whole, "/whole")).isEqualTo(written);

        eventually(() -> assertThat(servedSince(before)).containsExactlyInAnyOrder(0L, 0L, (long) BLOCK));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.client.metrics.ClientMetrics;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The NameNode learns an order of opens and returns predicted files to clients. The clients then open the predicted files without a call to the
 * NameNode.
 */
final class PrefetchGroupIT {

    private static final int FILES = 200;

    private static TestCluster cluster;
    private static FileSystem stock;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start("prefetch-group", 2, Map.of(), Map.of(), Map.of("dfs.replication", "1"));
        stock = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    private static List<Path> files(String folder, int count) throws Exception {
        List<Path> paths = new ArrayList<>();
        Random random = new Random(folder.hashCode());
        for (int i = 0; i < count; i++) {
            Path path = new Path(folder, "f" + Long.toHexString(random.nextLong() | Long.MIN_VALUE) + "x");
            write(path);
            paths.add(path);
        }
        return paths;
    }

    private static void write(Path path) throws Exception {
        try (FSDataOutputStream out = stock.create(path)) {
            out.write(path.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void readAll(FileSystem fs, List<Path> paths) throws Exception {
        for (Path path : paths) {
            try (InputStream in = fs.open(path)) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(path.toString());
            }
        }
    }

    @Test
    void orderSeenBefore_isOpenedWithAFractionOfTheRoundTrips() throws Exception {
        List<Path> order = files("/order", FILES);
        try (FileSystem first = cluster.foresightClient()) {
            readAll(first, order);
        }
        long before = cluster.opensAtNameNode();
        try (FileSystem second = cluster.foresightClient()) {
            readAll(second, order);
        }
        assertThat(cluster.opensAtNameNode() - before).isLessThan(FILES * 3 / 10);
        assertThat(cluster.nameNodeMetric("Returned")).isGreaterThan(FILES / 2);
        eventually(() -> assertThat(cluster.nameNodeMetric("Hits")).isGreaterThan(FILES / 2));
    }

    @Test
    void stockClient_noticesNothingAndIsLearnedFrom() throws Exception {
        List<Path> order = files("/stock", 50);
        readAll(stock, order);
        long before = cluster.opensAtNameNode();
        readAll(stock, order);
        assertThat(cluster.opensAtNameNode() - before).isEqualTo(order.size());
        try (FileSystem foresight = cluster.foresightClient()) {
            long opens = cluster.opensAtNameNode();
            readAll(foresight, order);
            assertThat(cluster.opensAtNameNode() - opens).isLessThan(order.size() / 2);
        }
    }

    @Test
    void numberedFiles_neverSeenBefore_areOpenedAhead() throws Exception {
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Path part = new Path(String.format("/job/part-%05d", i));
            write(part);
            parts.add(part);
        }
        long before = cluster.opensAtNameNode();
        try (FileSystem fs = cluster.foresightClient()) {
            readAll(fs, parts);
        }
        assertThat(cluster.opensAtNameNode() - before).isLessThanOrEqualTo(parts.size() / 2);
        eventually(() -> assertThat(cluster.nameNodeMetric("Siblings")).isPositive());
    }

    @Test
    void predictedColumnarFiles_areHintedWithTheirFooters() throws Exception {
        assertThat(partsOfEachWarmedFile("/rows", "0")).isEqualTo(1);
        assertThat(partsOfEachWarmedFile("/columns", "64k")).isEqualTo(2);
    }

    /** Opens numbered files of two blocks. Returns how many parts of each predicted file were hinted. */
    private static long partsOfEachWarmedFile(String folder, String footer) throws Exception {
        ClientMetrics metrics = ClientMetrics.INSTANCE;
        long warmedBefore = metrics.filesWarmed.value();
        long toldBefore = partsToldOf(metrics);
        int blockBytes = 128 << 10;
        try (FileSystem fs = cluster.foresightClientWith(Map.of(
                "foresight.client.hint.enabled", "false",
                "foresight.client.data.wait", "0",
                "foresight.client.data.footer", footer))) {
            for (int i = 0; i < 20; i++) {
                try (FSDataOutputStream out = stock.create(part(folder, i), true, 4096, (short) 1, blockBytes)) {
                    out.write(new byte[2 * blockBytes]);
                }
            }
            for (int i = 0; i < 20; i++) {
                try (InputStream in = fs.open(part(folder, i))) {
                    assertThat(in.read()).isZero();
                }
            }
            eventually(() -> {
                long warmed = metrics.filesWarmed.value() - warmedBefore;
                assertThat(warmed).isPositive();
                assertThat((partsToldOf(metrics) - toldBefore) % warmed)
                        .as("%d parts of %d files", partsToldOf(metrics) - toldBefore, warmed)
                        .isZero();
            });
            return (partsToldOf(metrics) - toldBefore) / (metrics.filesWarmed.value() - warmedBefore);
        }
    }

    /** The warmed begin of such a file gives way to its reader's hint. If it did not, the rest of the block would not be prefetched. */
    @Test
    void predictedFileOfOneLongBlock_readToItsEnd_isPrefetchedToItsEnd() throws Exception {
        int files = 8;
        long[] written = new long[files];
        for (int i = 0; i < files; i++) {
            written[i] = TestCluster.write(stock, part("/long", i).toString(), 1, (short) 1);
        }
        cluster.coolDown();
        ClientMetrics metrics = ClientMetrics.INSTANCE;
        long warmedBefore = metrics.filesWarmed.value();
        try (FileSystem fs = cluster.foresightClientWith(Map.of(
                "foresight.client.hint.min.bytes", "1m",
                "foresight.client.hint.evidence", "512k",
                "foresight.client.hint.part.replicas", "1",
                "foresight.client.data.wait", "0"))) {
            for (int i = 0; i < files - 1; i++) {
                try (InputStream in = fs.open(part("/long", i))) {
                    assertThat(in.read()).isNotNegative();
                }
            }
            eventually(() -> assertThat(metrics.filesWarmed.value() - warmedBefore)
                    .as("predicted files that were hinted")
                    .isGreaterThanOrEqualTo(files / 2));
            long hits = metrics.metadataHits.value();
            long before = cluster.hintedBytesInMemory();

            String last = part("/long", files - 1).toString();
            long read = TestCluster.read(
                    fs,
                    last,
                    BLOCK / 2,
                    () -> eventually(() -> assertThat(cluster.hintedBytesInMemory() - before)
                            .as("bytes after the warmed ones")
                            .isGreaterThanOrEqualTo(BLOCK - (512 << 10))));

            assertThat(read).isEqualTo(written[files - 1]);
            assertThat(metrics.metadataHits.value()).as("predicted").isGreaterThan(hits);
        }
    }

    private static long partsToldOf(ClientMetrics metrics) {
        return metrics.blocksAccepted.value() + metrics.blocksRefused.value();
    }

    private static Path part(String folder, int number) {
        return new Path(folder, String.format("part-%05d.parquet", number));
    }

    @Test
    void listedFiles_whereBundlesAreAskedFor_areOpenedWithoutARoundTrip() throws Exception {
        List<Path> files = files("/listed", 30);
        long before = cluster.opensAtNameNode();
        try (FileSystem fs = cluster.foresightClientWith("foresight.client.metadata.bundle.enabled", "true")) {
            assertThat(fs.listStatus(new Path("/listed"))).hasSize(files.size());
            readAll(fs, files);
        }
        assertThat(cluster.opensAtNameNode()).isEqualTo(before);
        eventually(() -> assertThat(cluster.nameNodeMetric("Bundled")).isGreaterThanOrEqualTo(files.size()));
    }

    @Test
    void fileThatIsOpenedAfterItsStatus_takesOneRoundTrip() throws Exception {
        List<Path> files = files("/stated", 60);
        long before = cluster.opensAtNameNode();
        try (FileSystem fs = cluster.foresightClient()) {
            for (Path file : files) {
                assertThat(fs.getFileStatus(file).getLen())
                        .isEqualTo(file.toString().length());
                readAll(fs, List.of(file));
            }
        }
        assertThat(cluster.opensAtNameNode() - before).isLessThan(10);
        eventually(() -> assertThat(cluster.nameNodeMetric("Stated")).isGreaterThanOrEqualTo(50));
    }

    @Test
    void ownChange_isSeenAtOnce() throws Exception {
        Path file = new Path("/own/f");
        write(file);
        try (FileSystem fs = cluster.foresightClient()) {
            readAll(fs, List.of(file));
            try (FSDataOutputStream out = fs.create(file, true)) {
                out.write(7);
            }
            try (InputStream in = fs.open(file)) {
                assertThat(in.readAllBytes()).containsExactly(7);
            }
            fs.delete(file, false);
            assertThatThrownBy(() -> fs.open(file)).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void consecutiveBlocks_areFirstLocatedOnDifferentDataNodes_forStockClientsToo() throws Exception {
        int blockBytes = 4096;
        Map<String, Integer> firsts = new HashMap<>();
        for (int file = 0; file < 25; file++) {
            Path path = new Path("/balanced/" + file);
            try (FSDataOutputStream out = stock.create(path, true, blockBytes, (short) 2, blockBytes)) {
                out.write(new byte[16 * blockBytes]);
            }
            eventually(() -> assertThat(TestCluster.blocks(stock, path.toString()))
                    .allMatch(block -> block.getLocations().length == 2));
        }
        for (int file = 0; file < 25; file++) {
            String last = "";
            for (LocatedBlock block : TestCluster.blocks(stock, "/balanced/" + file)) {
                String first = block.getLocations()[0].getDatanodeUuid();
                assertThat(first).isNotEqualTo(last);
                firsts.merge(first, 1, Integer::sum);
                last = first;
            }
        }
        assertThat(firsts.values()).containsExactly(200, 200);
    }

    @Test
    void featureOff_byConfigurationOfTheClient_asksTheNameNodeEachTime() throws Exception {
        List<Path> order = files("/off", 20);
        try (FileSystem fs = cluster.foresightClientWith("foresight.client.metadata.enabled", "false")) {
            readAll(fs, order);
            long before = cluster.opensAtNameNode();
            readAll(fs, order);
            assertThat(cluster.opensAtNameNode() - before).isEqualTo(order.size());
        }
    }
}

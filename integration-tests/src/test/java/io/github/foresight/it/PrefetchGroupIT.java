/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The NameNode learns an order of opens and tells clients what comes next; they open without asking. */
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
            try (FSDataOutputStream out = stock.create(path)) {
                out.write(path.toString().getBytes(StandardCharsets.UTF_8));
            }
            paths.add(path);
        }
        return paths;
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
        assertThat(cluster.nameNodeMetric("HandedOut")).isGreaterThan(FILES / 2);
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
}

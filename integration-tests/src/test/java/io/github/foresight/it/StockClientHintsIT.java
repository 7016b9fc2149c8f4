/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The NameNode hints predicted files to DataNodes for stock clients. */
@TestMethodOrder(OrderAnnotation.class)
final class StockClientHintsIT {

    private static final int FILES = 200;
    private static final int BYTES = 40_000;

    private static TestCluster cluster;
    private static FileSystem stock;
    private static List<Path> order;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "stock-client-hints",
                3,
                Map.of("foresight.namenode.hint.enabled", "true"),
                Map.of(),
                Map.of("dfs.replication", "2", "dfs.block.access.token.enable", "true"));
        stock = cluster.stockClient();
        order = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Path path = new Path("/files/" + i);
            try (FSDataOutputStream out = stock.create(path)) {
                out.write(content(i));
            }
            order.add(path);
        }
        Collections.shuffle(order, new Random(5));
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    private static byte[] content(int file) {
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) file);
        return content;
    }

    private static void readAll() throws Exception {
        for (Path path : order) {
            try (InputStream in = stock.open(path)) {
                assertThat(Arrays.equals(in.readAllBytes(), content(Integer.parseInt(path.getName()))))
                        .as(path.toString())
                        .isTrue();
            }
        }
    }

    @Test
    @Order(1)
    void orderSeenBefore_isReadAheadForAStockClient() throws Exception {
        readAll();
        long opens = cluster.opensAtNameNode();
        readAll();
        assertThat(cluster.opensAtNameNode() - opens).as("as HDFS has it").isEqualTo(FILES);
        eventually(() -> {
            assertThat(cluster.nameNodeMetric("StockHinted")).isGreaterThan(FILES / 2);
            assertThat(cluster.nameNodeMetric("StockAccepted")).isGreaterThan(FILES / 2);
            assertThat(cluster.nameNodeMetric("StockUsed")).isGreaterThan(FILES / 2);
            assertThat(cluster.metric("UsedBlocks"))
                    .as("prefetched where the client then read")
                    .isGreaterThan(FILES / 2);
        });
        assertThat(cluster.metric("RefusedBadToken")).isZero();
        assertThat(cluster.nameNodeMetric("StockErrors")).isZero();
        assertThat(cluster.nameNodeMetric("InternalErrors")).isZero();
    }

    @Test
    @Order(2)
    void dataNodeThatDies_costsHintsAndNothingElse() throws Exception {
        cluster.processes().dataNodes().get(0).kill();
        readAll();
        eventually(() -> assertThat(cluster.nameNodeMetric("StockErrors")).isPositive());
        assertThat(cluster.nameNodeMetric("InternalErrors")).isZero();
    }
}

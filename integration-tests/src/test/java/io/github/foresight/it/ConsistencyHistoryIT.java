/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.it.HistoryLog.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/**
 * Three clients with Foresight, a stock client and WebHDFS open and change the same few files. Meanwhile clients are stopped and killed, and
 * NameNodes are stopped, killed and fail over. Stock HDFS could have produced the history of each file.
 *
 * <p>{@code -Dforesight.history.minutes} sets the duration. {@code -Dforesight.history.seed} determines the operations and misfortunes, but not the
 * interleaving of threads. The logs of all operations are kept under {@code target/clusters}.
 */
final class ConsistencyHistoryIT {

    private static final long MINUTES = Long.getLong("foresight.history.minutes", 1);
    private static final long SEED = Long.getLong("foresight.history.seed", System.nanoTime());

    /** The duration of the runs that test the checker itself. */
    private static final Duration SHORT = Duration.ofSeconds(20);

    @Test
    void history_withLeases_isOneOfStockHdfs() throws Exception {
        System.out.println("-Dforesight.history.seed=" + SEED);
        try (HistoryCluster cluster = new HistoryCluster(SEED, Map.of())) {
            cluster.run(Duration.ofMinutes(MINUTES), true);
            cluster.end();
            OperationHistory history = cluster.history();
            List<String> contradictions = history.contradictions();
            cluster.print(history);
            contradictions.forEach(System.out::println);

            assertThat(contradictions).as("seed %s", SEED).isEmpty();
            assertThat(cluster.heldHandlers())
                    .as("handlers that wait in Foresight")
                    .isEmpty();
            assertThat(cluster.counted("InternalErrors"))
                    .as("failures inside Foresight")
                    .isZero();
            assertThat(history.operations().stream()
                            .filter(operation -> operation.outcome().endsWith("RuntimeException")
                                    || operation.outcome().equals("NullPointerException")))
                    .as("failures of a client's code")
                    .isEmpty();
            assertThat(history.operations().stream()
                            .filter(cluster::isOfLivingClient)
                            .filter(cluster::hasHung))
                    .as("operations that hang")
                    .isEmpty();
            assertNotIdle(cluster, history);
        }
    }

    private static void assertNotIdle(HistoryCluster cluster, OperationHistory history) throws IOException {
        assertThat(cluster.misfortunes()).containsOnlyKeys(HistoryCluster.Misfortune.values());
        assertThat(history.checkedOpens()).as("checked opens").isGreaterThan(MINUTES * 1000);
        assertThat(cluster.fromMemory()).as("opens from memory").isGreaterThan(MINUTES * 300);
        assertThat(history.count(operation -> operation.kind().isWrite() && operation.isDone()))
                .as("changes")
                .isGreaterThan(MINUTES * 100);
        assertThat(history.count(operation -> operation.kind() == Kind.CONTENT && operation.isDone()))
                .as("contents read")
                .isGreaterThan(MINUTES * 30);
        assertThat(cluster.counted("Recalls")).as("recalls").isGreaterThan(MINUTES * 50);
        assertThat(cluster.counted("ChangesByOtherWays"))
                .as("changes by WebHDFS")
                .isGreaterThan(MINUTES * 2);
        assertThat(cluster.counted("ChangesWaited")).as("changes that waited").isGreaterThan(MINUTES * 50);
        assertThat(cluster.dumpsDuringWaits(history))
                .as("thread dumps while a change waited")
                .isPositive();
        assertThat(cluster.failoverCount()).as("failovers").isGreaterThanOrEqualTo(2);
    }

    /** The checker detects a client that keeps layouts without a lease. */
    @Test
    void history_withoutLeases_isFoundOut() throws Exception {
        Map<String, String> bounded =
                Map.of("foresight.client.consistency", "bounded", "foresight.client.metadata.age", "10s");
        try (HistoryCluster cluster = new HistoryCluster(1, bounded)) {
            cluster.run(SHORT, false);
            cluster.end();
            OperationHistory history = cluster.history();
            List<String> contradictions = history.contradictions();
            cluster.print(history);
            System.out.println(contradictions.size() + " contradictions");
            contradictions.stream().limit(2).forEach(System.out::println);
            assertThat(contradictions).isNotEmpty();
        }
    }

    /** The checker accepts a history of stock HDFS. */
    @Test
    void history_withoutForesight_passes() throws Exception {
        try (HistoryCluster cluster =
                new HistoryCluster(2, Map.of("fs.hdfs.impl", DistributedFileSystem.class.getName()))) {
            cluster.run(SHORT, false);
            cluster.end();
            OperationHistory history = cluster.history();
            assertThat(history.contradictions()).isEmpty();
            assertThat(cluster.fromMemory()).isZero();
            assertThat(history.checkedOpens()).isGreaterThan(50);
        }
    }
}

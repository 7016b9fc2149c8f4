/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.JmxPage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A change waits for a client with a cached layout. Meanwhile the client is stopped or killed, the client's NameNode fails over, or the caller's
 * connection breaks. The change is carried out once, at the end of the lease. No handler is blocked. The client never reads the old file again.
 */
final class RecallUnderFireIT {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final String HOLDER = "holder";
    private static final Path FILE = new Path("/held/file");
    private static final Path TARGET = new Path("/held/target");
    private static final int DUMPS = 3;

    /** The limit for a hanging test; much longer than a lease. */
    private static final long PATIENCE_SECONDS = 60;

    private HaCluster cluster;
    private FileSystem stock;

    @BeforeEach
    void start() throws Exception {
        cluster = HaCluster.start(Map.of(
                "foresight.namenode.lease.duration", LEASE.toSeconds() + "s",
                "dfs.client.failover.max.attempts", "200",
                "dfs.client.failover.sleep.base.millis", "50",
                "dfs.client.failover.sleep.max.millis", "500"));
        stock = cluster.client();
        write(1);
        cluster.startClient(
                HOLDER,
                HistoryCluster.foresightConf(Map.of()),
                HistoryCluster.foresightClasspath(),
                LayoutHolder.class);
        // A NameNode that has just become active grants layouts of older files only after a lease's time.
        eventually(() -> {
            assertThat(openedByHolder(FILE)).isEqualTo("1");
            assertThat(metric("nn1", "LayoutsGranted")).isPositive();
        });
    }

    @AfterEach
    void stop() throws IOException {
        stock.close();
        cluster.close();
    }

    private void write(int value) throws IOException {
        try (OutputStream out = stock.create(FILE, true)) {
            out.write(value);
        }
    }

    /** Returns the output of the layout's holder for an open now. */
    private String openedByHolder(Path path) throws IOException {
        String line = LayoutHolder.OPENED + path;
        int before = said(line).size();
        OutputStream to = cluster.process(HOLDER).getOutputStream();
        to.write((path + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
        eventually(() -> assertThat(said(line)).hasSize(before + 1));
        return said(line).get(before);
    }

    private List<String> said(String beginning) throws IOException {
        return Files.readAllLines(cluster.log(HOLDER)).stream()
                .filter(line -> line.startsWith(beginning + " "))
                .map(line -> line.substring(beginning.length() + 1))
                .collect(Collectors.toList());
    }

    private long metric(String nameNode, String name) throws IOException {
        return new JmxPage("127.0.0.1", cluster.httpPort(nameNode))
                .bean("Hadoop:service=NameNode,name=Foresight")
                .path(name)
                .asLong();
    }

    @FunctionalInterface
    private interface Call<T> {
        T make() throws IOException;
    }

    /** Makes a change on a new thread. Returns when the change waits for the layout's holder, and asserts that no handler waits. */
    private <T> CompletableFuture<T> waiting(Call<T> change) throws Exception {
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return change.make();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        eventually(() -> assertThat(metric("nn1", "ChangesWaiting")).isPositive());
        for (int i = 0; i < DUMPS; i++) {
            assertThat(DaemonProcesses.handlersHeld(cluster.process("nn1"))).isEmpty();
        }
        assertThat(stock.exists(new Path("/ready"))).as("others are answered").isTrue();
        assertThat(answer).isNotDone();
        return answer;
    }

    private static <T> T ended(CompletableFuture<T> answer) throws Exception {
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void holderIsStopped_replacementWaitsForTheLeaseAndTheHolderReadsTheNewFile() throws Exception {
        DaemonProcesses.whileStopped(cluster.process(HOLDER), () -> {
            assertThat(ended(waiting(() -> {
                        write(2);
                        return true;
                    })))
                    .as("while the holder is still stopped")
                    .isTrue();
            assertThat(metric("nn1", "ChangesWaiting")).isZero();
        });

        assertThat(openedByHolder(FILE)).isEqualTo("2");
    }

    @Test
    void holderIsKilled_deleteIsCarriedOutAfterTheLease() throws Exception {
        DaemonProcesses.whileStopped(cluster.process(HOLDER), () -> {
            CompletableFuture<Boolean> deleted = waiting(() -> stock.delete(FILE, false));
            cluster.kill(HOLDER);
            assertThat(ended(deleted)).isTrue();
        });

        assertThat(stock.exists(FILE)).isFalse();
        assertThat(metric("nn1", "ChangesWaiting")).isZero();
    }

    @Test
    void nameNodeFailsOver_renameIsCarriedOutOnceByTheOther() throws Exception {
        DaemonProcesses.whileStopped(cluster.process(HOLDER), () -> {
            CompletableFuture<Boolean> renamed = waiting(() -> stock.rename(FILE, TARGET));
            cluster.transition("-transitionToStandby", "nn1");
            cluster.transition("-transitionToActive", "nn2");
            assertThat(ended(renamed)).isTrue();
        });

        assertThat(stock.exists(TARGET)).isTrue();
        // The NameNode that is standby now ends its own wait for the change, which the other has carried out.
        eventually(() -> assertThat(metric("nn1", "ChangesWaiting")).isZero());
        assertThat(openedByHolder(FILE)).isEqualTo(LayoutHolder.MISSING);
        assertThat(openedByHolder(TARGET)).isEqualTo("1");
    }

    @Test
    void callersConnectionTimesOut_retryIsAnsweredFromTheRetryCache() throws Exception {
        Configuration impatient = cluster.configuration();
        impatient.set("ipc.client.rpc-timeout.ms", "1000");
        impatient.set("ipc.ping.interval", "500");
        DaemonProcesses.whileStopped(cluster.process(HOLDER), () -> {
            try (FileSystem caller = FileSystem.newInstance(stock.getUri(), impatient)) {
                assertThat(ended(waiting(() -> caller.rename(FILE, TARGET)))).isTrue();
            }
        });

        assertThat(stock.exists(FILE)).isFalse();
        assertThat(stock.exists(TARGET)).isTrue();
        long retriesFound = new JmxPage("127.0.0.1", cluster.httpPort("nn1"))
                .bean("Hadoop:service=NameNode,name=RetryCache.NameNodeRetryCache")
                .path("CacheHit")
                .asLong();
        assertThat(retriesFound)
                .as("a retry found what the first call had done")
                .isPositive();
        assertThat(openedByHolder(FILE)).isEqualTo(LayoutHolder.MISSING);
    }
}

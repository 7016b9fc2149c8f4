/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.foresight.core.layout.ReplicaNodes;
import io.github.foresight.it.PlacementCluster.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Files written under HDFS's policy, and then under the orthogonal policy, on one cluster. Each test continues with the state that the test before
 * it left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class OrthogonalPlacementIT {

    private static final int FILES = 500;
    private static final int STOCK_FILES = 250;
    private static final String STOCK = "/stock";
    private static final String PLACED = "/placed";

    private PlacementCluster cluster;

    @BeforeAll
    void start() throws Exception {
        cluster = PlacementCluster.startStock("orthogonal");
    }

    @AfterAll
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
        Awaitility.await()
                .atMost(120, TimeUnit.SECONDS)
                .pollInterval(1, TimeUnit.SECONDS)
                .untilAsserted(assertion);
    }

    @Test
    @Order(1)
    void writtenFiles_areOrthogonalAndAsEvenAsHdfss() throws Exception {
        long begin = System.nanoTime();
        cluster.write(STOCK, STOCK_FILES);
        long stock = System.nanoTime();
        cluster.installPolicy();
        long installed = System.nanoTime();
        cluster.write(PLACED, FILES);
        long placed = System.nanoTime();
        eventually(() -> assertThat(cluster.faults(cluster.layouts(PLACED))).isEmpty());
        assertThat(cluster.metric("InternalErrors")).isZero();
        assertThat(cluster.metric("IdentifiedByPath")).isZero();

        List<Layout> files = cluster.layouts(PLACED);
        Map<String, Integer> counts = cluster.filesByReplicaNode(files);
        double even = FILES / (double) PlacementCluster.NODES;
        System.out.printf(
                "replica nodes of %d files: %s; even would be %.1f; %d went to the second node drawn for them%n",
                FILES, counts.values(), even, cluster.metric("SecondDraws"));
        assertThat(counts).hasSize(PlacementCluster.NODES);
        assertThat(counts.values())
                .allSatisfy(count -> assertThat(count.doubleValue()).isCloseTo(even, withinPercentage(10)));

        double spreadStock = PlacementCluster.spread(cluster.layouts(STOCK));
        double spreadPlaced = PlacementCluster.spread(files);
        System.out.printf("fullest node above the mean: stock %.3f, placed %.3f%n", spreadStock, spreadPlaced);
        assertThat(spreadPlaced).isLessThan(spreadStock + 0.1);
        System.out.printf("writing: stock %.1f s, placed %.1f s%n", (stock - begin) / 1e9, (placed - installed) / 1e9);
    }

    /** Kills a migration by SIGKILL. A second migration finishes, while files are deleted and a file is being written. */
    @Test
    @Order(2)
    void migratedFiles_areOrthogonalByNoMoreMovesThanNeeded() throws Exception {
        List<Layout> before = cluster.layouts(STOCK);
        long needed = missing(before);
        String planned = json(cluster.command("placement", "migrate", STOCK, "--dry-run", "--json"), 0);
        assertThat(number(planned, "movesNeeded")).isEqualTo(needed).isPositive();
        assertThat(number(json(cluster.command("placement", "check", STOCK, "--json"), 1), "files"))
                .isEqualTo(STOCK_FILES);

        try (FSDataOutputStream open = cluster.fs().create(new Path(STOCK + "/being-written"))) {
            open.write(1);
            open.hflush();
            Process first = new ProcessBuilder(cluster.command("placement", "migrate", STOCK, "--bandwidth", "100k"))
                    .redirectErrorStream(true)
                    .redirectOutput(
                            cluster.processes().workDir().resolve("migrate.log").toFile())
                    .start();
            eventually(() -> assertThat(missing(cluster.layouts(STOCK))).isLessThan(needed - needed / 20));
            assertThat(first.isAlive()).as("in the middle").isTrue();
            first.destroyForcibly().waitFor();
            long left = missing(cluster.layouts(STOCK));
            assertThat(left).as("moves left after the kill").isBetween(needed / 10, needed - 1);

            AtomicLong tooFew = new AtomicLong();
            AtomicLong looks = new AtomicLong();
            AtomicBoolean watching = new AtomicBoolean(true);
            AtomicReference<Exception> blind = new AtomicReference<>();
            Thread watcher = new Thread(() -> {
                while (watching.get()) {
                    try {
                        tooFew.accumulateAndGet(cluster.blocksWithTooFewReplicas(), Math::max);
                        looks.incrementAndGet();
                        Thread.sleep(50);
                    } catch (IOException | InterruptedException e) {
                        blind.set(e);
                        return;
                    }
                }
            });
            watcher.start();
            Thread deleter = new Thread(() -> {
                for (int i = 0; i < STOCK_FILES; i += 25) {
                    try {
                        cluster.delete(STOCK + "/file-" + i);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
            deleter.start();
            String second = json(cluster.command("placement", "migrate", STOCK, "--json"), 0);
            deleter.join();
            eventually(() -> assertThat(cluster.faults(cluster.layouts(STOCK))).isEmpty());
            watching.set(false);
            watcher.join();
            assertThat(blind.get()).as("what ended watching").isNull();
            assertThat(looks.get()).as("times that it was looked").isGreaterThan(10);
            assertThat(tooFew.get())
                    .as("blocks with too few replicas at any time")
                    .isZero();
            assertThat(number(second, "beingWritten")).isEqualTo(1);
            assertThat(number(second, "failed")).isZero();
            System.out.printf(
                    "migration: %d moves needed, fewest to any one node %d; %d left after the kill, then moved %d,"
                            + " overtaken %d%n",
                    needed,
                    number(planned, "fewestMovesToAnyNode"),
                    left,
                    number(second, "moved"),
                    number(second, "overtaken"));
        }

        long added = 0;
        long neededOfThese = 0;
        for (Layout file : before) {
            if (cluster.fs().exists(new Path(file.path()))) {
                added += added(file, cluster.layout(file.path()));
                neededOfThese += missing(List.of(file));
            }
        }
        assertThat(added).as("replicas that are elsewhere than before").isEqualTo(neededOfThese);
        assertThat(cluster.damaged(STOCK)).isEmpty();
        assertThat(number(json(cluster.command("placement", "check", STOCK, "--json"), 0), "movesNeeded"))
                .isZero();
    }

    private long missing(List<Layout> files) throws Exception {
        ReplicaNodes<String> nodes = cluster.liveNodes();
        return files.stream()
                .mapToLong(file -> file.blocksWithout(PlacementCluster.replicaNode(nodes, file)))
                .sum();
    }

    private static long added(Layout before, Layout after) {
        long added = 0;
        for (int block = 0; block < before.blocks().size(); block++) {
            added += after.blocks().get(block).stream()
                    .filter(Predicate.not(before.blocks().get(block)::contains))
                    .count();
        }
        return added;
    }

    private static long number(String json, String name) {
        Matcher matcher = Pattern.compile('"' + name + "\" : (\\d+)").matcher(json);
        assertThat(matcher.find()).as("%s in %s", name, json).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static String json(List<String> command, int status) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("status, after %s", answer).isEqualTo(status);
        return answer;
    }

    @Test
    @Order(3)
    void killedReplicaNode_filesAreWholeAndOrthogonalAgain() throws Exception {
        Map<String, Integer> counts = cluster.filesByReplicaNode(cluster.layouts(PLACED));
        String busiest = counts.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .orElseThrow()
                .getKey();
        int killed = cluster.indexOf(busiest);
        cluster.processes().dataNodes().get(killed).kill();
        long begin = System.nanoTime();
        eventually(() -> {
            assertThat(cluster.liveNodes().size()).isEqualTo(PlacementCluster.NODES - 1);
            // The NameNode reports a node as dead some time before the NameNode makes that node's replicas again.
            assertThat(cluster.layouts(PLACED)).noneMatch(file -> file.hasReplicaOn(busiest));
            assertThat(cluster.faults(cluster.layouts(PLACED)))
                    .as(decisions())
                    .noneMatch(fault -> fault.contains("not whole") || fault.contains("one rack"));
        });
        // Blocks for which the replica nodes were too busy lie on other nodes, until a migration moves them.
        json(cluster.command("placement", "migrate", PLACED, "--json"), 0);
        eventually(() -> assertThat(cluster.faults(cluster.layouts(PLACED)))
                .as(decisions())
                .isEmpty());
        System.out.printf(
                "whole and orthogonal %.1f s after the kill of the replica node of %d files; %s%n",
                (System.nanoTime() - begin) / 1e9, counts.get(busiest), decisions());
        assertThat(cluster.metric("InternalErrors")).isZero();
        assertThat(cluster.damaged(PLACED)).isEmpty();
    }

    private String decisions() throws IOException {
        return String.format(
                "restored %d, excess kept %d, of unknown files %d, on stand-in nodes %d",
                cluster.metric("Restored"),
                cluster.metric("ExcessKept"),
                cluster.metric("ExcessOfUnknownFiles"),
                cluster.metric("OnStandInNode"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import static io.github.foresight.containers.ContainerCluster.eventually;
import static io.github.foresight.containers.HdfsShell.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.Container.ExecResult;

/** Stock Hadoop in containers, into which the release is installed as docs/install.md says. Tests that Foresight works, and the effects of faults. */
@NeedsContainers
@Timeout(300)
final class DropInContainerIT {

    private static final long FILE = 12L * BLOCK;
    private static final long PAUSE = BLOCK + BLOCK / 2;
    private static final int SMALL_FILES = 40;

    private static ContainerCluster cluster;
    private static HdfsShell shell;
    private static String writtenOnStock;
    private static final List<String> checks = new ArrayList<>();

    @BeforeAll
    @Timeout(300)
    static void start() throws Exception {
        cluster = ContainerCluster.start("drop-in-containers");
        shell = cluster.shell();
        writtenOnStock = shell.write("/stock", FILE);
        for (HadoopContainer node : cluster.nodes()) {
            checks.add(node.install());
        }
        cluster.restart();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void release_isFoundFineByItsCheckOnEveryNode() {
        assertThat(checks).hasSize(5).allSatisfy(check -> assertThat(check).contains("All is fine."));
        assertThat(cluster.nameNode().getLogs()).contains("Foresight learns with");
        assertThat(cluster.dataNodes()).allSatisfy(dataNode -> {
            assertThat(dataNode.getLogs()).contains("Foresight reads ahead with up to");
            assertThat(dataNode.metric("Enabled")).isEqualTo(1);
            assertThat(dataNode.metric("CapacityBytes")).isPositive();
        });
    }

    @Test
    void fileOfTheStockCluster_isPrefetchedAndReadRight() throws Exception {
        PausedRead read = shell.readUntil("/stock", PAUSE);
        eventually(() -> assertThat(cluster.dataNodeMetric("UnaccessedBytes")).isGreaterThanOrEqualTo(BLOCK));

        assertThat(read.finish().getStdout()).isEqualTo(writtenOnStock);

        eventually(() -> {
            assertThat(cluster.dataNodeMetric("PrefetchedBytes") + cluster.dataNodeMetric("ResidentBytes"))
                    .isGreaterThanOrEqualTo(4L * BLOCK);
            assertThat(cluster.dataNodeMetric("UsedBlocks")).isGreaterThanOrEqualTo(4);
        });
        assertNoFailureOfOurs();
    }

    @Test
    void killedDataNode_inTheMiddleOfARead_isMissedByNobodyAndTakesPartAgain() throws Exception {
        String written = shell.write("/killed", FILE);
        Map<HadoopContainer, Long> waitingBefore = bytesWaiting();
        PausedRead read = shell.readUntil("/killed", PAUSE);
        HadoopContainer doomed = nodeReadNext(waitingBefore);
        doomed.kill();
        ExecResult result = read.finish();
        doomed.startAgain();
        cluster.awaitReady();

        assertThat(result.getStdout()).isEqualTo(written);
        assertFailedOver(result, doomed);
        assertTakesPartAgain(doomed, "/killed", written);
    }

    @Test
    void dataNodeCutOff_inTheMiddleOfARead_isMissedByNobodyAndTakesPartAgain() throws Exception {
        String written = shell.write("/cut-off", FILE);
        Map<HadoopContainer, Long> waitingBefore = bytesWaiting();
        PausedRead read = shell.readUntil("/cut-off", PAUSE);
        HadoopContainer lost = nodeReadNext(waitingBefore);
        lost.disconnect();
        ExecResult result;
        try {
            result = read.finish();
        } finally {
            lost.reconnect();
        }
        cluster.awaitReady();

        assertThat(result.getStdout()).isEqualTo(written);
        assertFailedOver(result, lost);
        assertTakesPartAgain(lost, "/cut-off", written);
    }

    @Test
    void orderSeenBefore_isPredictedAndUsed() throws Exception {
        // The names have no digits, because the NameNode might guess the order from digits.
        List<String> names = new ArrayList<>(IntStream.range(0, SMALL_FILES)
                .mapToObj(i -> "" + (char) ('a' + i / 10) + (char) ('a' + i % 10))
                .toList());
        Collections.shuffle(names, new Random(1));
        String written = shell.writeFolder("/order", names);
        String[] paths = names.stream().map(name -> "/order/" + name).toArray(String[]::new);
        HadoopContainer nameNode = cluster.nameNode();
        long opens = nameNode.metric("Opens");

        assertThat(shell.read(paths)).isEqualTo(written);
        eventually(() -> assertThat(nameNode.metric("Opens") - opens).isGreaterThanOrEqualTo(SMALL_FILES));
        long predicted = predicted(nameNode);
        long used = nameNode.metric("Used");
        assertThat(shell.read(paths)).isEqualTo(written);

        eventually(() -> {
            assertThat(predicted(nameNode) - predicted).isGreaterThan(SMALL_FILES / 4);
            assertThat(nameNode.metric("Used") - used).isGreaterThan(SMALL_FILES / 4);
        });
    }

    /** Returns the number of files predicted from the learned order, not from their names. */
    private static long predicted(HadoopContainer nameNode) throws IOException {
        return nameNode.metric("Returned") - nameNode.metric("Siblings");
    }

    /** Returns the bytes of each DataNode that are prefetched and not yet read. */
    private static Map<HadoopContainer, Long> bytesWaiting() throws IOException {
        Map<HadoopContainer, Long> waiting = new HashMap<>();
        for (HadoopContainer dataNode : cluster.dataNodes()) {
            waiting.put(dataNode, dataNode.metric("UnaccessedBytes"));
        }
        return waiting;
    }

    /** Returns the DataNode that has prefetched most for the waiting reader. */
    private static HadoopContainer nodeReadNext(Map<HadoopContainer, Long> waitingBefore) {
        AtomicReference<HadoopContainer> next = new AtomicReference<>();
        eventually(() -> {
            Map<HadoopContainer, Long> added = bytesWaiting();
            waitingBefore.forEach((dataNode, bytes) -> added.merge(dataNode, -bytes, Long::sum));
            next.set(Collections.max(added.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
            assertThat(added.get(next.get())).isGreaterThanOrEqualTo(BLOCK);
        });
        return next.get();
    }

    /** Asserts that the reader met the fault: HDFS's client logs the DataNode from which the read failed. */
    private static void assertFailedOver(ExecResult read, HadoopContainer dataNode) {
        assertThat(read.getStderr()).containsPattern("WARN DFSClient: .*\\b" + Pattern.quote(dataNode.address() + ":"));
    }

    private static void assertTakesPartAgain(HadoopContainer dataNode, String path, String written) throws Exception {
        long used = dataNode.metric("UsedBlocks");
        eventually(() -> {
            assertThat(shell.read(path)).isEqualTo(written);
            assertThat(dataNode.metric("UsedBlocks")).isGreaterThan(used);
        });
        assertNoFailureOfOurs();
    }

    private static void assertNoFailureOfOurs() throws IOException {
        assertThat(cluster.dataNodeMetric("InternalErrors")).isZero();
        assertThat(cluster.dataNodeMetric("PinFailures")).isZero();
        assertThat(cluster.nameNode().metric("InternalErrors")).isZero();
    }
}

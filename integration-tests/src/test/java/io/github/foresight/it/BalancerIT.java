/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.it.PlacementCluster.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HDFS's own Balancer drains a DataNode that is the replica node of too many files. */
final class BalancerIT {

    private static final int BLOCK = 1 << 20;
    private static final int CAPACITY_MIB = 512;
    private static final int BLOCKS = 8;
    private static final int FILES = 20;
    private static final short REPLICATION = 2;

    /** Per cent of a node's capacity that its use may differ from the cluster's, as the Balancer takes it. */
    private static final int THRESHOLD = 10;

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Path workDir;
    private PlacementCluster cluster;

    /** Each DataNode has a small file system of its own, so that the Balancer sees nodes of different fullness. */
    @BeforeEach
    void start() throws Exception {
        workDir = PlacementCluster.workDir("balancer");
        for (int node = 0; node < PlacementCluster.NODES; node++) {
            Path data = Files.createDirectories(PlacementCluster.dataDir(workDir, node));
            assumeTrue(
                    run("mount", "-t", "tmpfs", "-o", "size=" + CAPACITY_MIB + "m", "none", data.toString()) == 0,
                    "may not mount");
        }
        cluster = PlacementCluster.startStock(
                workDir,
                Map.of(
                        "dfs.balancer.getBlocks.min-block-size",
                        "1",
                        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space",
                        "0"));
        cluster.installPolicy();
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
        for (int node = 0; node < PlacementCluster.NODES; node++) {
            Path data = PlacementCluster.dataDir(workDir, node);
            if (Files.isDirectory(data)) {
                run("umount", "-l", data.toString());
            }
        }
    }

    @Test
    void fullReplicaNode_isDrained() throws Exception {
        String full = fillOneNode();
        double before = usedPercent(full);
        double mean = meanUsedPercent();
        assertThat(before).as("use of the full node, per cent").isGreaterThan(mean + THRESHOLD);

        // The metrics system of a program that starts it a second time in its second iteration fails, unless it stands
        // by.
        ClientProcess.run(
                cluster.hdfsCommand(
                        "org.apache.hadoop.hdfs.server.balancer.Balancer",
                        List.of("-Dhadoop.metrics.init.mode=STANDBY"),
                        "-threshold",
                        String.valueOf(THRESHOLD)),
                workDir.resolve("balancer.log"),
                LIMIT,
                "the Balancer");

        TestCluster.eventually(
                () -> assertThat(usedPercent(full)).as("use after the Balancer").isLessThanOrEqualTo(mean + THRESHOLD));
        assertThat(cluster.metric("Drained"))
                .as("replicas that left their replica node")
                .isPositive();
        assertThat(cluster.metric("InternalErrors")).isZero();
        TestCluster.eventually(
                () -> assertThat(cluster.layouts("/")).allMatch(Layout::isWhole).allMatch(file -> file.racks() >= 2));
        assertThat(cluster.damaged("/")).isEmpty();
        System.out.printf(
                "the full node: %.1f %% before, %.1f %% after, mean %.1f %%; %d replicas drained%n",
                before, usedPercent(full), mean, cluster.metric("Drained"));
    }

    /** Keeps only files of one replica node, and returns its name. */
    private String fillOneNode() throws Exception {
        String full = null;
        int kept = 0;
        for (int i = 0; kept < FILES; i++) {
            String path = "/file-" + i;
            Layout file = cluster.writeFile(path, BLOCKS, BLOCK, REPLICATION);
            String node = PlacementCluster.replicaNode(cluster.liveNodes(), file);
            full = full == null ? node : full;
            if (node.equals(full)) {
                kept++;
            } else {
                cluster.delete(path);
            }
        }
        double expected = 100.0 * FILES * BLOCKS * REPLICATION / PlacementCluster.NODES / CAPACITY_MIB;
        TestCluster.eventually(() -> assertThat(meanUsedPercent())
                .as("use of all nodes once the other files are gone")
                .isLessThan(1.1 * expected));
        return full;
    }

    private double usedPercent(String name) throws IOException {
        return Arrays.stream(nodes())
                .filter(node -> node.getDatanodeUuid().equals(name))
                .mapToDouble(DatanodeInfo::getDfsUsedPercent)
                .sum();
    }

    private double meanUsedPercent() throws IOException {
        return Arrays.stream(nodes())
                .mapToDouble(DatanodeInfo::getDfsUsedPercent)
                .average()
                .orElseThrow();
    }

    private DatanodeInfo[] nodes() throws IOException {
        return cluster.fs().getDataNodeStats(DatanodeReportType.LIVE);
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}

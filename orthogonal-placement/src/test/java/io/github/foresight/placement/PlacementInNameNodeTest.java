/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy in a real NameNode, which identifies files by their inode ids. */
final class PlacementInNameNodeTest {

    private static final int BLOCK = 4096;
    private static final int NODES = 6;
    private static final String[] RACKS = {"/a", "/a", "/b", "/b", "/c", "/c"};
    private static final String FILE = "/folder/file";

    @TempDir
    private Path folder;

    private Consumer<Configuration> more = any -> {};
    private Configuration conf;
    private MiniDFSCluster cluster;
    private DistributedFileSystem fs;

    private void startWith(Consumer<Configuration> settings) throws Exception {
        more = settings;
        start(RACKS);
    }

    /**
     * Settings for tests of lost replicas that are made again. By default HDFS considers load. On an idle cluster the mean load is low, and a few
     * transfers make a replica node busy. HDFS then correctly makes the lost replicas on other nodes. New blocks go to the replica node with and
     * without this setting.
     */
    private static void ignoringLoad(Configuration conf) {
        conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    }

    private void start(String... racks) throws Exception {
        stop();
        conf = new HdfsConfiguration();
        more.accept(conf);
        conf.set("dfs.block.replicator.classname", OrthogonalPlacementPolicy.class.getName());
        conf.set("foresight.placement.nodes.refresh", "100ms");
        conf.setLong("dfs.blocksize", BLOCK);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", 0);
        conf.setLong("dfs.heartbeat.interval", 1);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
        conf.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
        // A NameNode that starts makes no replica again before the DataNodes have reported the existing replicas.
        conf.setInt("dfs.namenode.safemode.min.datanodes", racks.length);
        conf.setInt("dfs.namenode.safemode.replication.min", 2);
        conf.set("dfs.namenode.safemode.threshold-pct", "1");
        File base = folder.resolve("cluster-" + System.nanoTime()).toFile();
        cluster = new MiniDFSCluster.Builder(conf, base)
                .numDataNodes(racks.length)
                .racks(racks)
                .build();
        cluster.waitActive();
        cluster.triggerHeartbeats();
        fs = cluster.getFileSystem();
        eventually(() -> assertThat(policy().candidates()).isEqualTo(racks.length));
    }

    private OrthogonalPlacementPolicy policy() {
        return (OrthogonalPlacementPolicy)
                cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollDelay(0, TimeUnit.MILLISECONDS)
                .pollInterval(200, TimeUnit.MILLISECONDS)
                .untilAsserted(assertion);
    }

    private void write(String path, int blocks, int replicas) throws Exception {
        DFSTestUtil.createFile(
                fs, new org.apache.hadoop.fs.Path(path), BLOCK, blocks * (long) BLOCK, BLOCK, (short) replicas, 7);
    }

    /** Returns the node that holds the most of a file's blocks. */
    private DatanodeInfo replicaNode(String path) throws Exception {
        ReplicaNodes.Builder<DatanodeInfo> nodes = ReplicaNodes.builder();
        for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
            nodes.add(node, node.getDatanodeUuid(), CapacityClass.weight(node.getCapacity()));
        }
        BlockHolders<DatanodeInfo> holders = new BlockHolders<>();
        blocks(path).forEach(block -> List.of(block.getLocations())
                .forEach(holder ->
                        holders.add(new DatanodeInfoBuilder().setFrom(holder).build())));
        long inode = fs.getClient().getFileInfo(path).getFileId();
        DatanodeInfo most = holders.most(nodes.build(), LayoutHash.ofFile(inode));
        assertThat(most).isNotNull();
        return most;
    }

    private List<LocatedBlock> blocks(String path) throws Exception {
        return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    }

    private static List<String> nodes(LocatedBlock block) {
        return Arrays.stream(block.getLocations())
                .map(DatanodeInfo::getDatanodeUuid)
                .collect(Collectors.toList());
    }

    private void assertOrthogonal(String path, int replicas) throws Exception {
        String replicaNode = replicaNode(path).getDatanodeUuid();
        assertThat(blocks(path))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(nodes(block)).hasSize(replicas).contains(replicaNode));
    }

    /** Stops a DataNode. The NameNode does not wait ten heartbeats before it takes the node for dead. */
    private MiniDFSCluster.DataNodeProperties kill(DatanodeInfo node) throws Exception {
        MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(node.getXferAddr());
        cluster.setDataNodeDead(node);
        return stopped;
    }

    @Test
    void fileRenamedWhileItIsWritten_keepsItsNode() throws Exception {
        start(RACKS);
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(FILE);
        try (FSDataOutputStream out = fs.create(path, true, BLOCK, (short) 3, BLOCK)) {
            for (int block = 0; block < 12; block++) {
                out.write(new byte[BLOCK]);
                out.hflush();
                if (block == 3) {
                    fs.rename(path.getParent(), new org.apache.hadoop.fs.Path("/moved"));
                }
            }
        }
        eventually(() -> assertOrthogonal("/moved/file", 3));
        write(FILE, 3, 3);
        eventually(() -> assertOrthogonal(FILE, 3));
    }

    @Test
    void appendedAndReplicatedMore_staysOnItsNode() throws Exception {
        start(RACKS);
        write(FILE, 3, 2);
        try (FSDataOutputStream out = fs.append(new org.apache.hadoop.fs.Path(FILE))) {
            out.write(new byte[5 * BLOCK + 1]);
        }
        eventually(() -> assertOrthogonal(FILE, 2));
        assertThat(blocks(FILE)).hasSize(9);
        fs.setReplication(new org.apache.hadoop.fs.Path(FILE), (short) 4);
        eventually(() -> assertOrthogonal(FILE, 4));
        fs.setReplication(new org.apache.hadoop.fs.Path(FILE), (short) 2);
        eventually(() -> assertThat(blocks(FILE))
                .allSatisfy(block -> assertThat(nodes(block)).hasSize(2)));
    }

    @Test
    void pipelineThatLosesItsReplicaNode_isWrittenToTheEnd() throws Exception {
        startWith(PlacementInNameNodeTest::ignoringLoad);
        try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(FILE), true, BLOCK, (short) 3, 1 << 20)) {
            out.write(new byte[BLOCK]);
            out.hflush();
            DatanodeInfo replicaNode = replicaNode(FILE);
            assertThat(blocks(FILE).get(0).getLocations())
                    .extracting(DatanodeInfo::getXferAddr)
                    .contains(replicaNode.getXferAddr());
            kill(replicaNode);
            out.write(new byte[BLOCK]);
            out.hflush();
        }
        eventually(() -> {
            assertThat(fs.getDataNodeStats(DatanodeReportType.LIVE)).hasSize(NODES - 1);
            assertOrthogonal(FILE, 3);
        });
    }

    /**
     * The number of regained replicas is not certain. HDFS postpones the deletion of replicas while the node's storages count as stale. After that
     * HDFS does not name the block of an excess replica.
     */
    @Test
    void nodeThatDies_losesItsFilesToOneOther_andMayComeBack() throws Exception {
        startWith(PlacementInNameNodeTest::ignoringLoad);
        for (int replicas = 2; replicas <= 3; replicas++) {
            write(FILE + replicas, 12, replicas);
        }
        MiniDFSCluster.DataNodeProperties stopped = kill(replicaNode(FILE + 2));
        eventually(() -> {
            assertThat(fs.getDataNodeStats(DatanodeReportType.LIVE)).hasSize(NODES - 1);
            assertOrthogonal(FILE + 2, 2);
            assertOrthogonal(FILE + 3, 3);
        });
        // The node restarts at another port: another process may have taken its old port.
        assertThat(cluster.restartDataNode(stopped, false)).isTrue();
        eventually(() -> {
            assertThat(fs.getDataNodeStats(DatanodeReportType.LIVE)).hasSize(NODES);
            for (int replicas = 2; replicas <= 3; replicas++) {
                int expected = replicas;
                assertThat(blocks(FILE + replicas))
                        .allSatisfy(block -> assertThat(nodes(block)).hasSize(expected));
            }
        });
    }

    /**
     * HDFS considers load by default. Then some replicas may be made on other nodes while the replica node is busy, but every lost replica is made
     * again.
     */
    @Test
    void nodeThatDies_whereLoadCounts_leavesWholeFilesInTwoRacks() throws Exception {
        start(RACKS);
        for (int replicas = 2; replicas <= 3; replicas++) {
            write(FILE + replicas, 12, replicas);
        }
        kill(replicaNode(FILE + 2));
        eventually(() -> {
            assertThat(fs.getDataNodeStats(DatanodeReportType.LIVE)).hasSize(NODES - 1);
            for (int replicas = 2; replicas <= 3; replicas++) {
                int expected = replicas;
                assertThat(blocks(FILE + replicas)).hasSize(12).allSatisfy(block -> {
                    assertThat(nodes(block)).hasSize(expected);
                    assertThat(policy().verifyBlockPlacement(block.getLocations(), expected)
                                    .isPlacementPolicySatisfied())
                            .isTrue();
                });
            }
        });
    }

    /** With the hash alone, a seventh of these files would change their replica nodes. */
    @Test
    void filesThatGrowAfterANodeHasJoined_stayOnTheirNodes() throws Exception {
        start(RACKS);
        int files = 30;
        for (int file = 0; file < files; file++) {
            write(FILE + file, 2, 2);
        }
        cluster.startDataNodes(conf, 1, true, null, new String[] {"/c"}, null, null, false);
        cluster.triggerHeartbeats();
        eventually(() -> assertThat(policy().candidates()).isEqualTo(NODES + 1));
        for (int file = 0; file < files; file++) {
            append(FILE + file, 4);
        }
        for (int file = 0; file < files; file++) {
            String path = FILE + file;
            eventually(() -> assertOrthogonal(path, 2));
        }
    }

    private void append(String path, int blocks) throws Exception {
        try (FSDataOutputStream out = fs.append(new org.apache.hadoop.fs.Path(path))) {
            out.write(new byte[blocks * BLOCK]);
        }
    }

    @Test
    void fileWrittenAcrossARestartOfTheNameNode_staysOnItsNode() throws Exception {
        start(RACKS);
        int files = 10;
        List<FSDataOutputStream> written = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            written.add(fs.create(new org.apache.hadoop.fs.Path(FILE + file), true, BLOCK, (short) 2, BLOCK));
            written.get(file).write(new byte[BLOCK + 1]);
            written.get(file).hflush();
        }
        cluster.restartNameNode(true);
        cluster.triggerHeartbeats();
        eventually(() -> assertThat(policy().candidates()).isEqualTo(NODES));
        for (int file = 0; file < files; file++) {
            written.get(file).write(new byte[4 * BLOCK]);
            written.get(file).close();
            String path = FILE + file;
            eventually(() -> assertOrthogonal(path, 2));
        }
    }

    /**
     * Each file has three blocks and two replicas, so no other node holds all blocks by chance. A hash alone is equally even in one of seven runs.
     */
    @Test
    void fewFiles_areSpreadEvenlyOverTheirNodes() throws Exception {
        start(RACKS);
        int files = 20 * NODES;
        for (int file = 0; file < files; file++) {
            write(FILE + file, 3, 2);
        }
        Map<String, Integer> counts = new TreeMap<>();
        for (int file = 0; file < files; file++) {
            String path = FILE + file;
            eventually(() -> assertOrthogonal(path, 2));
            counts.merge(replicaNode(path).getDatanodeUuid(), 1, Integer::sum);
        }
        assertThat(counts).hasSize(NODES);
        assertThat(counts.values())
                .as("files by replica node, %s", counts.values())
                .allSatisfy(count -> assertThat(count).isBetween(16, 24));
    }

    /**
     * Moves blocks as the Balancer and the Mover do. The file keeps its replica node. New blocks and replicas made again still go to the replica
     * node.
     */
    @Test
    void replicasMovedOffTheReplicaNode_areGoneFromThereAndTheFileKeepsIt() throws Exception {
        more = PlacementInNameNodeTest::ignoringLoad;
        // In racks of two nodes, the replica node's neighbour would hold every block. After a move of two blocks it
        // would hold more blocks than the replica node.
        start("/a", "/a", "/a", "/a", "/a", "/a");
        write(FILE, 16, 3);
        eventually(() -> assertOrthogonal(FILE, 3));
        DatanodeInfo replicaNode = replicaNode(FILE);
        List<LocatedBlock> moved = blocks(FILE).subList(0, 2);
        for (LocatedBlock block : moved) {
            DatanodeInfo target = Arrays.stream(fs.getDataNodeStats(DatanodeReportType.LIVE))
                    .filter(node -> isMovable(block, replicaNode, node))
                    .findFirst()
                    .orElseThrow();
            assertThat(DFSTestUtil.replaceBlock(block.getBlock(), replicaNode, replicaNode, target))
                    .isTrue();
        }
        cluster.triggerHeartbeats();
        String name = replicaNode.getDatanodeUuid();
        eventually(() -> {
            assertThat(blocks(FILE))
                    .allSatisfy(block -> assertThat(nodes(block)).hasSize(3));
            assertThat(blocks(FILE).subList(0, 2))
                    .allSatisfy(block -> assertThat(nodes(block)).doesNotContain(name));
        });
        assertThat(replicaNode(FILE).getDatanodeUuid()).isEqualTo(name);

        append(FILE, 3);
        eventually(() -> assertThat(blocks(FILE).subList(2, 19))
                .allSatisfy(block -> assertThat(nodes(block)).contains(name)));
        fs.setReplication(new org.apache.hadoop.fs.Path(FILE), (short) 4);
        eventually(() -> assertOrthogonal(FILE, 4));
        assertThat(replicaNode(FILE).getDatanodeUuid()).isEqualTo(name);
    }

    /** Whether the Balancer's rules allow a move of a block between two nodes. */
    private boolean isMovable(LocatedBlock block, DatanodeInfo source, DatanodeInfo target) {
        List<DatanodeInfo> all = new ArrayList<>(List.of(block.getLocations()));
        all.add(target);
        return !nodes(block).contains(target.getDatanodeUuid()) && policy().isMovable(all, source, target);
    }

    /** The thread with the namesystem's lock waits for the choice. A choice that needs the lock, even shared, would never end. */
    @Test
    void choiceForAKnownFile_takesNoLockOfTheNamesystem() throws Exception {
        start(RACKS);
        write(FILE, 12, 3);
        String replicaNode = replicaNode(FILE).getDatanodeUuid();
        OrthogonalPlacementPolicy policy = policy();
        BlockStoragePolicy hot = BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
        DatanodeStorageInfo[] placed;
        cluster.getNamesystem().writeLock();
        try {
            placed = CompletableFuture.supplyAsync(
                            () -> TestNodes.chooseForNewBlock(policy, FILE, 3, null, new HashSet<>(), List.of(), hot))
                    .get(60, TimeUnit.SECONDS);
        } finally {
            cluster.getNamesystem().writeUnlock();
        }
        assertThat(placed)
                .hasSize(3)
                .extracting(storage -> storage.getDatanodeDescriptor().getDatanodeUuid())
                .contains(replicaNode);
    }

    @Test
    void fileInAnExcludedDirectory_isPlacedByHdfsAlone() throws Exception {
        startWith(extra -> extra.set("foresight.placement.excluded", "/tmp, /folder/"));
        write(FILE, 40, 2);
        write("/elsewhere", 40, 2);
        eventually(() -> assertOrthogonal("/elsewhere", 2));
        eventually(() -> assertThat(blocks(FILE)).hasSize(40).allSatisfy(block -> assertThat(nodes(block))
                .hasSize(2)));
        String most = replicaNode(FILE).getDatanodeUuid();
        assertThat(blocks(FILE)).anySatisfy(block -> assertThat(nodes(block)).doesNotContain(most));
    }

    @Test
    void clustersOfOneTwoAndThree_workAsHdfss() throws Exception {
        for (int nodes = 1; nodes <= 3; nodes++) {
            start(Arrays.copyOf(new String[] {"/a", "/b", "/a"}, nodes));
            for (int replicas = 1; replicas <= 3; replicas++) {
                write(FILE + replicas, 4, replicas);
                int expected = Math.min(nodes, replicas);
                String path = FILE + replicas;
                eventually(() -> assertThat(blocks(path)).hasSize(4).allSatisfy(block -> assertThat(nodes(block))
                        .hasSize(expected)));
                if (expected > 1) {
                    assertOrthogonal(path, expected);
                }
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.junit.jupiter.api.Test;

/** The choice of the replica to delete when a block has too many. */
final class ExcessReplicasTest extends PlacementFixture {

    private static List<DatanodeDescriptor> deleted(
            BlockPlacementPolicy policy,
            List<DatanodeDescriptor> replicas,
            int expected,
            DatanodeDescriptor added,
            DatanodeDescriptor hint) {
        List<DatanodeStorageInfo> storages =
                replicas.stream().map(TestNodes::storage).collect(Collectors.toCollection(ArrayList::new));
        List<StorageType> excess = new ArrayList<>(Collections.nCopies(replicas.size() - expected, StorageType.DISK));
        return nodes(policy.chooseReplicasToDelete(storages, storages, expected, excess, added, hint)
                .toArray(DatanodeStorageInfo[]::new));
    }

    @Test
    void excessReplicas_afterOneWasAdded_neverIncludeTheReplicaNodes() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        Random random = new Random(7);
        for (int inode = 1; inode <= 200; inode++) {
            DatanodeDescriptor replicaNode = replicaNodes(cluster).drawn(LayoutHash.ofFile(inode), 0);
            List<DatanodeDescriptor> replicas = new ArrayList<>(cluster.nodes());
            Collections.shuffle(replicas, random);
            replicas = new ArrayList<>(replicas.subList(0, 4));
            if (!replicas.contains(replicaNode)) {
                replicas.set(random.nextInt(4), replicaNode);
            }
            TestNodes.report(inode, inode, replicas);
            DatanodeDescriptor added = replicas.get(3);
            // A mover's hint names the replica that it has copied. In this test the hint is never the replica node's
            // replica.
            DatanodeDescriptor hint = random.nextBoolean()
                    ? replicas.stream()
                            .filter(node -> !node.equals(replicaNode))
                            .findFirst()
                            .orElseThrow()
                    : null;
            List<DatanodeDescriptor> deleted = deleted(policy, replicas, 3, added, hint);
            assertThat(deleted).hasSize(1).doesNotContain(replicaNode);
            replicas.removeAll(deleted);
            assertRackRule(policy, replicas);
        }
    }

    /**
     * The outcome does not depend on the nodes' free space, because the mover has already counted the move. If HDFS does not follow a hint, the
     * hinted replica is spared.
     */
    @Test
    void replicaNodesReplicaThatAMoverHasCopied_goesWhereverHdfsFollowsTheHint() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        BlockPlacementPolicy hdfs = cluster.policyOfHdfs("BlockPlacementPolicyDefault");
        int followed = 0;
        int inodes = 200;
        for (int inode = 1; inode <= inodes; inode++) {
            DatanodeDescriptor replicaNode = replicaNodes(cluster).drawn(LayoutHash.ofFile(inode), 0);
            Random random = new Random(inode);
            List<DatanodeDescriptor> replicas = withThreeOthers(cluster, replicaNode, random);
            cluster.nodes().forEach(node -> TestNodes.fill(node, random.nextDouble()));
            TestNodes.report(inode, inode, replicas);
            DatanodeDescriptor target = replicas.get(3);
            List<DatanodeDescriptor> deleted = deleted(policy, replicas, 3, target, replicaNode);
            if (hdfs.isMovable(List.copyOf(replicas), replicaNode, target)) {
                followed++;
                assertThat(deleted)
                        .isEqualTo(deleted(hdfs, replicas, 3, target, replicaNode))
                        .containsExactly(replicaNode);
            } else {
                assertThat(deleted).hasSize(1).doesNotContain(replicaNode);
            }
            replicas.removeAll(deleted);
            assertRackRule(policy, replicas);
        }
        assertThat(followed).as("hints that HDFS follows").isBetween(1, inodes - 1);
    }

    /** The hint is for one replica. HDFS chooses the other excess replicas as without a hint. */
    @Test
    void twoReplicasTooMany_theMoversAndOneMore_leaveTheRackRule() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        for (int inode = 1; inode <= 100; inode++) {
            DatanodeDescriptor replicaNode = replicaNodes(cluster).drawn(LayoutHash.ofFile(inode), 0);
            List<DatanodeDescriptor> replicas = withThreeOthers(cluster, replicaNode, new Random(inode));
            TestNodes.report(inode, inode, replicas);
            DatanodeDescriptor source = replicas.get(1 + inode % 2);
            List<DatanodeDescriptor> deleted = deleted(policy, replicas, 2, replicas.get(3), source);
            assertThat(deleted).hasSize(2).doesNotContain(replicaNode);
            replicas.removeAll(deleted);
            assertRackRule(policy, replicas);
        }
    }

    @Test
    void excessReplicas_ofAFileInAnExcludedDirectory_areHdfssChoice() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        cluster.conf().set("foresight.placement.nodes.refresh", "10ms");
        cluster.conf().set("foresight.placement.excluded", "/tmp");
        OrthogonalPlacementPolicy policy = new OrthogonalPlacementPolicy((stats, filesMax, metrics) -> new EvenInTmp());
        cluster.initialize(policy);
        int replicaNodesGone = 0;
        for (int inode = 1; inode <= 200; inode++) {
            DatanodeDescriptor replicaNode = replicaNodes(cluster).drawn(LayoutHash.ofFile(inode), 0);
            List<DatanodeDescriptor> replicas = withThreeOthers(cluster, replicaNode, new Random(inode));
            cluster.nodes().forEach(node -> TestNodes.fill(node, 0.4));
            TestNodes.fill(replicaNode, 0.9);
            TestNodes.report(inode, inode, replicas);
            List<DatanodeDescriptor> deleted = deleted(policy, replicas, 3, replicas.get(3), null);
            if (inode % 2 == 1) {
                assertThat(deleted).as("a file elsewhere").hasSize(1).doesNotContain(replicaNode);
            } else if (deleted.contains(replicaNode)) {
                replicaNodesGone++;
            }
        }
        assertThat(replicaNodesGone)
                .as("replicas on full replica nodes that HDFS has chosen")
                .isPositive();
    }

    /** Files with even ids are in /tmp. The places of their blocks are unknown for all files. */
    private static final class EvenInTmp implements PlacedFiles {
        @Override
        public PlacedFile at(
                String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
            return new PlacedFile(path);
        }

        @Override
        public String pathOf(long inodeId) {
            return (inodeId % 2 == 0 ? "/tmp/" : "/data/") + inodeId;
        }

        @Override
        public BlockHolders<DatanodeDescriptor> holders(long inodeId) {
            return new BlockHolders<>();
        }
    }

    /** With sparing switched off, the choice is HDFS's again. */
    @Test
    void excessReplicas_whereSparingIsOff_areHdfssChoice() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        cluster.conf().set("foresight.placement.spare.enabled", "false");
        OrthogonalPlacementPolicy policy = policy(cluster);
        BlockPlacementPolicy hdfs = cluster.policyOfHdfs("BlockPlacementPolicyDefault");
        for (int inode = 1; inode <= 100; inode++) {
            DatanodeDescriptor replicaNode = replicaNodes(cluster).drawn(LayoutHash.ofFile(inode), 0);
            List<DatanodeDescriptor> replicas = withThreeOthers(cluster, replicaNode, new Random(inode));
            cluster.nodes().forEach(node -> TestNodes.fill(node, 0.4));
            TestNodes.fill(replicaNode, 0.9);
            TestNodes.report(inode, inode, replicas);
            assertThat(deleted(policy, replicas, 3, replicas.get(3), null))
                    .isEqualTo(deleted(hdfs, replicas, 3, replicas.get(3), null));
        }
    }

    /** Returns the replicas: the replica node's replica first, and the newest replica last. */
    private static List<DatanodeDescriptor> withThreeOthers(
            TestNodes cluster, DatanodeDescriptor replicaNode, Random random) {
        List<DatanodeDescriptor> replicas = new ArrayList<>(cluster.nodes());
        Collections.shuffle(replicas, random);
        replicas.remove(replicaNode);
        replicas = new ArrayList<>(replicas.subList(0, 3));
        replicas.add(0, replicaNode);
        return replicas;
    }

    @Test
    void excessReplicas_whenTheReplicaNodesIsTheOnlyOneOfAnExcessType_itGoes() {
        TestNodes cluster = new TestNodes(List.of());
        for (int i = 0; i < 4; i++) {
            cluster.add("/rack" + i, i == 0 ? StorageType.DISK : StorageType.ARCHIVE);
        }
        DatanodeDescriptor onDisk = cluster.nodes().get(0);
        int inode = IntStream.range(1, 1000)
                .filter(i ->
                        replicaNodes(cluster).drawn(LayoutHash.ofFile(i), 0).equals(onDisk))
                .findFirst()
                .orElseThrow();
        TestNodes.report(inode, 1, cluster.nodes());
        assertThat(deleted(policy(cluster), cluster.nodes(), 3, cluster.nodes().get(3), onDisk))
                .containsExactly(onDisk);
    }

    @Test
    void excessReplicas_ofABlockThatCannotBeKnown_areHdfssChoice() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        List<DatanodeDescriptor> replicas = List.of(
                cluster.nodes().get(0), cluster.nodes().get(2), cluster.nodes().get(4));
        assertThat(deleted(policy, replicas, 2, null, null)).hasSize(1);
        // Another block was reported last.
        TestNodes.report(1, 1, replicas);
        TestNodes.report(2, 2, List.of(cluster.nodes().get(4)));
        assertThat(deleted(
                        policy,
                        replicas,
                        2,
                        cluster.nodes().get(4),
                        cluster.nodes().get(0)))
                .containsExactly(cluster.nodes().get(0));
    }

    @Test
    void excessReplicas_onUpgradeDomains_leaveAsManyDomains() {
        TestNodes cluster = new TestNodes(List.of("/a", "/a", "/b", "/b"));
        for (int node = 0; node < 4; node++) {
            cluster.nodes().get(node).setUpgradeDomain("domain" + Math.min(node, 2));
        }
        OrthogonalPlacementPolicy policy = policyOn("BlockPlacementPolicyWithUpgradeDomain", cluster);
        for (int inode = 1; inode <= 50; inode++) {
            List<DatanodeDescriptor> replicas = new ArrayList<>(cluster.nodes());
            TestNodes.report(inode, inode, replicas);
            assertThat(deleted(policy, replicas, 3, replicas.get(3), null))
                    .hasSize(1)
                    .isSubsetOf(cluster.nodes().get(2), cluster.nodes().get(3));
        }
    }
}

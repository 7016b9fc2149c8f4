/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OrthogonalPlacementPolicyTest extends PlacementFixture {

    private static long racksOf(List<DatanodeDescriptor> nodes) {
        return nodes.stream()
                .map(DatanodeDescriptor::getNetworkLocation)
                .distinct()
                .count();
    }

    @ParameterizedTest
    @CsvSource({"6,3,2", "6,3,3", "6,2,2", "6,2,3", "4,1,3", "12,4,4", "40,8,3", "40,8,5", "3,3,3", "3,1,2", "2,2,2"})
    void newBlocks_ofAnyFileAndWriter_haveOneNodeInCommonAndKeepTheRackRule(int size, int racks, int replicas) {
        TestNodes cluster = new TestNodes(racks(size, racks));
        OrthogonalPlacementPolicy policy = policy(cluster);
        Random random = new Random(size + racks + replicas);
        for (int file = 0; file < 100; file++) {
            String path = "/file" + file;
            DatanodeDescriptor replicaNode = order(cluster, path).get(0);
            for (int block = 0; block < 10; block++) {
                Node writer = random.nextBoolean() ? null : cluster.nodes().get(random.nextInt(size));
                List<DatanodeDescriptor> placed = place(policy, path, replicas, writer, new HashSet<>());
                assertThat(placed).hasSize(replicas).doesNotHaveDuplicates().contains(replicaNode);
                assertRackRule(policy, placed);
                if (writer != null && replicas > 2) {
                    assertThat(placed).as("a local replica").contains((DatanodeDescriptor) writer);
                }
            }
        }
    }

    @Test
    void newBlocks_threeReplicas_originalsAreInTwoRacksSoThatTheNextNodeFindsRoom() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        for (int file = 0; file < 100; file++) {
            String path = "/file" + file;
            DatanodeDescriptor replicaNode = order(cluster, path).get(0);
            List<DatanodeDescriptor> originals =
                    new ArrayList<>(place(policy, path, 3, cluster.nodes().get(file % 6), new HashSet<>()));
            originals.remove(replicaNode);
            if (!replicaNode.equals(cluster.nodes().get(file % 6))) {
                assertThat(racksOf(originals)).isEqualTo(2);
            }
        }
    }

    @Test
    void newBlock_oneReplica_isPlacedAsHdfsDoes() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        for (DatanodeDescriptor writer : cluster.nodes()) {
            assertThat(place(policy, "/file", 1, writer, new HashSet<>())).containsExactly(writer);
        }
    }

    @Test
    void newBlock_clusterOfOne_hasOneReplica() {
        TestNodes cluster = new TestNodes(List.of("/a"));
        assertThat(place(policy(cluster), "/file", 3, null, new HashSet<>()))
                .containsExactlyElementsOf(cluster.nodes());
    }

    @Test
    void replicaNode_thatIsExcludedFullLeavingOrBusy_givesWayToOneOther() {
        for (int reason = 0; reason < 4; reason++) {
            TestNodes cluster = new TestNodes(racks(12, 4));
            List<DatanodeDescriptor> order = order(cluster, "/file");
            DatanodeDescriptor replicaNode = order.get(0);
            Set<Node> excluded = new HashSet<>();
            switch (reason) {
                case 0 -> excluded.add(replicaNode);
                case 1 -> TestNodes.fill(replicaNode);
                case 2 -> TestNodes.retire(replicaNode);
                default -> cluster.load(replicaNode, 100, 10);
            }
            assertThat(inCommon(cluster, policy(cluster), excluded))
                    .as("reason %d", reason)
                    .hasSize(1)
                    .doesNotContain(replicaNode);
        }
    }

    /** Returns the nodes that get a replica of each of 16 blocks of a file. */
    private static Set<DatanodeDescriptor> inCommon(
            TestNodes cluster, OrthogonalPlacementPolicy policy, Set<Node> excluded) {
        Set<DatanodeDescriptor> common = new HashSet<>(cluster.nodes());
        for (int block = 0; block < 16; block++) {
            common.retainAll(place(policy, "/file", 3, null, new HashSet<>(excluded)));
        }
        return common;
    }

    @Test
    void replicaNode_thatComesBack_hasItsFilesAgain() {
        TestNodes cluster = new TestNodes(racks(12, 4));
        OrthogonalPlacementPolicy policy = policy(cluster);
        DatanodeDescriptor replicaNode = order(cluster, "/file").get(0);
        assertThat(inCommon(cluster, policy, Set.of())).containsExactly(replicaNode);
        cluster.topology().remove(replicaNode);
        await().until(() -> policy.candidates() == 11);
        assertThat(inCommon(cluster, policy, Set.of())).hasSize(1).doesNotContain(replicaNode);
        cluster.topology().add(replicaNode);
        await().until(() -> policy.candidates() == 12);
        assertThat(inCommon(cluster, policy, Set.of())).containsExactly(replicaNode);
    }

    @Test
    void storagePolicy_ofATypeThatFewHave_isServedByTheFirstInOrderThatHasIt() {
        TestNodes cluster = new TestNodes(racks(20, 5));
        for (int i = 0; i < 5; i++) {
            cluster.add("/rack" + i, StorageType.ARCHIVE);
        }
        OrthogonalPlacementPolicy policy = policy(cluster);
        BlockStoragePolicy cold = POLICIES.getPolicy(HdfsConstants.COLD_STORAGE_POLICY_NAME);
        for (int file = 0; file < 50; file++) {
            String path = "/file" + file;
            DatanodeDescriptor expected = order(cluster, path).stream()
                    .filter(node -> node.hasStorageType(StorageType.ARCHIVE))
                    .findFirst()
                    .orElseThrow();
            DatanodeStorageInfo[] placed =
                    TestNodes.chooseForNewBlock(policy, path, 3, null, new HashSet<>(), List.of(), cold);
            assertThat(placed).hasSize(3).allMatch(storage -> storage.getStorageType() == StorageType.ARCHIVE);
            assertThat(nodes(placed)).contains(expected);
        }
    }

    @Test
    void favouredNodes_comeFirst_andTheReplicaNodeTakesWhatIsLeft() {
        TestNodes cluster = new TestNodes(racks(12, 4));
        OrthogonalPlacementPolicy policy = policy(cluster);
        DatanodeDescriptor replicaNode = order(cluster, "/file").get(0);
        List<DatanodeDescriptor> others = new ArrayList<>(cluster.nodes());
        others.removeIf(node -> node.getNetworkLocation().equals(replicaNode.getNetworkLocation()));
        List<DatanodeDescriptor> one = others.subList(0, 1);
        List<DatanodeDescriptor> three = others.subList(0, 3);
        for (int i = 0; i < 10; i++) {
            assertThat(nodes(TestNodes.chooseForNewBlock(policy, "/file", 3, null, new HashSet<>(), three, HOT)))
                    .containsExactlyInAnyOrderElementsOf(three);
            assertThat(nodes(TestNodes.chooseForNewBlock(policy, "/file", 3, null, new HashSet<>(), one, HOT)))
                    .hasSize(3)
                    .containsAll(one)
                    .contains(replicaNode);
            assertThat(nodes(TestNodes.chooseForNewBlock(
                            policy, "/file", 2, null, new HashSet<>(), List.of(replicaNode), HOT)))
                    .hasSize(2)
                    .contains(replicaNode);
        }
    }

    private static List<DatanodeDescriptor> remake(
            BlockPlacementPolicy policy, String path, int replicas, List<DatanodeDescriptor> left) {
        List<DatanodeStorageInfo> chosen = left.stream().map(TestNodes::storage).collect(Collectors.toList());
        return nodes(policy.chooseTarget(
                path, replicas, left.get(0), chosen, false, new HashSet<>(left), TestNodes.BLOCK, HOT, null));
    }

    @Test
    void lostReplica_isMadeAgainOnTheReplicaNode() {
        TestNodes cluster = new TestNodes(racks(12, 4));
        OrthogonalPlacementPolicy policy = policy(cluster);
        List<DatanodeDescriptor> order = order(cluster, "/file");
        List<DatanodeDescriptor> left = List.of(
                differentRack(order, order.get(0), List.of()),
                differentRack(order, order.get(0), List.of(order.get(5))));
        assertThat(remake(policy, "/file", 1, left.subList(0, 1))).containsExactly(order.get(0));
        assertThat(remake(policy, "/file", 2, left.subList(0, 1))).hasSize(2).contains(order.get(0));
    }

    /** HDFS's own check of a target's load: more than twice the mean. */
    @Test
    void lostReplica_whoseReplicaNodeIsBusy_isMadeAgainAsHdfsDoes() {
        TestNodes cluster = new TestNodes(racks(12, 4));
        OrthogonalPlacementPolicy policy = policy(cluster);
        List<DatanodeDescriptor> order = order(cluster, "/file");
        List<DatanodeDescriptor> left = List.of(differentRack(order, order.get(0), List.of()));
        cluster.load(order.get(0), 20, 10);
        assertThat(remake(policy, "/file", 1, left)).containsExactly(order.get(0));
        cluster.load(order.get(0), 6, 2);
        for (int i = 0; i < 20; i++) {
            assertThat(remake(policy, "/file", 1, left)).hasSize(1).doesNotContain(order.get(0));
        }
        cluster.conf().set("dfs.namenode.redundancy.considerLoad", "false");
        assertThat(remake(policy(cluster), "/file", 1, left)).containsExactly(order.get(0));
    }

    /**
     * New blocks go to a replica node as to a favoured node, which HDFS accepts at any load. Foresight chooses a stand-in node at four times the
     * mean.
     */
    @Test
    void newBlock_replicaNodeOverFourTimesTheMean_givesWayWhereHdfsTakesAFavouredNode() {
        TestNodes cluster = new TestNodes(racks(12, 4));
        OrthogonalPlacementPolicy policy = policy(cluster);
        DatanodeDescriptor replicaNode = order(cluster, "/file").get(0);
        cluster.load(replicaNode, 39, 10);
        assertThat(place(policy, "/file", 3, null, new HashSet<>())).contains(replicaNode);
        cluster.load(replicaNode, 41, 10);
        assertThat(place(policy, "/file", 3, null, new HashSet<>())).doesNotContain(replicaNode);
        assertThat(nodes(TestNodes.chooseForNewBlock(
                        policy, "/file", 3, null, new HashSet<>(), List.of(replicaNode), HOT)))
                .contains(replicaNode);
    }

    /** Two calls visit a node. Reading the nodes asks each node for its name. Offering a replica asks each candidate for its storage types. */
    @Test
    void standInNode_isFoundAmong5000_byAsFewVisitsAsAmong100() {
        long few = visitsOfStandIns(100, 10);
        long many = visitsOfStandIns(5000, 50);
        assertThat(many)
                .as("visits among 5,000 nodes, beside %d among 100", few)
                .isBetween(few / 3, 3 * few);
    }

    private static long visitsOfStandIns(int size, int racks) {
        TestNodes cluster = new TestNodes(racks(size, racks));
        OrthogonalPlacementPolicy policy = policy(cluster);
        ReplicaNodes<DatanodeDescriptor> nodes = replicaNodes(cluster);
        long before = TestNodes.visitsByThisThread();
        for (int file = 0; file < 100; file++) {
            String path = "/file" + file;
            DatanodeDescriptor replicaNode = nodes.drawn(LayoutHash.ofName(path), 0);
            assertThat(place(policy, path, 3, null, new HashSet<>(Set.of(replicaNode))))
                    .hasSize(3)
                    .doesNotContain(replicaNode);
        }
        return TestNodes.visitsByThisThread() - before;
    }

    /** Racks and upgrade domains are independent of each other, as HDFS recommends. */
    @ParameterizedTest
    @CsvSource({
        "BlockPlacementPolicyWithUpgradeDomain,2",
        "BlockPlacementPolicyWithUpgradeDomain,3",
        "BlockPlacementPolicyRackFaultTolerant,2",
        "BlockPlacementPolicyRackFaultTolerant,3",
        "BlockPlacementPolicyRackFaultTolerant,6",
        "AvailableSpaceBlockPlacementPolicy,2",
        "AvailableSpaceBlockPlacementPolicy,3",
        "AvailableSpaceRackFaultTolerantBlockPlacementPolicy,3"
    })
    void newBlocks_onAnotherPolicyOfHdfs_satisfyItAndHaveOneNodeInCommon(String base, int replicas) {
        TestNodes cluster = new TestNodes(racks(40, 5));
        for (int node = 0; node < 40; node++) {
            cluster.nodes().get(node).setUpgradeDomain("domain" + node / 5 % 4);
        }
        OrthogonalPlacementPolicy policy = policyOn(base, cluster);
        BlockPlacementPolicy hdfs = cluster.policyOfHdfs(base);
        Random random = new Random(replicas);
        int whole = 0;
        int files = 60;
        for (int file = 0; file < files; file++) {
            Node writer = file % 2 == 0 ? null : cluster.nodes().get(random.nextInt(40));
            Set<DatanodeDescriptor> common = new HashSet<>(cluster.nodes());
            for (int block = 0; block < 10; block++) {
                List<DatanodeDescriptor> placed = place(policy, "/file" + file, replicas, writer, new HashSet<>());
                assertThat(placed).hasSize(replicas).doesNotHaveDuplicates();
                assertRackRule(hdfs, placed);
                common.retainAll(placed);
            }
            whole += common.isEmpty() ? 0 : 1;
        }
        assertThat(whole).as("files that one node has all blocks of").isEqualTo(files);
    }

    /** Of four replicas, two are in one upgrade domain. HDFS chooses between these two, even if the replica node has neither or either of them. */
    @Test
    void baseThatIsNoPolicyOfHdfs_isRefusedAsHdfsWouldRefuseIt() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        for (String base : List.of("no.such.Policy", "java.lang.String", OrthogonalPlacementPolicy.class.getName())) {
            cluster.conf().set("foresight.placement.base.classname", base);
            assertThatThrownBy(() -> policy(cluster))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("foresight.placement.base.classname=" + base);
        }
    }

    @Test
    void policyForErasureCodedFiles_isHdfssRackFaultTolerantOne() {
        TestNodes cluster = new TestNodes(racks(12, 6));
        cluster.conf().set("dfs.block.placement.ec.classname", OrthogonalPlacementPolicy.class.getName());
        assertEachInItsRack(policy(cluster));
        cluster.conf().set("dfs.block.replicator.classname", OrthogonalPlacementPolicy.class.getName());
        for (int pair = 0; pair < 2; pair++) {
            OrthogonalPlacementPolicy forReplicas = policy(cluster);
            assertThat(forReplicas.candidates()).isEqualTo(12);
            assertEachInItsRack(policy(cluster));
        }
    }

    private static void assertEachInItsRack(OrthogonalPlacementPolicy policy) {
        assertThat(policy.candidates()).isZero();
        for (int block = 0; block < 20; block++) {
            assertThat(racksOf(place(policy, "/file", 6, null, new HashSet<>())))
                    .isEqualTo(6);
        }
    }

    private static DatanodeDescriptor differentRack(
            List<DatanodeDescriptor> nodes, DatanodeDescriptor from, List<DatanodeDescriptor> not) {
        return nodes.stream()
                .filter(node -> !node.getNetworkLocation().equals(from.getNetworkLocation()) && !not.contains(node))
                .findFirst()
                .orElseThrow();
    }

    private static DatanodeDescriptor sameRack(List<DatanodeDescriptor> nodes, DatanodeDescriptor as) {
        return nodes.stream()
                .filter(node -> !node.equals(as) && node.getNetworkLocation().equals(as.getNetworkLocation()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lostReplica_withTheOtherInTheReplicaNodesRack_isMadeInAnotherRackAndBesidesThere() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        for (int file = 0; file < 50; file++) {
            String path = "/file" + file;
            DatanodeDescriptor replicaNode = order(cluster, path).get(0);
            DatanodeDescriptor left = sameRack(cluster.nodes(), replicaNode);
            List<DatanodeDescriptor> made = remake(policy, path, 1, List.of(left));
            assertThat(made).hasSize(2).contains(replicaNode);
            List<DatanodeDescriptor> inOtherRacks = new ArrayList<>(made);
            inOtherRacks.remove(replicaNode);
            assertThat(inOtherRacks.get(0).getNetworkLocation()).isNotEqualTo(left.getNetworkLocation());
        }
        cluster.conf().set("foresight.placement.return.enabled", "false");
        OrthogonalPlacementPolicy without = policy(cluster);
        DatanodeDescriptor left =
                sameRack(cluster.nodes(), order(cluster, "/file").get(0));
        assertThat(remake(without, "/file", 1, List.of(left))).hasSize(1);
    }

    /** The client accepts exactly one replica more than it has. */
    @Test
    void pipelineRecovery_getsExactlyTheNodesThatItAsksFor() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = policy(cluster);
        for (int file = 0; file < 50; file++) {
            String path = "/file" + file;
            DatanodeDescriptor left =
                    sameRack(cluster.nodes(), order(cluster, path).get(0));
            DatanodeStorageInfo[] all = policy.chooseTarget(
                    path, 1, left, List.of(TestNodes.storage(left)), true, new HashSet<>(), TestNodes.BLOCK, HOT, null);
            assertThat(nodes(all)).hasSize(2).contains(left);
        }
    }

    @Test
    void valueThatIsNotAccepted_leavesPlacementToHdfs() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        cluster.conf().set("foresight.placement.files.max", "many");
        OrthogonalPlacementPolicy policy = policy(cluster);
        Set<DatanodeDescriptor> common = new HashSet<>(cluster.nodes());
        for (int block = 0; block < 30; block++) {
            List<DatanodeDescriptor> placed = place(policy, "/file", 3, null, new HashSet<>());
            assertThat(placed).hasSize(3);
            common.retainAll(placed);
        }
        assertThat(common).as("nodes of all 30 blocks").isEmpty();
    }

    @Test
    void tools_whichHaveNoStatistics_getHdfssPolicy() {
        TestNodes cluster = new TestNodes(SIX_IN_THREE_RACKS);
        OrthogonalPlacementPolicy policy = new OrthogonalPlacementPolicy();
        policy.initialize(cluster.conf(), null, cluster.topology(), null);
        List<DatanodeInfo> replicas = List.copyOf(cluster.nodes().subList(0, 3));
        assertThat(policy.isMovable(replicas, replicas.get(0), cluster.nodes().get(5)))
                .isTrue();
    }

    @Test
    void spread_ofManyFiles_isThatOfCapacities() {
        TestNodes cluster = new TestNodes(racks(6, 6));
        cluster.nodes().get(0).setCapacity(2 * cluster.nodes().get(0).getCapacity());
        OrthogonalPlacementPolicy policy = policy(cluster);
        int files = 7000;
        int[] held = new int[6];
        for (int file = 0; file < files; file++) {
            Set<DatanodeDescriptor> common = new HashSet<>(cluster.nodes());
            for (int block = 0; block < 12; block++) {
                common.retainAll(place(policy, "/file" + file, 3, null, new HashSet<>()));
            }
            common.forEach(node -> held[cluster.nodes().indexOf(node)]++);
        }
        assertThat(held[0]).isBetween(1850, 2200);
        for (int node = 1; node < 6; node++) {
            assertThat(held[node]).isBetween(900, 1130);
        }
    }
}

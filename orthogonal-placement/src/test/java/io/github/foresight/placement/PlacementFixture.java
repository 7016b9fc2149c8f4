/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.apache.hadoop.net.Node;

/** Clusters of nodes without daemons, their replica nodes, and placements there. */
abstract class PlacementFixture {

    static final BlockStoragePolicySuite POLICIES = BlockStoragePolicySuite.createDefaultSuite();
    static final BlockStoragePolicy HOT = POLICIES.getDefaultPolicy();
    static final List<String> SIX_IN_THREE_RACKS = List.of("/a", "/a", "/b", "/b", "/c", "/c");

    static List<String> racks(int nodes, int racks) {
        return IntStream.range(0, nodes).mapToObj(i -> "/rack" + i % racks).collect(Collectors.toList());
    }

    static OrthogonalPlacementPolicy policy(TestNodes cluster) {
        OrthogonalPlacementPolicy policy = new OrthogonalPlacementPolicy();
        cluster.conf().set("foresight.placement.nodes.refresh", "10ms");
        cluster.initialize(policy);
        return policy;
    }

    static ReplicaNodes<DatanodeDescriptor> replicaNodes(TestNodes cluster) {
        ReplicaNodes.Builder<DatanodeDescriptor> builder = ReplicaNodes.builder();
        cluster.nodes()
                .forEach(node -> builder.add(node, node.getDatanodeUuid(), CapacityClass.weight(node.getCapacity())));
        return builder.build();
    }

    /** Returns the nodes in the order of a file that is identified by a number. */
    static List<DatanodeDescriptor> order(TestNodes cluster, long file) {
        ReplicaNodes<DatanodeDescriptor> nodes = replicaNodes(cluster);
        return IntStream.iterate(0, draw -> draw + 1)
                .mapToObj(draw -> nodes.drawn(file, draw))
                .distinct()
                .limit(nodes.size())
                .collect(Collectors.toList());
    }

    static List<DatanodeDescriptor> order(TestNodes cluster, String path) {
        return order(cluster, LayoutHash.ofName(path));
    }

    static List<DatanodeDescriptor> nodes(DatanodeStorageInfo... storages) {
        return Arrays.stream(storages)
                .map(DatanodeStorageInfo::getDatanodeDescriptor)
                .collect(Collectors.toList());
    }

    static List<DatanodeDescriptor> place(
            BlockPlacementPolicy policy, String path, int replicas, Node writer, Set<Node> excluded) {
        return nodes(TestNodes.chooseForNewBlock(policy, path, replicas, writer, excluded, List.of(), HOT));
    }

    static void assertRackRule(BlockPlacementPolicy policy, List<DatanodeDescriptor> placed) {
        assertThat(policy.verifyBlockPlacement(placed.toArray(DatanodeInfo[]::new), placed.size())
                        .isPlacementPolicySatisfied())
                .as("racks of %s", placed)
                .isTrue();
    }

    static final String HDFS = "org.apache.hadoop.hdfs.server.blockmanagement.";

    static OrthogonalPlacementPolicy policyOn(String base, TestNodes cluster) {
        cluster.conf().set("foresight.placement.base.classname", HDFS + base);
        return policy(cluster);
    }
}

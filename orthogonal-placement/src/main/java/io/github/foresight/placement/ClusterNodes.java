/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.ReplicaNodes;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The DataNodes that may be replica nodes: those that are alive and in service, by the capacity of their disks.
 *
 * <p>A thread of its own ({@link NodesRefresh}) reads them from HDFS's topology anew each period. Nobody else waits for that: a handler takes what was read
 * last, in constant time, and asks of each node that it means to use whether the node is still there. So a node that joins has its files a period
 * later at most, and one that is gone gets nothing from the moment on that HDFS knows. Thread-safe.
 */
final class ClusterNodes {

    private final NetworkTopology topology;
    private volatile ReplicaNodes<DatanodeDescriptor> nodes =
            ReplicaNodes.<DatanodeDescriptor>builder().build();

    /** Knows no nodes yet. */
    ClusterNodes(NetworkTopology topology) {
        this.topology = topology;
    }

    /** The nodes as they were last read. */
    ReplicaNodes<DatanodeDescriptor> get() {
        return nodes;
    }

    /** Whether a node may be a replica node now. */
    boolean isThere(DatanodeDescriptor node) {
        return node.isInService() && topology.contains(node);
    }

    /** Reads the nodes; linear in them, and not for a handler. */
    void renew() {
        ReplicaNodes.Builder<DatanodeDescriptor> builder = ReplicaNodes.builder();
        for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
            if (leaf instanceof DatanodeDescriptor) {
                DatanodeDescriptor node = (DatanodeDescriptor) leaf;
                String name = node.getDatanodeUuid();
                if (name != null && node.isInService()) {
                    builder.add(node, name, CapacityClass.weight(node.getCapacity()));
                }
            }
        }
        nodes = builder.build();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.ReplicaNodes;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The DataNodes that may be replica nodes: DataNodes that are alive and in service, weighted by the capacity of their disks.
 *
 * <p>A separate thread ({@link NodesRefresh}) reads the DataNodes from HDFS's topology in each period. An RPC handler never waits for this thread.
 * The handler takes the last list in constant time, and checks each node from the list that it wants to use. A node that joins receives files after
 * one period at most. A node that leaves receives nothing from the moment when HDFS notices. Thread-safe.
 */
final class ClusterNodes {

    private final NetworkTopology topology;
    private volatile ReplicaNodes<DatanodeDescriptor> nodes =
            ReplicaNodes.<DatanodeDescriptor>builder().build();

    /** Makes an empty list; {@link #renew} fills it. */
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

    /** Reads the nodes from the topology. The time is linear in the number of nodes, so no RPC handler calls this method. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's default placement policy with what is private to its package made reachable: the statistics that it is given, the call
 * with favoured nodes, and its check of a node's load. Decides nothing itself.
 */
public abstract class PlacementHooks extends BlockPlacementPolicyDefault {

    @Override
    public void initialize(
            Configuration conf,
            @Nullable FSClusterStats stats,
            NetworkTopology topology,
            @Nullable Host2NodesMap host2datanodeMap) {
        super.initialize(conf, stats, topology, host2datanodeMap);
        initialized(conf, stats, topology);
    }

    /**
     * Called once, when the default policy has its settings.
     *
     * @param stats of the NameNode; null in the Balancer, the Mover and other tools, which place nothing
     */
    protected abstract void initialized(Configuration conf, @Nullable FSClusterStats stats, NetworkTopology topology);

    @Override
    DatanodeStorageInfo[] chooseTarget(
            String src,
            int numOfReplicas,
            Node writer,
            Set<Node> excludedNodes,
            long blocksize,
            @Nullable List<DatanodeDescriptor> favoredNodes,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        try {
            return super.chooseTarget(
                    src, numOfReplicas, writer, excludedNodes, blocksize, favoredNodes, storagePolicy, flags);
        } finally {
            if (favoredNodes != null && !favoredNodes.isEmpty()) {
                favouredNodesPlaced();
            }
        }
    }

    /** Called when a call with favoured nodes ends, whether or not all replicas have found a place on them. */
    protected abstract void favouredNodesPlaced();

    /** Whether a node has too many transfers to be a target, by HDFS's own check; for policies with {@code considerLoad} on. */
    protected final boolean isTooBusy(DatanodeDescriptor node) {
        return considerLoad && excludeNodeByLoad(node);
    }
}

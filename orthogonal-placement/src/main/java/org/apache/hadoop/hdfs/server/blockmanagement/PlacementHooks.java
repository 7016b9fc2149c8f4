/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Iterator;
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
 * with favoured nodes, and the block lists of storages. Decides nothing itself.
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

    /**
     * The file of a block that has just got a replica, by its inode id, from a storage's list of blocks: HDFS adds at its head.
     *
     * @param added the replica's storage; the caller holds the lock under which it was added
     * @param replicas all of the block, by which it is known for sure not to be another
     * @return null if the head of the list is another block
     */
    protected static @Nullable Long fileOfNewest(DatanodeStorageInfo added, Collection<DatanodeStorageInfo> replicas) {
        Iterator<BlockInfo> blocks = added.getBlockIterator();
        if (!blocks.hasNext()) {
            return null;
        }
        BlockInfo newest = blocks.next();
        for (DatanodeStorageInfo replica : replicas) {
            if (newest.findStorageInfo(replica) < 0) {
                return null;
            }
        }
        return newest.isDeleted() ? null : newest.getBlockCollectionId();
    }
}

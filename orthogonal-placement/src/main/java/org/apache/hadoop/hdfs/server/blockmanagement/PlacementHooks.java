/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * A placement policy on top of an HDFS policy, the base policy. This class gives subclasses access to package-private methods of HDFS.
 *
 * <p>The default policy's outer steps choose the number of attempts and the storage types. Each inner step that a policy may override is delegated
 * to the base policy. So a subclass that overrides one inner step changes only that step. A subclass can also hand a whole call to the base policy.
 * This class decides nothing itself.
 */
public abstract class PlacementHooks extends BlockPlacementPolicyDefault {

    private BlockPlacementPolicyDefault base = new BlockPlacementPolicyDefault();

    @Override
    public void initialize(
            Configuration conf,
            @Nullable FSClusterStats stats,
            NetworkTopology topology,
            @Nullable Host2NodesMap host2datanodeMap) {
        super.initialize(conf, stats, topology, host2datanodeMap);
        BlockPlacementPolicyDefault chosen = ReflectionUtils.newInstance(baseClass(conf, topology), conf);
        chosen.initialize(conf, stats, topology, host2datanodeMap);
        base = chosen;
        initialized(conf, stats, topology);
    }

    /** Returns the class of the base policy; called once, before {@link #initialized}. */
    protected abstract Class<? extends BlockPlacementPolicyDefault> baseClass(
            Configuration conf, NetworkTopology topology);

    /**
     * Called once, after the initialisation of the base policy.
     *
     * @param stats statistics of the NameNode; null in the Balancer, the Mover and other tools, which place nothing
     */
    protected abstract void initialized(Configuration conf, @Nullable FSClusterStats stats, NetworkTopology topology);

    /** Returns the base policy, for calls that are handed to it as a whole. */
    protected final BlockPlacementPolicy base() {
        return base;
    }

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
        if (isLeftToBase(src)) {
            return base.chooseTarget(
                    src, numOfReplicas, writer, excludedNodes, blocksize, favoredNodes, storagePolicy, flags);
        }
        try {
            return super.chooseTarget(
                    src, numOfReplicas, writer, excludedNodes, blocksize, favoredNodes, storagePolicy, flags);
        } finally {
            if (favoredNodes != null && !favoredNodes.isEmpty()) {
                favouredNodesPlaced();
            }
        }
    }

    /** Whether the base policy alone places the blocks of a path. */
    protected abstract boolean isLeftToBase(@Nullable String path);

    /** Called at the end of a call with favoured nodes, whether or not all replicas found a place on favoured nodes. */
    protected abstract void favouredNodesPlaced();

    /** Whether a node has too many transfers to be a target, by HDFS's own check; false if {@code considerLoad} is off. */
    protected final boolean isTooBusy(DatanodeDescriptor node) {
        return considerLoad && base.excludeNodeByLoad(node);
    }

    @Override
    protected int[] getMaxNodesPerRack(int numOfChosen, int numOfReplicas) {
        return base.getMaxNodesPerRack(numOfChosen, numOfReplicas);
    }

    @Override
    protected void chooseFavouredNodes(
            String src,
            int numOfReplicas,
            List<DatanodeDescriptor> favoredNodes,
            Set<Node> favoriteAndExcludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        base.chooseFavouredNodes(
                src,
                numOfReplicas,
                favoredNodes,
                favoriteAndExcludedNodes,
                blocksize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes);
    }

    @Override
    protected @Nullable Node chooseTargetInOrder(
            int numOfReplicas,
            @Nullable Node writer,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            boolean newBlock,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        return base.chooseTargetInOrder(
                numOfReplicas,
                writer,
                excludedNodes,
                blocksize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                newBlock,
                storageTypes);
    }

    @Override
    protected @Nullable DatanodeStorageInfo chooseLocalOrFavoredStorage(
            @Nullable Node localOrFavoredNode,
            boolean isFavoredNode,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        return base.chooseLocalOrFavoredStorage(
                localOrFavoredNode,
                isFavoredNode,
                excludedNodes,
                blocksize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes);
    }

    @Override
    protected @Nullable DatanodeStorageInfo chooseLocalStorage(
            @Nullable Node localMachine,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        return base.chooseLocalStorage(
                localMachine, excludedNodes, blocksize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
    }

    @Override
    protected @Nullable DatanodeStorageInfo chooseLocalStorage(
            @Nullable Node localMachine,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes,
            boolean fallbackToLocalRack)
            throws NotEnoughReplicasException {
        return base.chooseLocalStorage(
                localMachine,
                excludedNodes,
                blocksize,
                maxNodesPerRack,
                results,
                avoidStaleNodes,
                storageTypes,
                fallbackToLocalRack);
    }

    @Override
    protected @Nullable DatanodeStorageInfo chooseLocalRack(
            @Nullable Node localMachine,
            Set<Node> excludedNodes,
            long blocksize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException {
        return base.chooseLocalRack(
                localMachine, excludedNodes, blocksize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
    }

    @Override
    protected int addToExcludedNodes(DatanodeDescriptor localMachine, Set<Node> excludedNodes) {
        return base.addToExcludedNodes(localMachine, excludedNodes);
    }

    @Override
    boolean isGoodDatanode(
            DatanodeDescriptor node,
            int maxTargetPerRack,
            boolean considerLoad,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes) {
        return base.isGoodDatanode(node, maxTargetPerRack, considerLoad, results, avoidStaleNodes);
    }

    @Override
    public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] locs, int numberOfReplicas) {
        return base.verifyBlockPlacement(locs, numberOfReplicas);
    }

    @Override
    public boolean isMovable(Collection<DatanodeInfo> locs, DatanodeInfo source, DatanodeInfo target) {
        return base.isMovable(locs, source, target);
    }

    @Override
    protected String getRack(DatanodeInfo datanode) {
        return base.getRack(datanode);
    }

    @Override
    protected Collection<DatanodeStorageInfo> pickupReplicaSet(
            Collection<DatanodeStorageInfo> moreThanOne,
            Collection<DatanodeStorageInfo> exactlyOne,
            Map<String, List<DatanodeStorageInfo>> rackMap) {
        return base.pickupReplicaSet(moreThanOne, exactlyOne, rackMap);
    }

    @Override
    boolean useDelHint(
            @Nullable DatanodeStorageInfo delHint,
            @Nullable DatanodeStorageInfo added,
            List<DatanodeStorageInfo> moreThanOne,
            Collection<DatanodeStorageInfo> exactlyOne,
            List<StorageType> excessTypes) {
        return base.useDelHint(delHint, added, moreThanOne, exactlyOne, excessTypes);
    }

    @Override
    void setPreferLocalNode(boolean prefer) {
        base.setPreferLocalNode(prefer);
    }

    @Override
    public void setExcludeSlowNodesEnabled(boolean enable) {
        base.setExcludeSlowNodesEnabled(enable);
    }

    @Override
    public boolean getExcludeSlowNodesEnabled() {
        return base.getExcludeSlowNodesEnabled();
    }

    @Override
    public void setMinBlocksForWrite(int minBlocksForWrite) {
        base.setMinBlocksForWrite(minBlocksForWrite);
    }

    @Override
    public int getMinBlocksForWrite() {
        return base.getMinBlocksForWrite();
    }
}

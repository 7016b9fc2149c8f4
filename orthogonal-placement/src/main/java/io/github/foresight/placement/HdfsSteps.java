/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.util.EnumMap;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * The steps in which the base policy chooses places for the replicas of a block. Each step adds its places to the results of the choice. A step
 * that must find a place and finds none throws {@link NotEnoughReplicasException}.
 */
interface HdfsSteps {

    /**
     * Places replicas by the base policy's own rules.
     *
     * @return the node of the first replica, as HDFS's {@code chooseTargetInOrder} returns it
     */
    @Nullable
    Node rest(Choice choice, int replicas, @Nullable Node writer) throws NotEnoughReplicasException;

    /**
     * Gives a replica to a node if HDFS's check for favoured nodes allows it.
     *
     * @param mostPerRack the largest number of replicas in the node's rack
     * @param types the storage types that are still needed
     */
    boolean take(Choice choice, DatanodeDescriptor node, int mostPerRack, EnumMap<StorageType, Integer> types)
            throws NotEnoughReplicasException;

    /** Chooses the writer's own node; null if it is unsuitable. */
    @Nullable
    DatanodeStorageInfo local(Choice choice, DatanodeDescriptor writer) throws NotEnoughReplicasException;

    /** Chooses the writer's own node, or one near it. */
    @Nullable
    DatanodeStorageInfo localOrNear(Choice choice, @Nullable Node writer) throws NotEnoughReplicasException;

    /** Chooses a node in the writer's rack, or one elsewhere. */
    void inRackOf(Choice choice, DatanodeDescriptor writer) throws NotEnoughReplicasException;

    /** Whether the base policy looks at the load of nodes. */
    boolean considersLoad();

    /** Whether a node has too many transfers to be a target, by HDFS's own check. */
    boolean isTooBusy(DatanodeDescriptor node);
}

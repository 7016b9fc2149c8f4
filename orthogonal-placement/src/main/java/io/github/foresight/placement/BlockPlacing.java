/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.util.Collections;
import java.util.EnumMap;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * Places the replicas of one block: one on the file's replica node or on a stand-in node, the others by the base policy. {@link
 * OrthogonalPlacementPolicy} says in which order, and why. Not thread-safe.
 */
final class BlockPlacing {

    /** A node with at most this many transfers is never overloaded, however idle the other nodes are. */
    private static final int LIGHT_LOAD = 16;

    private final PlacementParts parts;
    private final Search search;
    private final Choice choice;
    private final HdfsSteps hdfs;

    BlockPlacing(PlacementParts parts, Search search, Choice choice, HdfsSteps hdfs) {
        this.parts = parts;
        this.search = search;
        this.choice = choice;
        this.hdfs = hdfs;
    }

    /**
     * Places the replicas of a block that has none.
     *
     * @param replicas how many, at least 1
     * @return the node of the first replica
     */
    @Nullable
    Node newBlock(int replicas, @Nullable Node writer) throws NotEnoughReplicasException {
        int wanted = replicas;
        // If the replica node and the writer's node share a rack that takes one replica, only one of the two nodes can
        // have a replica.
        boolean isReplicaNodeFirst = replicas == 2 || choice.maxPerRack == 1;
        if (isReplicaNodeFirst) {
            if (!isChosen()) {
                return hdfs.rest(choice, wanted, writer);
            }
            wanted--;
            if (writer instanceof DatanodeDescriptor && takeNear((DatanodeDescriptor) writer)) {
                wanted--;
            }
        } else {
            // The base policy may reject the replica node because of a first node chosen at random. Therefore the first
            // node is chosen after the replica node, and moved before it in the list.
            boolean isLocal = writer instanceof DatanodeDescriptor;
            if (!isLocal && isChosen()) {
                wanted--;
            }
            DatanodeStorageInfo first = null;
            if (replicas > 1) {
                first = hdfs.localOrNear(choice, writer);
                wanted--;
            }
            if (isLocal) {
                wanted -= isChosen() ? 1 : 0;
            } else if (first != null && choice.results.size() > 1) {
                Collections.swap(choice.results, 0, 1);
            }
            if (first == null && wanted == replicas) {
                return hdfs.rest(choice, wanted, writer);
            }
        }
        if (wanted > 0) {
            // The writer's node was already checked. If a rack takes one replica, a base policy that checks the
            // writer's node again searches its whole rack in vain.
            hdfs.rest(choice, wanted, isReplicaNodeFirst ? null : writer);
        }
        return choice.results.get(0).getDatanodeDescriptor();
    }

    /**
     * Places further replicas of a block.
     *
     * @param replicas how many, at least 1
     * @param isReconstruction whether lost replicas are made again; an additional replica does no harm then
     */
    @Nullable
    Node beside(int replicas, @Nullable Node writer, boolean isReconstruction) throws NotEnoughReplicasException {
        EnumMap<StorageType, Integer> typesBefore = choice.types.clone();
        boolean isPlaced = isReconstruction ? isRemade() : isChosen();
        int wanted = isPlaced ? replicas - 1 : replicas;
        Node local = wanted > 0 ? hdfs.rest(choice, wanted, writer) : writer;
        DatanodeDescriptor crowded = search.crowded();
        if (crowded != null
                && parts.returnEnabled
                && isReconstruction
                && !choice.isOn(crowded)
                && hdfs.take(choice, crowded, Integer.MAX_VALUE, typesBefore)
                && isCounted(crowded)) {
            parts.metrics.restored.incr();
        }
        return local;
    }

    /** Places the replica of a new block on the replica node, or on a stand-in node. */
    private boolean isChosen() throws NotEnoughReplicasException {
        return search.run(choice, Search.Gate.OPEN, node -> !isOverloaded(node) && take(node)) == Search.Outcome.CHOSEN;
    }

    /** Makes a lost replica again on the replica node, or on a stand-in node, if the bound of scheduled blocks allows it. */
    private boolean isRemade() throws NotEnoughReplicasException {
        return search.run(choice, this::mayRecover, node -> take(node) && isCounted(node)) == Search.Outcome.CHOSEN;
    }

    private boolean take(DatanodeDescriptor node) throws NotEnoughReplicasException {
        return hdfs.take(choice, node, choice.maxPerRack, choice.types);
    }

    private boolean mayRecover(DatanodeDescriptor node) {
        return !hdfs.isTooBusy(node) && parts.recovery.admits(node, node.getBlocksScheduled(), System.nanoTime());
    }

    private boolean isCounted(DatanodeDescriptor node) {
        parts.recovery.assigned(node, System.nanoTime());
        return true;
    }

    private boolean isOverloaded(DatanodeDescriptor node) {
        if (!hdfs.considersLoad() || parts.loadFactor == 0 || node.getXceiverCount() <= LIGHT_LOAD) {
            return false;
        }
        double mean = parts.stats.getInServiceXceiverAverage();
        return mean > 0 && node.getXceiverCount() > parts.loadFactor * mean;
    }

    /**
     * Chooses the writer's own node. If it is unsuitable, chooses a node in the writer's rack, unless the rack is full. Returns false if the rack is
     * full.
     */
    private boolean takeNear(DatanodeDescriptor writer) throws NotEnoughReplicasException {
        if (hdfs.local(choice, writer) != null) {
            return true;
        }
        if (choice.isCrowded(writer)) {
            return false;
        }
        hdfs.inRackOf(choice, writer);
        return true;
    }
}

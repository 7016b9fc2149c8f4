/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that one replica of a block is offered to, in turn: the file's replica node, and then those that stand in for it.
 *
 * <p>The replica node is the one that the file's blocks have gone to so far. A new file has none: of two that are drawn for it it gets
 * the one that has had fewer files, and from its first block on it is told by where that lies. Stand-in nodes are drawn by the file's number,
 * one after the other, {@value #DRAWS_MAX} times at most: a few draws find one however many nodes there are, and a storage type that one node in a
 * hundred has is found in nine of ten cases. Not thread-safe.
 */
final class Candidates {

    private static final int DRAWS_MAX = 256;

    private final PlacementParts parts;
    private final ReplicaNodes<DatanodeDescriptor> nodes;
    private final PlacedFile file;
    private final boolean isFirstBlock;
    private final @Nullable DatanodeDescriptor replicaNode;
    private final List<DatanodeDescriptor> offered = new ArrayList<>(1);

    private int draws;

    private Candidates(
            PlacementParts parts,
            ReplicaNodes<DatanodeDescriptor> nodes,
            PlacedFile file,
            @Nullable DatanodeDescriptor settled,
            boolean isNewBlock) {
        this.parts = parts;
        this.nodes = nodes;
        this.file = file;
        this.isFirstBlock = isNewBlock && settled == null && file.isKnown();
        if (settled != null || nodes.size() == 0) {
            this.replicaNode = settled;
        } else {
            this.replicaNode = isFirstBlock && parts.evenEnabled ? lessLaden() : nodes.drawn(file.number(), 0);
        }
    }

    private DatanodeDescriptor lessLaden() {
        DatanodeDescriptor first = nodes.drawn(file.number(), 0);
        DatanodeDescriptor second = nodes.drawn(file.number(), 1);
        DatanodeDescriptor chosen = parts.shares.choose(nodes, first, second);
        if (!chosen.equals(first)) {
            parts.metrics.evened.incr();
        }
        return chosen;
    }

    /**
     * Those for a block of the file at a path.
     *
     * @param isNewBlock whether the block has no replica yet
     */
    static Candidates of(PlacementParts parts, String path, boolean isNewBlock) {
        ReplicaNodes<DatanodeDescriptor> nodes = parts.nodes.get();
        PlacedFile file = parts.files.at(path, nodes, parts.nodes::isThere);
        return new Candidates(parts, nodes, file, file.replicaNode(nodes, parts.nodes::isThere), isNewBlock);
    }

    /** The next node that suits and has not been offered yet; null if there is none to be found. */
    @Nullable
    DatanodeDescriptor next(Predicate<DatanodeDescriptor> suits) {
        if (replicaNode != null && offered.isEmpty() && draws == 0 && suits.test(replicaNode)) {
            offered.add(replicaNode);
            return replicaNode;
        }
        while (draws < DRAWS_MAX && offered.size() < nodes.size()) {
            DatanodeDescriptor drawn = nodes.drawn(file.number(), draws++);
            if (!offered.contains(drawn) && suits.test(drawn)) {
                offered.add(drawn);
                return drawn;
            }
        }
        return null;
    }

    /** Whether a node is the file's replica node. */
    boolean isReplicaNode(DatanodeDescriptor node) {
        return node.equals(replicaNode);
    }

    /** Another than the file's replica node was chosen: where the next block goes is to be looked at anew. */
    void stoodIn() {
        file.settle(null);
    }

    /**
     * Of a file's first block these replicas were placed: from here on it is known by them. A writer's own node, which gets all its
     * writer's blocks, does not become the replica node of all its writer's files by that.
     */
    void placed(List<DatanodeStorageInfo> replicas, @Nullable Node writer) {
        if (!isFirstBlock) {
            return;
        }
        List<DatanodeDescriptor> holders = new ArrayList<>(replicas.size());
        for (DatanodeStorageInfo replica : replicas) {
            DatanodeDescriptor node = replica.getDatanodeDescriptor();
            if (!node.equals(writer) || node.equals(replicaNode)) {
                holders.add(node);
            }
        }
        DatanodeDescriptor holder = nodes.likeliest(file.number(), holders);
        if (holder != null) {
            file.settle(holder);
            parts.shares.assigned(holder, nodes);
        }
    }
}

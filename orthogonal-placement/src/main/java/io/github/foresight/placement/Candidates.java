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
 * The nodes to which one replica of a block is offered, in turn: the file's replica node, and then stand-in nodes.
 *
 * <p>The replica node is the node that received the file's blocks so far. A new file has no replica node. For a new file two nodes are drawn, and
 * the node that received fewer files becomes the replica node. Once the file has a block, the places of its blocks determine the replica node.
 *
 * <p>Stand-in nodes are drawn by the file's number, one after the other, {@value #DRAWS_MAX} times at most. In a cluster of any size a few draws
 * find a node. A storage type that one node in a hundred has is found in nine of ten cases. Not thread-safe.
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
            parts.metrics.secondDraws.incr();
        }
        return chosen;
    }

    /**
     * Returns the candidates for a block of the file at a path.
     *
     * @param isNewBlock whether the block has no replica yet
     */
    static Candidates of(PlacementParts parts, String path, boolean isNewBlock) {
        ReplicaNodes<DatanodeDescriptor> nodes = parts.nodes.get();
        PlacedFile file = parts.files.at(path, nodes, parts.nodes::isThere);
        return new Candidates(parts, nodes, file, file.replicaNode(nodes, parts.nodes::isThere), isNewBlock);
    }

    /** Returns the next node that suits and was not offered before; null if the draws find no such node. */
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

    /** Records that a stand-in node was chosen. The next block's replica node is then looked up again. */
    void stoodIn() {
        file.settle(null);
    }

    /**
     * Records the places of a file's first block; they determine the file's replica node from now on. A writer's own node receives all blocks of its
     * writer. The writer's node does not become the replica node of a file for this reason alone.
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

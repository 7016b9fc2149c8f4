/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that one replica of a block is offered to, in turn: the file's replica node, and then those that stand in for it.
 *
 * <p>The replica node is the one that the file's blocks have gone to so far. A new file has none: of two that are drawn for it it gets
 * the one that has had fewer files, and from its first block on it is told by where that lies. Not thread-safe.
 */
final class Candidates {

    private final PlacementParts parts;
    private final ReplicaNodes<DatanodeDescriptor> nodes;
    private final PlacedFile file;
    private final boolean isFirstBlock;
    private final ReplicaNodes<DatanodeDescriptor>.Order order;
    private final @Nullable DatanodeDescriptor replicaNode;

    private int named;

    private Candidates(
            PlacementParts parts, ReplicaNodes<DatanodeDescriptor> nodes, PlacedFile file, boolean isNewBlock) {
        this.parts = parts;
        this.nodes = nodes;
        this.file = file;
        this.order = nodes.order(file.number());
        DatanodeDescriptor settled = file.replicaNode(nodes);
        this.isFirstBlock = isNewBlock && settled == null && file.isKnown();
        this.replicaNode = isFirstBlock && parts.evens && nodes.size() > 1 ? lessLaden() : settled;
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
        PlacedFile file = parts.files.at(path, nodes);
        DatanodeDescriptor settled = file.replicaNode(nodes);
        if (settled != null && !parts.nodes.isThere(settled)) {
            nodes = parts.nodes.renewed(nodes);
            file = parts.files.at(path, nodes);
        }
        return new Candidates(parts, nodes, file, isNewBlock);
    }

    boolean hasNext() {
        return named < nodes.size();
    }

    DatanodeDescriptor next() {
        if (!hasNext()) {
            throw new NoSuchElementException("there are only " + nodes.size() + " nodes");
        }
        named++;
        if (named == 1 && replicaNode != null) {
            return replicaNode;
        }
        DatanodeDescriptor node = order.next();
        return node.equals(replicaNode) ? order.next() : node;
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
            parts.shares.given(holder, nodes);
        }
    }
}

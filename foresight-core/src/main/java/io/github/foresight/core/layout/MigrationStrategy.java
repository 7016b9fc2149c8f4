/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.function.LongToIntFunction;

/**
 * Keeps originals at their places in a layout of single copies, and moves only the originals on their file's replica
 * node. Such an original moves to another node, which the object's own hash selects.
 *
 * <p>Converting a system with one copy of each object moves a share of 1/nodes of the objects. The paper selects this
 * strategy; {@link ReplicaMoves} does the same for HDFS's replicas. Immutable and thread-safe. NBJLOFS, section 3.1 and
 * Fig. 3.
 */
public final class MigrationStrategy implements LayoutStrategy {

    private final NamespaceSplit split;
    private final LongToIntFunction replicaNodes;

    /** Makes the strategy for at least two nodes. */
    public MigrationStrategy(NamespaceSplit split, LongToIntFunction replicaNodes) {
        this.split = RepartitionStrategy.requireTwo(split);
        this.replicaNodes = replicaNodes;
    }

    @Override
    public int replicaNode(long file) {
        return replicaNodes.applyAsInt(file);
    }

    @Override
    public int originalNode(long file, int object) {
        int replicaNode = replicaNode(file);
        int node = split.node(file, object);
        if (node != replicaNode) {
            return node;
        }
        long again = LayoutHash.mix(NamespaceSplit.identifier(file, object));
        return RepartitionStrategy.skipping(replicaNode, NamespaceSplit.segment(again, split.nodes() - 1));
    }
}

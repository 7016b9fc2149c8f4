/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.function.LongToIntFunction;

/**
 * Splits the identifier space of each file anew, among all nodes except its replica node.
 *
 * <p>The result is even and needs no second hash. But the conversion of a system with one copy of each object moves at
 * least a third of the originals. {@link MigrationStrategy} moves only the originals on replica nodes. When a node
 * joins or leaves, both strategies are alike. This class exists for comparison. Immutable and thread-safe. NBJLOFS,
 * section 3.1, Figs. 4 and 5.
 */
public final class RepartitionStrategy implements LayoutStrategy {

    private final NamespaceSplit split;
    private final LongToIntFunction replicaNodes;

    /** Makes the strategy for at least two nodes. */
    public RepartitionStrategy(NamespaceSplit split, LongToIntFunction replicaNodes) {
        this.split = requireTwo(split);
        this.replicaNodes = replicaNodes;
    }

    @Override
    public int replicaNode(long file) {
        return replicaNodes.applyAsInt(file);
    }

    @Override
    public int originalNode(long file, int object) {
        int segment = NamespaceSplit.segment(NamespaceSplit.identifier(file, object), split.nodes() - 1);
        return skipping(replicaNode(file), segment);
    }

    /** The node at an index among all nodes except one. */
    static int skipping(int left, int place) {
        return place < left ? place : place + 1;
    }

    static NamespaceSplit requireTwo(NamespaceSplit split) {
        if (split.nodes() < 2) {
            throw new IllegalArgumentException("original and replica need at least 2 nodes: " + split.nodes());
        }
        return split;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.function.LongToIntFunction;

/**
 * Splits the identifier space of each file anew, among all nodes but its replica node.
 *
 * <p>Even, and without a second hash; but it moves a third and more of the originals of a system with one copy of each object, where
 * {@link MigrationStrategy} moves those on replica nodes only. When a node joins or leaves the two are alike. Here for comparison.
 * Immutable and thread-safe. NBJLOFS, section 3.1, Figs. 4 and 5.
 */
public final class RepartitionStrategy implements LayoutStrategy {

    private final NamespaceSplit split;
    private final LongToIntFunction replicaNodes;

    /** Over at least two nodes. */
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

    /** The nodes in their order, but for one. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.function.LongToIntFunction;

/**
 * The paper's name space splitting: an identifier space in equal segments, one for each node. The segment of an
 * object's hash determines its node. Immutable and thread-safe. NBJLOFS, section 2 and Fig. 1.
 */
public final class NamespaceSplit {

    private static final long OBJECTS = 0x9e3779b97f4a7c15L;

    private final int nodes;

    /** Splits the space among nodes, at least 1. */
    public NamespaceSplit(int nodes) {
        if (nodes < 1) {
            throw new IllegalArgumentException("nodes must be at least 1: " + nodes);
        }
        this.nodes = nodes;
    }

    public int nodes() {
        return nodes;
    }

    /** The node of an object in a system with one copy of each object. */
    public int node(long file, int object) {
        return segment(identifier(file, object), nodes);
    }

    /** The paper's choice of a replica node, by the file's identifier; production code uses {@link ReplicaNodes}. */
    public LongToIntFunction replicaNodes() {
        return file -> segment(LayoutHash.mix(file), nodes);
    }

    static long identifier(long file, int object) {
        return LayoutHash.mix(LayoutHash.mix(file) + OBJECTS * (object + 1L));
    }

    static int segment(long identifier, int segments) {
        return (int) (((identifier >>> Integer.SIZE) * segments) >>> Integer.SIZE);
    }
}

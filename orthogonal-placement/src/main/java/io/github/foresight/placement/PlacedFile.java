/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.jspecify.annotations.Nullable;

/** A file as the policy remembers it while its blocks are placed: by a number, and with its replica node once it has one. Thread-safe. */
class PlacedFile {

    private final long number;
    private final boolean isKnown;
    private volatile @Nullable DatanodeDescriptor replicaNode;

    /** A file that will be found again by its inode id, and where its blocks lie with it. */
    PlacedFile(long inodeId) {
        this.number = LayoutHash.ofFile(inodeId);
        this.isKnown = true;
    }

    /** One that could not be found: it is told by its path, and nothing can be remembered of it. */
    PlacedFile(String path) {
        this.number = LayoutHash.ofName(path);
        this.isKnown = false;
    }

    /** Its {@linkplain LayoutHash number}. */
    final long number() {
        return number;
    }

    /** Whether it is more than a path. */
    final boolean isKnown() {
        return isKnown;
    }

    /**
     * The node that its next block goes to as well.
     *
     * @param isThere whether a node may be a replica node now
     * @return null if none of these nodes is known to be
     */
    final @Nullable DatanodeDescriptor replicaNode(
            ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
        DatanodeDescriptor settled = replicaNode;
        return settled != null && nodes.contains(settled) && isThere.test(settled) ? settled : null;
    }

    /** Its next blocks go to this node; with null to the one that has most of them by then. */
    final void settle(@Nullable DatanodeDescriptor node) {
        if (isKnown) {
            replicaNode = node;
        }
    }
}

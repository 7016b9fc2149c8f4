/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.jspecify.annotations.Nullable;

/** A file whose blocks are placed: its number, and its replica node once the file has one. Thread-safe. */
class PlacedFile {

    private final long number;
    private final boolean isKnown;
    private volatile @Nullable DatanodeDescriptor replicaNode;

    /** A file that the namespace has, by its inode id. A later lookup finds the file and the places of its blocks again. */
    PlacedFile(long inodeId) {
        this.number = LayoutHash.ofFile(inodeId);
        this.isKnown = true;
    }

    /** A file that was not found in the namespace. Such a file is identified by its path, and its replica node is not remembered. */
    PlacedFile(String path) {
        this.number = LayoutHash.ofName(path);
        this.isKnown = false;
    }

    /** Returns the file's {@linkplain LayoutHash number}. */
    final long number() {
        return number;
    }

    /** Whether the file was found in the namespace. */
    final boolean isKnown() {
        return isKnown;
    }

    /**
     * Returns the replica node, which also takes a replica of the next block.
     *
     * @param isThere whether a node may be a replica node now
     * @return null if the file has no replica node yet, or its replica node may no longer be a replica node
     */
    final @Nullable DatanodeDescriptor replicaNode(
            ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
        DatanodeDescriptor settled = replicaNode;
        return settled != null && nodes.contains(settled) && isThere.test(settled) ? settled : null;
    }

    /** Sets the node for the next blocks. With null, the next lookup finds the node that holds the most blocks of the file. */
    final void settle(@Nullable DatanodeDescriptor node) {
        if (isKnown) {
            replicaNode = node;
        }
    }
}

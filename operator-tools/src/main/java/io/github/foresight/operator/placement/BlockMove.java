/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** The move of one replica: its source, its target, and the node that sends it. Immutable. */
final class BlockMove {

    final long fileId;
    final long offset;
    final ExtendedBlock block;
    final StorageType type;
    final DatanodeInfo source;
    final DatanodeInfo target;

    /** The node with a replica that is nearest to the target; it need not be the source. */
    final DatanodeInfo sender;

    BlockMove(
            long fileId,
            long offset,
            ExtendedBlock block,
            StorageType type,
            DatanodeInfo source,
            DatanodeInfo target,
            DatanodeInfo sender) {
        this.fileId = fileId;
        this.offset = offset;
        this.block = block;
        this.type = type;
        this.source = source;
        this.target = target;
        this.sender = sender;
    }

    long bytes() {
        return block.getNumBytes();
    }

    @Override
    public String toString() {
        return block + " from " + source + " to " + target;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** The files whose blocks are placed. Thread-safe. */
interface PlacedFiles {

    /**
     * The file at a path.
     *
     * @param nodes those that may be its replica node
     */
    PlacedFile at(String path, ReplicaNodes<DatanodeDescriptor> nodes);

    /**
     * Who holds the blocks of a file, so far as is known; for who holds the lock that guards them.
     *
     * @param inodeId the file's
     */
    BlockHolders<DatanodeDescriptor> holders(long inodeId);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.jspecify.annotations.Nullable;

/** The files whose blocks are placed. Thread-safe. */
interface PlacedFiles {

    /** Finds the files for a policy. */
    interface Source {

        /**
         * Returns the files of the NameNode whose statistics initialise a policy.
         *
         * @param filesMax the largest number of remembered files
         */
        PlacedFiles behind(FSClusterStats stats, int filesMax, PlacementMetrics metrics)
                throws ReflectiveOperationException;
    }

    /**
     * Returns the file at a path.
     *
     * @param nodes the nodes among which the file's replica node is chosen
     * @param isThere whether a node of these may still be a replica node
     */
    PlacedFile at(String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere);

    /**
     * Returns the full path of a file.
     *
     * @return null if the file is not known
     */
    @Nullable
    String pathOf(long inodeId);

    /**
     * Returns the known holders of a file's blocks. The caller holds the HDFS lock that guards the blocks.
     *
     * @param inodeId the file's inode id
     */
    BlockHolders<DatanodeDescriptor> holders(long inodeId);
}

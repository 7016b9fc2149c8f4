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

    /** Finds them for a policy. */
    interface Source {

        /**
         * Those of the NameNode whose statistics a policy is initialised with.
         *
         * @param filesMax the most files that are remembered
         */
        PlacedFiles behind(FSClusterStats stats, int filesMax, PlacementMetrics metrics)
                throws ReflectiveOperationException;
    }

    /**
     * The file at a path.
     *
     * @param nodes those that may be its replica node
     * @param isThere whether one of these still may
     */
    PlacedFile at(String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere);

    /**
     * The full path of a file.
     *
     * @return null if it is not known
     */
    @Nullable
    String pathOf(long inodeId);

    /**
     * Who holds the blocks of a file, so far as is known; for who holds the lock that guards them.
     *
     * @param inodeId the file's
     */
    BlockHolders<DatanodeDescriptor> holders(long inodeId);
}

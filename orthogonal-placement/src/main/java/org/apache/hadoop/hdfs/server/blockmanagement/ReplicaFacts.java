/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Facts about a replica and its storage that HDFS shows only to its own package. This class decides nothing itself. */
public final class ReplicaFacts {

    private ReplicaFacts() {}

    /**
     * Returns the inode id of the file whose block has just got a replica. HDFS adds a new block at the head of the storage's list of blocks.
     *
     * @param added the replica's storage; the caller holds the lock under which HDFS added the replica
     * @param replicas all replicas of the block; they confirm that the head of the list is this block
     * @return null if the head of the list is another block, or the block is deleted
     */
    public static @Nullable Long fileOfNewest(DatanodeStorageInfo added, Collection<DatanodeStorageInfo> replicas) {
        Iterator<BlockInfo> blocks = added.getBlockIterator();
        if (!blocks.hasNext()) {
            return null;
        }
        BlockInfo newest = blocks.next();
        for (DatanodeStorageInfo replica : replicas) {
            if (newest.findStorageInfo(replica) < 0) {
                return null;
            }
        }
        return newest.isDeleted() ? null : newest.getBlockCollectionId();
    }
}

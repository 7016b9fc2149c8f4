/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What HDFS knows of a replica and its storage but shows to its own package only. Decides nothing itself. */
public final class ReplicaFacts {

    private ReplicaFacts() {}

    /**
     * The file of a block that has just got a replica, by its inode id, from a storage's list of blocks: HDFS adds at its head.
     *
     * @param added the replica's storage; the caller holds the lock under which it was added
     * @param replicas all of the block, by which it is known for sure not to be another
     * @return null if the head of the list is another block
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

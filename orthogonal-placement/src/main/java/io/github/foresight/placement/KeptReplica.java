/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.layout.LayoutHash;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReplicaFacts;
import org.jspecify.annotations.Nullable;

/**
 * The replica on the file's replica node, in a block with too many replicas. This replica is not deleted as long as another replica can be deleted.
 *
 * <p>A mover (the Balancer, the Mover, {@code placement migrate}) copies a replica to another node, and names the source node for deletion. If
 * HDFS's own rules allow it, the replica on the source node is deleted, even if the source node is the replica node. Immutable.
 */
final class KeptReplica {

    private final DatanodeStorageInfo replica;

    /** The replicas that can be deleted instead. */
    private final List<DatanodeStorageInfo> others;

    /** HDFS's arguments for the choice of excess replicas of a block. */
    static final class Excess {
        private final Collection<DatanodeStorageInfo> available;
        private final Collection<DatanodeStorageInfo> candidates;
        private final List<StorageType> types;
        private final @Nullable DatanodeDescriptor added;

        /**
         * Makes the arguments for one block.
         *
         * @param available all replicas of the block
         * @param candidates the replicas that may be deleted
         * @param types the storage types with a replica too many
         * @param added the DataNode that has just got a replica; null if HDFS names none
         */
        Excess(
                Collection<DatanodeStorageInfo> available,
                Collection<DatanodeStorageInfo> candidates,
                List<StorageType> types,
                @Nullable DatanodeDescriptor added) {
            this.available = available;
            this.candidates = candidates;
            this.types = types;
            this.added = added;
        }
    }

    private KeptReplica(DatanodeStorageInfo replica, List<DatanodeStorageInfo> others) {
        this.replica = replica;
        this.others = others;
    }

    /**
     * Returns the replica to be kept.
     *
     * @return null if the block is not known, or no replica is to be kept
     */
    static @Nullable KeptReplica among(PlacementParts parts, Excess excess) {
        if (!parts.spareEnabled) {
            return null;
        }
        try {
            DatanodeStorageInfo newest = on(excess.added, excess.candidates);
            Long inode = newest == null ? null : ReplicaFacts.fileOfNewest(newest, excess.available);
            if (inode == null) {
                parts.metrics.excessOfUnknownFiles.incr();
                return null;
            }
            if (!parts.excluded.isEmpty() && parts.excluded.contains(parts.files.pathOf(inode))) {
                return null;
            }
            List<DatanodeDescriptor> holders = excess.candidates.stream()
                    .map(DatanodeStorageInfo::getDatanodeDescriptor)
                    .collect(Collectors.toList());
            DatanodeDescriptor most =
                    parts.files.holders(inode).mostOf(parts.nodes.get(), LayoutHash.ofFile(inode), holders);
            DatanodeStorageInfo kept = on(most, excess.candidates);
            return kept == null ? null : new KeptReplica(kept, othersThan(kept, excess));
        } catch (Throwable e) {
            parts.failures.failed("choose the replica to spare", e);
            return null;
        }
    }

    private static List<DatanodeStorageInfo> othersThan(DatanodeStorageInfo kept, Excess excess) {
        return excess.candidates.stream()
                .filter(other -> !other.equals(kept) && excess.types.contains(other.getStorageType()))
                .collect(Collectors.toList());
    }

    private static @Nullable DatanodeStorageInfo on(
            @Nullable DatanodeDescriptor node, Collection<DatanodeStorageInfo> replicas) {
        for (DatanodeStorageInfo replica : replicas) {
            if (replica.getDatanodeDescriptor().equals(node)) {
                return replica;
            }
        }
        return null;
    }

    /**
     * Counts whether the replica was kept or deleted.
     *
     * @param deleted the replicas that were chosen for deletion
     * @param source the DataNode that a mover names for deletion; null if HDFS names none
     */
    void count(PlacementMetrics metrics, List<DatanodeStorageInfo> deleted, @Nullable DatanodeDescriptor source) {
        if (!deleted.contains(replica)) {
            if (!deleted.isEmpty()) {
                metrics.excessKept.incr();
            }
        } else if (replica.getDatanodeDescriptor().equals(source)) {
            metrics.drained.incr();
        }
    }

    /**
     * Narrows HDFS's choice among some replicas. HDFS chooses from the other replicas that can be deleted. If HDFS's rules leave no other replica,
     * the choice is the kept replica if it is present, and otherwise all replicas.
     */
    Collection<DatanodeStorageInfo> choiceFrom(Collection<DatanodeStorageInfo> picked) {
        List<DatanodeStorageInfo> instead =
                picked.stream().filter(others::contains).collect(Collectors.toList());
        if (!instead.isEmpty()) {
            return instead;
        }
        return picked.contains(replica) ? ImmutableList.of(replica) : picked;
    }
}

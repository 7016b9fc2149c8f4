/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.LayoutHash;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/**
 * Of a block with too many replicas the one on the file's replica node, which is not to be deleted as long as another can be.
 * Immutable.
 */
final class SparedReplica {

    private final DatanodeStorageInfo replica;
    private final List<StorageType> excessTypes;

    private SparedReplica(DatanodeStorageInfo replica, List<StorageType> excessTypes) {
        this.replica = replica;
        this.excessTypes = excessTypes;
    }

    /**
     * The replica to be spared.
     *
     * @param fileOfNewest the inode id of the file whose block has just got a replica, if all its replicas are those given; else null
     * @param excessTypes of storage on which there is a replica too many
     * @param added the DataNode that has just got a replica; null if HDFS names none
     * @return null if the block is not known, or none is to be spared
     */
    static @Nullable SparedReplica among(
            PlacementParts parts,
            BiFunction<DatanodeStorageInfo, Collection<DatanodeStorageInfo>, @Nullable Long> fileOfNewest,
            Collection<DatanodeStorageInfo> available,
            Collection<DatanodeStorageInfo> candidates,
            List<StorageType> excessTypes,
            @Nullable DatanodeDescriptor added) {
        if (!parts.spares) {
            return null;
        }
        try {
            DatanodeStorageInfo newest = on(added, candidates);
            Long inode = newest == null ? null : fileOfNewest.apply(newest, available);
            if (inode == null) {
                parts.metrics.unknown.incr();
                return null;
            }
            List<DatanodeDescriptor> holders = candidates.stream()
                    .map(DatanodeStorageInfo::getDatanodeDescriptor)
                    .collect(Collectors.toList());
            DatanodeDescriptor most =
                    parts.files.holders(inode).mostOf(parts.nodes.latest(), LayoutHash.ofFile(inode), holders);
            DatanodeStorageInfo kept = on(most, candidates);
            if (kept == null) {
                return null;
            }
            parts.metrics.spared.incr();
            return new SparedReplica(kept, excessTypes);
        } catch (Throwable e) {
            parts.guard.failed("choose the replica to spare", e);
            return null;
        }
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

    boolean isOn(@Nullable DatanodeDescriptor node) {
        return replica.getDatanodeDescriptor().equals(node);
    }

    /** Whether another of these can be deleted instead. */
    boolean canBe(Collection<DatanodeStorageInfo> candidates) {
        return candidates.stream()
                .anyMatch(other -> !other.equals(replica) && excessTypes.contains(other.getStorageType()));
    }

    /** These without the spared one, where another of them can be deleted instead. */
    Collection<DatanodeStorageInfo> leftOut(Collection<DatanodeStorageInfo> candidates) {
        if (!canBe(candidates)) {
            return candidates;
        }
        return candidates.stream().filter(other -> !other.equals(replica)).collect(Collectors.toList());
    }
}

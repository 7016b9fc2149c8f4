/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/** HDFS's arguments for a choice of targets for a block's replicas; the choice changes some of them. Not thread-safe. */
final class Choice {

    final Set<Node> excluded;
    final long blockSize;
    final int maxPerRack;
    final List<DatanodeStorageInfo> results;
    final boolean avoidStale;
    final boolean newBlock;
    final EnumMap<StorageType, Integer> types;

    Choice(
            Set<Node> excluded,
            long blockSize,
            int maxPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStale,
            boolean newBlock,
            EnumMap<StorageType, Integer> types) {
        this.excluded = excluded;
        this.blockSize = blockSize;
        this.maxPerRack = maxPerRack;
        this.results = results;
        this.avoidStale = avoidStale;
        this.newBlock = newBlock;
        this.types = types;
    }

    /** Returns a copy of the present state, to be read only. {@link #resetTo} restores it when the choice has to begin again. */
    Choice copy() {
        return new Choice(
                excluded.isEmpty() ? ImmutableSet.of() : new HashSet<>(excluded),
                blockSize,
                maxPerRack,
                results.isEmpty() ? ImmutableList.of() : new ArrayList<>(results),
                avoidStale,
                newBlock,
                types.clone());
    }

    void resetTo(Choice before) {
        excluded.retainAll(before.excluded);
        results.clear();
        results.addAll(before.results);
        types.clear();
        types.putAll(before.types);
    }

    /** Replaces the places chosen so far by these places. */
    void take(List<DatanodeStorageInfo> places) {
        results.clear();
        results.addAll(places);
    }

    boolean isOn(DatanodeDescriptor node) {
        return isOn(node, results);
    }

    static boolean isOn(DatanodeDescriptor node, List<DatanodeStorageInfo> replicas) {
        for (DatanodeStorageInfo replica : replicas) {
            if (replica.getDatanodeDescriptor().equals(node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a node has storage of a type that is still needed. */
    boolean isServedBy(DatanodeDescriptor node) {
        for (StorageType type : types.keySet()) {
            if (node.hasStorageType(type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a replica on a node would exceed the limit of replicas in its rack. */
    boolean isCrowded(DatanodeDescriptor node) {
        String rack = node.getNetworkLocation();
        int inRack = 1;
        for (DatanodeStorageInfo replica : results) {
            if (rack.equals(replica.getDatanodeDescriptor().getNetworkLocation())) {
                inRack++;
            }
        }
        return inRack > maxPerRack;
    }
}

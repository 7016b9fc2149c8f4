/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns the reads of one vectored read to replicas, so that the disks of several DataNodes work at a time.
 *
 * <p>The candidates of a read are the replicas that are as near as the first in HDFS's order. If the first is on the reader's host, these are
 * the replicas on that host, otherwise the replicas on the first one's rack. The read goes to the candidate with the fewest bytes assigned so
 * far, and of equal ones to the first. So a single read goes where HDFS sends it. If all reads have the same candidates, two DataNodes never
 * differ by more than the longest read.
 *
 * <p>O(candidates) for each read. Confined to a thread.
 */
public final class ReplicaSpread {

    /** A replica of the block to be read. Immutable. */
    public static final class Replica {
        private final String node;
        private final String rack;
        private final boolean onReadersHost;

        /**
         * A replica on a DataNode.
         *
         * @param node the DataNode's UUID
         * @param rack the DataNode's network location
         */
        public Replica(String node, String rack, boolean onReadersHost) {
            this.node = node;
            this.rack = rack;
            this.onReadersHost = onReadersHost;
        }

        private boolean isAsNearAs(Replica first) {
            return first.onReadersHost ? onReadersHost : rack.equals(first.rack);
        }
    }

    private final int replicasMax;
    private final Map<String, Long> assignedBytes = new HashMap<>();

    /**
     * A spread without reads.
     *
     * @param replicasMax how many of a block's first replicas may be candidates, at least 1
     * @throws IllegalArgumentException if it is less
     */
    public ReplicaSpread(int replicasMax) {
        if (replicasMax < 1) {
            throw new IllegalArgumentException("replicasMax must be at least 1: " + replicasMax);
        }
        this.replicasMax = replicasMax;
    }

    /**
     * Assigns the next read.
     *
     * @param replicas of the block to be read, in HDFS's order; at least one
     * @param lengthBytes of the read, not negative
     * @return the index of the chosen replica, below {@code replicasMax}
     * @throws IllegalArgumentException if there is no replica, or the length is negative
     */
    public int assign(List<Replica> replicas, long lengthBytes) {
        if (replicas.isEmpty()) {
            throw new IllegalArgumentException("replicas must not be empty");
        }
        if (lengthBytes < 0) {
            throw new IllegalArgumentException("lengthBytes must not be negative: " + lengthBytes);
        }
        Replica first = replicas.get(0);
        int least = 0;
        for (int i = 1; i < Math.min(replicasMax, replicas.size()); i++) {
            if (replicas.get(i).isAsNearAs(first) && assigned(replicas.get(i)) < assigned(replicas.get(least))) {
                least = i;
            }
        }
        assignedBytes.merge(replicas.get(least).node, lengthBytes, Long::sum);
        return least;
    }

    private long assigned(Replica replica) {
        return assignedBytes.getOrDefault(replica.node, 0L);
    }
}

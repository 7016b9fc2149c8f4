/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns the reads of one vectored read to replicas, so that the disks of several DataNodes work at a time.
 *
 * <p>Each read goes to the DataNode with the fewest bytes assigned to it so far. Of equal DataNodes the first in HDFS's order is chosen. So a
 * single read goes where HDFS sends it. If all reads have the same candidates, two DataNodes never differ by more than the longest read.
 *
 * <p>O(candidates) for each read. Confined to a thread.
 */
public final class ReplicaSpread {

    private final Map<String, Long> assignedBytes = new HashMap<>();

    /**
     * Assigns the next read.
     *
     * @param candidates the DataNodes that may do the read, in HDFS's order; at least one
     * @param lengthBytes of the read, not negative
     * @return the index of the DataNode in {@code candidates}
     * @throws IllegalArgumentException if there is no candidate, or the length is negative
     */
    public int assign(List<String> candidates, long lengthBytes) {
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException("candidates must not be empty");
        }
        if (lengthBytes < 0) {
            throw new IllegalArgumentException("lengthBytes must not be negative: " + lengthBytes);
        }
        int least = 0;
        for (int i = 1; i < candidates.size(); i++) {
            if (assigned(candidates.get(i)) < assigned(candidates.get(least))) {
                least = i;
            }
        }
        assignedBytes.merge(candidates.get(least), lengthBytes, Long::sum);
        return least;
    }

    private long assigned(String node) {
        return assignedBytes.getOrDefault(node, 0L);
    }
}

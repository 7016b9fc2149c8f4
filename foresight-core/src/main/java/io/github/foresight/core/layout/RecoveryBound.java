/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the re-replicated blocks that are assigned to one node because it is a replica node. Without a bound, the
 * recovery of one very large file has one target for all its blocks.
 *
 * <p>The replicas under way to a node are the caller's own count of scheduled blocks, plus the assignments of the last
 * period. HDFS needs the second part, because the NameNode chooses targets for a whole batch before it counts any of
 * them. A replica in both parts counts twice; the bound is then too strict, never too loose.
 *
 * <p>Constant time; holds one number for each node with an assignment in the period. Thread-safe.
 *
 * @param <K> the name of a node
 */
public final class RecoveryBound<K> {

    private final int most;
    private final long periodNanos;

    @GuardedBy("this")
    private Map<K, Integer> assigned = new HashMap<>();

    @GuardedBy("this")
    private long begunNanos;

    /**
     * Makes a bound without assignments.
     *
     * @param most the most replicas under way to one node, at least 0; with 0 no node is assigned any
     * @param periodNanos the time after which the caller's own count contains an assignment
     */
    public RecoveryBound(int most, long periodNanos) {
        if (most < 0) {
            throw new IllegalArgumentException("most must be at least 0: " + most);
        }
        this.most = most;
        this.periodNanos = periodNanos;
    }

    /**
     * Whether one more replica may be assigned to a node.
     *
     * @param scheduled the caller's own count of blocks under way to the node
     * @param nowNanos of any steady clock
     */
    public synchronized boolean admits(K node, int scheduled, long nowNanos) {
        begin(nowNanos);
        return (long) scheduled + assigned.getOrDefault(node, 0) < most;
    }

    /** Counts a replica that was assigned to a node. */
    public synchronized void assigned(K node, long nowNanos) {
        begin(nowNanos);
        assigned.merge(node, 1, Integer::sum);
    }

    @GuardedBy("this")
    private void begin(long nowNanos) {
        if (nowNanos - begunNanos >= periodNanos && !assigned.isEmpty()) {
            assigned = new HashMap<>();
        }
        if (assigned.isEmpty()) {
            begunNanos = nowNanos;
        }
    }
}

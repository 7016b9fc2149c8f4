/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many replicas that are made again one node is given because it is a replica node. Without a bound the recovery of one very large
 * file has one target for all its blocks.
 *
 * <p>What is under way to a node is the caller's own count of blocks scheduled, and what was given within the last period. HDFS needs the
 * second part: the NameNode chooses targets for a whole batch before it counts any of them. A replica that is in both parts counts twice,
 * and the bound is then too strict, never too loose.
 *
 * <p>Constant time; holds one number for each node that was given a replica within the period. Thread-safe.
 *
 * @param <K> names a node
 */
public final class RecoveryBound<K> {

    private final int most;
    private final long periodNanos;

    @GuardedBy("this")
    private Map<K, Integer> given = new HashMap<>();

    @GuardedBy("this")
    private long begunNanos;

    /**
     * Nothing is under way.
     *
     * @param most replicas under way to one node, at least 0; with 0 no node is given any
     * @param periodNanos after which the caller's own count contains what was given
     */
    public RecoveryBound(int most, long periodNanos) {
        if (most < 0) {
            throw new IllegalArgumentException("most must be at least 0: " + most);
        }
        this.most = most;
        this.periodNanos = periodNanos;
    }

    /**
     * Whether a node may be given one more replica.
     *
     * @param scheduled the caller's own count of blocks that are under way to the node
     * @param nowNanos of any steady clock
     */
    public synchronized boolean admits(K node, int scheduled, long nowNanos) {
        begin(nowNanos);
        return (long) scheduled + given.getOrDefault(node, 0) < most;
    }

    /** Takes note of a replica that a node was given. */
    public synchronized void given(K node, long nowNanos) {
        begin(nowNanos);
        given.merge(node, 1, Integer::sum);
    }

    @GuardedBy("this")
    private void begin(long nowNanos) {
        if (nowNanos - begunNanos >= periodNanos && !given.isEmpty()) {
            given = new HashMap<>();
        }
        if (given.isEmpty()) {
            begunNanos = nowNanos;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spreads few files as evenly as many files. Two nodes are drawn for a new file; its replica node is the node that got
 * fewer files for its weight. This is the power of two choices (Azar, Broder, Karlin and Upfal, "Balanced allocations",
 * SIAM Journal on Computing 29(1), 1999).
 *
 * <p>Only recent files count: when the files reach {@value #FILES_PER_NODE} for each node, all counts are halved. A
 * node that joins or returns gets at most twice its share until it has caught up. A removed node is forgotten. The
 * interval is chosen, not measured. The counts are only in memory; a file's replica node is found later by its blocks
 * ({@link BlockHolders}).
 *
 * <p>Constant time, except for a halving, which is linear in the nodes. Thread-safe; concurrent choices may not see
 * each other.
 *
 * @param <K> the name of a node
 */
public final class EvenShares<K> {

    static final int FILES_PER_NODE = 256;

    private final ConcurrentMap<K, AtomicLong> files = new ConcurrentHashMap<>();
    private final AtomicLong sinceHalved = new AtomicLong();

    /**
     * The node for a new file: the first, unless the second got fewer files for its weight.
     *
     * @param nodes the nodes, which include both
     */
    public K choose(ReplicaNodes<K> nodes, K first, K second) {
        return load(second, nodes) < load(first, nodes) ? second : first;
    }

    /** The node's files for its weight, if it got one more. */
    private double load(K node, ReplicaNodes<K> nodes) {
        return (filesOf(node) + 1) / nodes.weight(node);
    }

    /** The number of files that a node got recently. */
    long filesOf(K node) {
        AtomicLong counted = files.get(node);
        return counted == null ? 0 : counted.get();
    }

    /** Counts a file for a node, which need not be the chosen node. */
    public void assigned(K node, ReplicaNodes<K> nodes) {
        files.computeIfAbsent(node, any -> new AtomicLong()).incrementAndGet();
        long limit = (long) FILES_PER_NODE * nodes.size();
        if (sinceHalved.incrementAndGet() >= limit && sinceHalved.getAndSet(limit / 2) >= limit) {
            files.values().forEach(count -> count.updateAndGet(before -> before / 2));
            files.values().removeIf(count -> count.get() == 0);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the first few files as evenly spread as many are: of two nodes that are drawn for a new file, its replica node is the one that
 * has had fewer files for its weight (the power of two choices; Azar, Broder, Karlin and Upfal, "Balanced allocations", SIAM
 * Journal on Computing 29(1), 1999).
 *
 * <p>Counts what was given lately only: when the files come to {@value #FILES_PER_NODE} a node, all counts are halved. So a node that
 * joins or comes back gets at most twice its share until it has caught up with that many, and one that is gone is forgotten. Kept in
 * memory alone; what a file was given is told later by where it lies ({@link BlockHolders}).
 *
 * <p>Thread-safe; choices made at the same time may not see each other.
 *
 * @param <K> names a node
 */
public final class EvenShares<K> {

    static final int FILES_PER_NODE = 256;

    private final ConcurrentMap<K, AtomicLong> files = new ConcurrentHashMap<>();
    private final AtomicLong sinceHalved = new AtomicLong();

    /**
     * Which of two nodes a new file goes to: the first, unless the second has had fewer files for its weight.
     *
     * @param nodes among which both are
     */
    public K choose(ReplicaNodes<K> nodes, K first, K second) {
        return load(second, nodes) < load(first, nodes) ? second : first;
    }

    /** What a node's share of files would be with one more, for its weight. */
    private double load(K node, ReplicaNodes<K> nodes) {
        return (filesOf(node) + 1) / nodes.weight(node);
    }

    /** How many files a node was given lately. */
    long filesOf(K node) {
        AtomicLong counted = files.get(node);
        return counted == null ? 0 : counted.get();
    }

    /** Takes note of a file that a node was given, which need not be the one chosen. */
    public void given(K node, ReplicaNodes<K> nodes) {
        files.computeIfAbsent(node, any -> new AtomicLong()).incrementAndGet();
        long limit = (long) FILES_PER_NODE * nodes.size();
        if (sinceHalved.incrementAndGet() >= limit && sinceHalved.getAndSet(limit / 2) >= limit) {
            files.values().forEach(count -> count.updateAndGet(before -> before / 2));
            files.values().removeIf(count -> count.get() == 0);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import com.google.common.collect.ImmutableSet;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds a file's replica node from its block locations: a node that holds a replica of each of its blocks (NBJLOFS,
 * section 3.1).
 *
 * <p>With the matching placement there is exactly one such node. If there are several, as in a small cluster, the first
 * in the file's rendezvous order is taken. By this rule all clients take the same node, and files spread over the
 * nodes. Stateless.
 */
public final class WholeFileNode {

    private WholeFileNode() {}

    /**
     * The node that prefetches a file's windows.
     *
     * @param holders for each block the nodes that hold it; nodes have equals and hashCode
     * @param fileId the same for all clients
     * @param name the permanent name of a node
     * @return empty for a file of fewer than two blocks, or if no node holds all blocks
     */
    public static <N> Optional<N> of(
            Collection<? extends Collection<N>> holders, long fileId, Function<N, String> name) {
        if (holders.size() < 2) {
            return Optional.empty();
        }
        Iterator<? extends Collection<N>> blocks = holders.iterator();
        Set<N> common = new LinkedHashSet<>(blocks.next());
        while (blocks.hasNext() && !common.isEmpty()) {
            common.retainAll(ImmutableSet.copyOf(blocks.next()));
        }
        return of(common, fileId, name);
    }

    /**
     * The node that prefetches a file's windows, among nodes that hold all blocks of a file of several blocks.
     *
     * @return empty if there is no such node
     */
    public static <N> Optional<N> of(Set<N> candidates, long fileId, Function<N, String> name) {
        return candidates.stream()
                .max(Comparator.<N>comparingLong(node -> weight(fileId, name.apply(node)))
                        .thenComparing(name));
    }

    @SuppressWarnings("UnstableApiUsage") // murmur3_128 has been stable since Guava 11
    private static long weight(long fileId, String name) {
        return Hashing.murmur3_128()
                .newHasher()
                .putLong(fileId)
                .putString(name, StandardCharsets.UTF_8)
                .hash()
                .asLong();
    }
}

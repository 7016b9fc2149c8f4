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
 * Finds a file's replica node from the outside: a node that holds a replica of each of its blocks (NBJLOFS, section 3.1).
 *
 * <p>Where the placement was made for it there is exactly one. Where there are several, as in a small cluster, the first in the
 * rendezvous order of the file is taken, so that all clients take the same and files spread over the nodes. Stateless.
 */
public final class WholeFileNode {

    private WholeFileNode() {}

    /**
     * The node to prefetch a file's windows on.
     *
     * @param holders for each block the nodes that hold it; nodes have equals and hashCode
     * @param fileId the same for all clients
     * @param name a node's lasting name
     * @return empty for a file of fewer than two blocks, or where no node holds all
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
     * The same among nodes that are known to hold all of a file of several blocks.
     *
     * @return empty where there is none
     */
    public static <N> Optional<N> of(Set<N> candidates, long fileId, Function<N, String> name) {
        return candidates.stream()
                .max(Comparator.<N>comparingLong(node -> weight(fileId, name.apply(node)))
                        .thenComparing(name));
    }

    @SuppressWarnings("UnstableApiUsage") // murmur3_128 has been what it is since Guava 11
    private static long weight(long fileId, String name) {
        return Hashing.murmur3_128()
                .newHasher()
                .putLong(fileId)
                .putString(name, StandardCharsets.UTF_8)
                .hash()
                .asLong();
    }
}

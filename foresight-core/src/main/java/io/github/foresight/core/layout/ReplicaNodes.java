/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Selects each file's replica node among a set of nodes, by weighted rendezvous hashing.
 *
 * <p>Each pair of a file and a node has a number h, evenly spread over (0, 1) and independent of all other nodes. A
 * node of weight w has the score {@code -ln(h) / w}, and the node with the least score wins. This has four
 * consequences:
 *
 * <ul>
 *   <li>Each node gets a share of the files in proportion to its weight.
 *   <li>A joining node takes files and moves none between other nodes.
 *   <li>The files of a leaving node are spread over all nodes; if the node returns, it has the same files again.
 *   <li>The nodes with the next scores are the stand-in nodes, in this order.
 * </ul>
 *
 * <p>The paper takes the segment of an identifier space into which the MD5 of the file falls (NBJLOFS, sections 2 and
 * 3.1). There a joining node moves about half of all files; here it takes its share.
 *
 * <p>Within a weight the order is the order of h itself, so a logarithm is computed only once for each weight.
 * {@link #first} is linear in the nodes and allocates nothing. {@link Order} sorts only when a second node is
 * requested. Immutable and thread-safe.
 *
 * <p>Sources: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on
 * Networking 6(1), 1998, for rendezvous hashing. Schindelhauer and Schomaker, "Weighted distributed hash tables", SPAA
 * 2005, for the logarithm.
 *
 * @param <K> the name of a node
 */
public final class ReplicaNodes<K> {

    private static final double UNIT = 0x1.0p-53;

    private final List<K> nodes;
    private final Map<K, Integer> places;
    private final long[] hashes;
    private final double[] weights;

    /** The index of each weight's first node, and the number of nodes at the end. */
    private final int[] starts;

    private final double totalWeight;

    private ReplicaNodes(List<K> nodes, long[] hashes, double[] weights, int[] starts) {
        this.nodes = nodes;
        this.places = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            places.put(nodes.get(i), i);
        }
        this.hashes = hashes;
        this.weights = weights;
        this.starts = starts;
        double total = 0;
        for (int group = 0; group < weights.length; group++) {
            total += groupWeight(group);
        }
        this.totalWeight = total;
    }

    public static <K> Builder<K> builder() {
        return new Builder<>();
    }

    /** The number of nodes. */
    public int size() {
        return nodes.size();
    }

    /**
     * A file's replica node.
     *
     * @param file a {@linkplain LayoutHash file's} number
     * @return null if there is no node
     */
    public @Nullable K first(long file) {
        int best = firstIndex(file);
        return best < 0 ? null : nodes.get(best);
    }

    /**
     * The candidate that is first in a file's order; linear in the candidates.
     *
     * @return null if no candidate is among the nodes
     */
    public @Nullable K firstAmong(long file, Iterable<? extends K> candidates) {
        K best = null;
        double bestScore = Double.POSITIVE_INFINITY;
        long bestPair = 0;
        for (K candidate : candidates) {
            Integer place = places.get(candidate);
            if (place == null) {
                continue;
            }
            long pair = pair(file, hashes[place]);
            double score = score(pair, weights[group(place)]);
            if (best == null || score < bestScore || (score == bestScore && pair > bestPair)) {
                best = candidate;
                bestScore = score;
                bestPair = pair;
            }
        }
        return best;
    }

    /** Whether a node is among the nodes. */
    public boolean contains(K node) {
        return places.containsKey(node);
    }

    /**
     * A node's weight, in proportion to which it gets files.
     *
     * @return 0 if it is not among the nodes
     */
    public double weight(K node) {
        Integer place = places.get(node);
        return place == null ? 0 : weights[group(place)];
    }

    /**
     * Draws one of the nodes, with a probability in proportion to its weight, in constant time. The caller must
     * remember the result, because another node is drawn when a node joins or leaves.
     *
     * @param file a {@linkplain LayoutHash file's} number
     * @param draw draws of different numbers are independent of each other
     * @throws NoSuchElementException if there are no nodes
     */
    public K drawn(long file, int draw) {
        if (nodes.isEmpty()) {
            throw new NoSuchElementException("there are no nodes to draw from");
        }
        double left = unit(LayoutHash.ofDraw(file, draw)) * totalWeight;
        int group = 0;
        while (group + 1 < weights.length && left >= groupWeight(group)) {
            left -= groupWeight(group++);
        }
        int last = starts[group + 1] - 1;
        return nodes.get(Math.min(starts[group] + (int) (left / weights[group]), last));
    }

    /**
     * The candidate that was most probably the file's replica node when the file was new. It is one of the file's first
     * two draws, or else the candidate that is first in the file's order.
     *
     * @return null if no candidate is among the nodes
     */
    public @Nullable K likeliest(long file, Collection<? extends K> candidates) {
        if (candidates.size() > 1 && !nodes.isEmpty()) {
            for (int draw = 0; draw < 2; draw++) {
                K drawn = drawn(file, draw);
                if (candidates.contains(drawn)) {
                    return drawn;
                }
            }
        }
        return firstAmong(file, candidates);
    }

    private double groupWeight(int group) {
        return weights[group] * (starts[group + 1] - starts[group]);
    }

    private int firstIndex(long file) {
        int best = -1;
        double bestScore = Double.POSITIVE_INFINITY;
        for (int group = 0; group < weights.length; group++) {
            int highest = starts[group];
            long highestHash = pair(file, hashes[highest]);
            for (int i = highest + 1; i < starts[group + 1]; i++) {
                long hash = pair(file, hashes[i]);
                if (hash > highestHash) {
                    highestHash = hash;
                    highest = i;
                }
            }
            double score = score(highestHash, weights[group]);
            if (score < bestScore) {
                bestScore = score;
                best = highest;
            }
        }
        return best;
    }

    /** A file's replica node, and after it the stand-in nodes. */
    public Order order(long file) {
        return new Order(file);
    }

    /** The nodes in the order in which they are a file's replica node; not thread-safe. */
    public final class Order {

        private final long file;
        private int next;
        private int @Nullable [] sorted;

        private Order(long file) {
            this.file = file;
        }

        public boolean hasNext() {
            return next < nodes.size();
        }

        /** The next node. */
        public K next() {
            if (!hasNext()) {
                throw new NoSuchElementException("there are only " + nodes.size() + " nodes");
            }
            if (next == 0) {
                next++;
                return nodes.get(firstIndex(file));
            }
            if (sorted == null) {
                sorted = sort(file);
            }
            return nodes.get(sorted[next++]);
        }
    }

    private int[] sort(long file) {
        long[] pairs = new long[nodes.size()];
        double[] scores = new double[nodes.size()];
        List<Integer> order = new ArrayList<>(nodes.size());
        for (int group = 0; group < weights.length; group++) {
            for (int i = starts[group]; i < starts[group + 1]; i++) {
                pairs[i] = pair(file, hashes[i]);
                scores[i] = score(pairs[i], weights[group]);
                order.add(i);
            }
        }
        // The same order as in firstIndex: by score, then by pair within a weight, because scores have fewer bits than
        // pairs.
        order.sort((a, b) -> {
            int byScore = Double.compare(scores[a], scores[b]);
            if (byScore != 0) {
                return byScore;
            }
            int byGroup = Integer.compare(group(a), group(b));
            return byGroup != 0 ? byGroup : Long.compare(pairs[b], pairs[a]);
        });
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private int group(int node) {
        int found = Arrays.binarySearch(starts, node);
        return found >= 0 ? found : -found - 2;
    }

    private static long pair(long file, long node) {
        return LayoutHash.pair(file, node);
    }

    /** Maps a number of 64 bits into (0, 1). */
    private static double unit(long number) {
        return ((number >>> 11) + 0.5) * UNIT;
    }

    private static double score(long pair, double weight) {
        return -Math.log(unit(pair ^ Long.MIN_VALUE)) / weight;
    }

    /**
     * Collects nodes; the order of calls has no effect. Not thread-safe.
     *
     * @param <K> the name of a node
     */
    public static final class Builder<K> {

        private static final class Member<K> {
            final K node;
            final long hash;

            Member(K node, long hash) {
                this.node = node;
                this.hash = hash;
            }
        }

        private final Map<Double, List<Member<K>>> byWeight = new TreeMap<>(Collections.reverseOrder());
        private int size;

        private Builder() {}

        /**
         * Adds a node.
         *
         * @param name the node's permanent name, by which its files are found again
         * @param weight the node's weight; a node of weight 0 is left out
         */
        @CanIgnoreReturnValue
        public Builder<K> add(K node, String name, double weight) {
            if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("weight of " + name + " must be finite and at least 0: " + weight);
            }
            if (weight > 0) {
                byWeight.computeIfAbsent(weight, any -> new ArrayList<>())
                        .add(new Member<>(node, LayoutHash.ofName(name)));
                size++;
            }
            return this;
        }

        public ReplicaNodes<K> build() {
            List<K> nodes = new ArrayList<>(size);
            long[] hashes = new long[size];
            double[] weights = new double[byWeight.size()];
            int[] starts = new int[byWeight.size() + 1];
            int group = 0;
            for (Map.Entry<Double, List<Member<K>>> members : byWeight.entrySet()) {
                weights[group] = members.getKey();
                starts[group++] = nodes.size();
                // A draw depends on the index of a node, and all processes must draw the same node.
                members.getValue().sort(Comparator.comparingLong((Member<K> member) -> member.hash));
                for (Member<K> member : members.getValue()) {
                    hashes[nodes.size()] = member.hash;
                    nodes.add(member.node);
                }
            }
            starts[group] = nodes.size();
            return new ReplicaNodes<>(Collections.unmodifiableList(nodes), hashes, weights, starts);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fewest overlaps that the replicas allow, computed independently of the production code. */
final class Optimum {

    private Optimum() {}

    /**
     * The fewest neighbours that share a first node: computed forwards, for each node at which the last block may
     * start.
     */
    static int fewestSharedByNeighbours(List<? extends Set<Integer>> blocks) {
        Map<Integer, Integer> fewest = Map.of(-1, 0);
        for (Set<Integer> block : blocks) {
            Map<Integer, Integer> next = new HashMap<>();
            for (int node : block) {
                fewest.forEach((last, shared) -> next.merge(node, shared + (last == node ? 1 : 0), Math::min));
            }
            fewest = next;
        }
        return fewest.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    }

    /**
     * The fewest blocks that share a first node with the block 1, 2, ... before, in this order of importance, over all
     * choices.
     */
    static List<Integer> fewestShared(List<? extends Set<Integer>> blocks, int before) {
        return ways(blocks).stream()
                .map(firsts -> shared(firsts, before))
                .min((a, b) -> Arrays.compare(
                        a.stream().mapToInt(Integer::intValue).toArray(),
                        b.stream().mapToInt(Integer::intValue).toArray()))
                .orElseThrow();
    }

    private static List<List<Integer>> ways(List<? extends Set<Integer>> blocks) {
        List<List<Integer>> ways = List.of(List.of());
        for (Set<Integer> block : blocks) {
            List<List<Integer>> longer = new ArrayList<>();
            for (List<Integer> way : ways) {
                for (int node : block) {
                    List<Integer> firsts = new ArrayList<>(way);
                    firsts.add(node);
                    longer.add(firsts);
                }
            }
            ways = longer;
        }
        return ways;
    }

    /** The fewest blocks that the node with the most can have, over all choices. */
    static int fewestOfTheFullestNode(List<? extends Set<Integer>> blocks) {
        return ways(blocks).stream().mapToInt(Optimum::mostOfANode).min().orElseThrow();
    }

    /** The blocks of the node with the most. */
    static int mostOfANode(List<Integer> firsts) {
        return firsts.stream()
                .mapToInt(node -> Collections.frequency(firsts, node))
                .max()
                .orElse(0);
    }

    /** The blocks that share their first node with the block 1, 2, ... before. */
    static List<Integer> shared(List<Integer> firsts, int before) {
        List<Integer> shared = new ArrayList<>();
        for (int back = 1; back <= before; back++) {
            int count = 0;
            for (int block = back; block < firsts.size(); block++) {
                count += firsts.get(block).equals(firsts.get(block - back)) ? 1 : 0;
            }
            shared.add(count);
        }
        return shared;
    }
}

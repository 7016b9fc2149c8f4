/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * Assigns each block to one of its candidates so that the node with the most blocks has as few as possible: an optimal
 * semi-matching of blocks and nodes.
 *
 * <p>Blocks are assigned one after the other. From the candidates of a block, a search goes from each node to the other
 * candidates of the blocks that the node has already. Of all nodes that it reaches, the node with the fewest blocks gets
 * one more, and each block on the way there moves on by one node. After each block the assignment is optimal for the
 * blocks so far.
 *
 * <p>A block takes time linear in the candidates of all blocks before it, so a request takes quadratic time; the caller
 * bounds the blocks. Allocates only to grow. Not thread-safe.
 *
 * <p>Harvey, Ladner, Lovász and Tamir, "Semi-matchings for bipartite graphs and load balancing", 2003, algorithm ASM1.
 */
final class EvenFirsts {

    private static final int NONE = -1;

    /** The distinct nodes in the order of their first block; the arrays below have a node's index here. */
    private int[] numbers = new int[0];

    private int nodes;
    private int[] loads = new int[0];

    /** The block by which the search came to a node, and the node that it came from; {@link #NONE} at its begin. */
    private int[] reachedBy = new int[0];

    private int[] reachedFrom = new int[0];
    private boolean[] isReached = new boolean[0];
    private int[] queue = new int[0];

    /** The node of each block; {@link #NONE} if it has no candidates. */
    private int[] assigned = new int[0];

    /**
     * Assigns blocks.
     *
     * @param first the first block; the blocks before it do not count
     * @return the most blocks of a node; 0 if no block has a candidate
     */
    int assign(FirstCandidates candidates, int first) {
        nodes = 0;
        grow(candidates, first);
        int most = 0;
        for (int block = first; block < candidates.blocks(); block++) {
            assigned[block - first] = NONE;
            for (int choice = 0; choice < candidates.count(block); choice++) {
                index(candidates.node(block, choice));
            }
        }
        Arrays.fill(loads, 0, nodes, 0);
        for (int block = first; block < candidates.blocks(); block++) {
            int fewest = search(candidates, first, block);
            if (fewest != NONE) {
                loads[fewest]++;
                most = Math.max(most, loads[fewest]);
                shift(fewest);
            }
        }
        return most;
    }

    /** The node of a block, counted from the first; {@link Node#UNKNOWN} if it has no candidate. */
    int node(int block) {
        return assigned[block] == NONE ? Node.UNKNOWN : numbers[assigned[block]];
    }

    /** Searches from a block's candidates; returns the node with the fewest blocks, or {@link #NONE}. */
    private int search(FirstCandidates candidates, int first, int block) {
        Arrays.fill(isReached, 0, nodes, false);
        int end = reach(candidates, first, block, NONE, 0);
        int fewest = NONE;
        for (int next = 0; next < end; next++) {
            int node = queue[next];
            if (fewest == NONE || loads[node] < loads[fewest]) {
                fewest = node;
            }
            for (int earlier = first; earlier < block; earlier++) {
                if (assigned[earlier - first] == node) {
                    end = reach(candidates, first, earlier, node, end);
                }
            }
        }
        return fewest;
    }

    /** Adds the candidates of a block that are not reached yet to the queue; returns its new end. */
    private int reach(FirstCandidates candidates, int first, int block, int from, int end) {
        int last = end;
        for (int choice = 0; choice < candidates.count(block); choice++) {
            int node = index(candidates.node(block, choice));
            if (!isReached[node]) {
                isReached[node] = true;
                reachedBy[node] = block - first;
                reachedFrom[node] = from;
                queue[last] = node;
                last++;
            }
        }
        return last;
    }

    /** Moves each block on the way to a node on by one node. */
    private void shift(int node) {
        for (int to = node; to != NONE; to = reachedFrom[to]) {
            assigned[reachedBy[to]] = to;
        }
    }

    private int index(int number) {
        int index = 0;
        while (index < nodes && numbers[index] != number) {
            index++;
        }
        if (index == nodes) {
            numbers[index] = number;
            nodes++;
        }
        return index;
    }

    private void grow(FirstCandidates candidates, int first) {
        int blocks = candidates.blocks() - first;
        int most = blocks * candidates.most();
        if (assigned.length < blocks || numbers.length < most) {
            assigned = new int[blocks];
            numbers = new int[most];
            loads = new int[most];
            reachedBy = new int[most];
            reachedFrom = new int[most];
            isReached = new boolean[most];
            queue = new int[most];
        }
    }
}

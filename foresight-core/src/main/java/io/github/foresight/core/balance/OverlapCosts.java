/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * The least cost of overlaps from each block on, for each possible choice of the blocks before it. Two blocks overlap
 * if they share a first node.
 *
 * <p>The cost of an overlap depends on its distance. One overlap of neighbours costs more than any number of overlaps
 * of blocks that are two apart, and likewise for larger distances. If the caller takes a choice of the lowest cost for
 * each block, the fewest neighbours overlap. Among such solutions the fewest blocks that are two apart overlap, and
 * likewise up to {@link #depth}.
 *
 * <p><b>The table.</b> A state is the choices of the last {@code depth} blocks, each in a few bits, the latest in the
 * lowest bits. The table is filled from the last block backwards (dynamic programming). A choice costs its overlaps
 * with the state plus the cost of the following state. The cost of a state is the least cost of the block's choices.
 *
 * <p><b>The depth.</b> A table for the whole window would give the optimum. But the size of a table is the number of
 * candidates to the power of the depth. For this reason the depth is bounded by {@value #MOST_TRANSITIONS} steps for
 * each block and {@value #MOST_STATES} states in all; a depth of 1 is always possible. The depth is 3 with three
 * candidates for each block, 6 with two, and 2 with five. If each block has a free node whatever is chosen before it,
 * there is no table and the depth is 0. This is the case with more candidates than blocks in a window.
 *
 * <p>Takes time linear in the blocks; allocates only to grow. The bounds are chosen, not measured. Not thread-safe.
 */
final class OverlapCosts {

    private static final int MOST_TRANSITIONS = 128;
    private static final int MOST_STATES = 1 << 16;

    /** The largest depth; a larger depth exceeds {@link #MOST_TRANSITIONS} even with two candidates. */
    private static final int MOST_DEPTH = 6;

    /** The bits of all counts of overlaps together, with one count for each distance. */
    private static final int MOST_UNIT_BITS = Long.SIZE - 1;

    /** The first capacity of the table, in states; chosen, not measured. */
    private static final int FEW_STATES = 1024;

    /** Filled by the caller. The choice of the first blocks is already made; each has at most one candidate. */
    final FirstCandidates candidates = new FirstCandidates();

    private int depth;
    private int unitBits;
    private int choiceBits;
    private int choiceMask;
    private int stateMask;
    private long[] costs = new long[FEW_STATES];

    /** For the current block, by choice and distance: the earlier block's choice that is the same node. */
    private int[] same = new int[MOST_DEPTH * MOST_DEPTH];

    /** For the current block, by choice: the cost of overlaps with all blocks of a state but the latest. */
    private long[] shared = new long[MOST_DEPTH];

    /** Removes the blocks, and frees memory that only a very large request needs. */
    void clear() {
        if (costs.length > MOST_STATES) {
            costs = new long[FEW_STATES];
        }
        candidates.clear();
        depth = 0;
    }

    /**
     * Computes the costs.
     *
     * @param before the number of earlier blocks that count for a block, and of first blocks whose choice is made, at
     *     least 0
     */
    void prepare(int before) {
        choiceBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(candidates.most() - 1, 0));
        choiceMask = (1 << choiceBits) - 1;
        depth = candidates.isEachFree(before) ? 0 : Math.min(before, MOST_DEPTH);
        while (depth > 1 && !isWithinBounds()) {
            depth--;
        }
        stateMask = (1 << (depth * choiceBits)) - 1;
        if (depth > 0) {
            unitBits = MOST_UNIT_BITS / depth;
            makeTable(before);
        }
    }

    /** The largest distance of overlaps in the costs; 0 if no overlap is necessary. */
    int depth() {
        return depth;
    }

    /** The state before the first block without a choice. */
    int firstState() {
        return 0;
    }

    int nextState(int state, int choice) {
        return ((state << choiceBits) | choice) & stateMask;
    }

    /**
     * The cost of a choice, including the blocks that follow. Compare it only with the block's other choices in the
     * same state.
     */
    long cost(int block, int state, int choice) {
        if (depth == 0) {
            return 0;
        }
        long cost = costs[(block + 1) * (stateMask + 1) + nextState(state, choice)];
        int node = candidates.node(block, choice);
        for (int back = 1; back <= depth; back++) {
            if (choiceAt(state, back) == candidates.find(block - back, node)) {
                cost += unit(back);
            }
        }
        return cost;
    }

    private boolean isWithinBounds() {
        int most = candidates.most();
        int blocks = candidates.blocks();
        long transitions = most;
        for (int i = 0; i < depth; i++) {
            transitions *= most;
        }
        return transitions <= MOST_TRANSITIONS
                && (blocks + 1L) << (depth * choiceBits) <= MOST_STATES
                // A count of overlaps must not overflow into the count of the next smaller distance.
                && blocks >> (MOST_UNIT_BITS / depth) == 0;
    }

    private void makeTable(int before) {
        int blocks = candidates.blocks();
        int states = stateMask + 1;
        long needed = (blocks + 1L) * states;
        if (needed > costs.length) {
            costs = new long[Math.toIntExact(Math.max(needed, Math.min(2L * costs.length, MOST_STATES)))];
        }
        if (shared.length < candidates.most()) {
            shared = new long[candidates.most()];
            same = new int[candidates.most() * MOST_DEPTH];
        }
        Arrays.fill(costs, blocks * states, (blocks + 1) * states, 0);
        for (int block = blocks - 1; block >= before; block--) {
            fill(block);
        }
    }

    private void fill(int block) {
        findSame(block);
        int count = candidates.count(block);
        int to = block * (stateMask + 1);
        int next = to + stateMask + 1;
        // States that differ only in the latest choice share a part of their costs.
        for (int earlier = 0; earlier <= stateMask; earlier += choiceMask + 1) {
            if (isPossible(block, earlier)) {
                shareEarlier(earlier, count);
                int end = earlier + Math.max(1, candidates.count(block - 1));
                for (int state = earlier; state < end; state++) {
                    costs[to + state] = count == 0 ? costs[next + nextState(state, 0)] : lowest(next, state, count);
                }
            }
        }
    }

    private void findSame(int block) {
        for (int choice = 0; choice < candidates.count(block); choice++) {
            int node = candidates.node(block, choice);
            for (int back = 1; back <= depth; back++) {
                same[choice * MOST_DEPTH + back - 1] = candidates.find(block - back, node);
            }
        }
    }

    /** Whether the earlier blocks have the choices of a state; a block without candidates has the choice 0. */
    private boolean isPossible(int block, int state) {
        for (int back = 1; back <= depth; back++) {
            int choice = choiceAt(state, back);
            if (choice != 0 && choice >= candidates.count(block - back)) {
                return false;
            }
        }
        return true;
    }

    private void shareEarlier(int state, int count) {
        for (int choice = 0; choice < count; choice++) {
            long cost = 0;
            for (int back = 2; back <= depth; back++) {
                if (choiceAt(state, back) == same[choice * MOST_DEPTH + back - 1]) {
                    cost += unit(back);
                }
            }
            shared[choice] = cost;
        }
    }

    private long lowest(int next, int state, int count) {
        long lowest = Long.MAX_VALUE;
        int following = next + nextState(state, 0);
        int latest = choiceAt(state, 1);
        long unit = unit(1);
        for (int choice = 0; choice < count; choice++) {
            long cost = costs[following + choice] + shared[choice];
            if (latest == same[choice * MOST_DEPTH]) {
                cost += unit;
            }
            lowest = Math.min(lowest, cost);
        }
        return lowest;
    }

    private int choiceAt(int state, int back) {
        return (state >>> ((back - 1) * choiceBits)) & choiceMask;
    }

    private long unit(int back) {
        return 1L << ((depth - back) * unitBits);
    }
}

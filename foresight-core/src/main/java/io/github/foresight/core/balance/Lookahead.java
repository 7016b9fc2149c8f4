/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * How often blocks in a row must still share a node, from each block on, for each choice that may have been made for the blocks
 * before it.
 *
 * <p>Sharing costs by distance: once between neighbours costs more than any number of times between blocks that are two apart, and
 * so on. So who makes a choice of the lowest cost for each block lets as few neighbours share as can be, of those two apart as
 * few as that leaves, and so forth as far as {@link #depth} reaches.
 *
 * <p><b>The table.</b> A state is the choices for the {@code depth} blocks before, each a few bits, the latest lowest. From the
 * last block backwards, a state costs what the block's best choice shares with it, and what the state costs that follows
 * from that choice.
 *
 * <p><b>The depth.</b> A table deep enough for the whole window makes the optimum; its size is the number of candidates to the
 * power of the depth. So it is bounded, by {@value #MOST_TRANSITIONS} steps per block and {@value #MOST_STATES} states in all,
 * but for a depth of 1: that is 3 with three candidates per block, 6 with two, 2 with five. There is no table, and no depth,
 * where each block finds a free node whatever is chosen before it, as with more candidates than blocks in a window.
 *
 * <p>Linear in the blocks; allocates only to grow. Not thread-safe.
 */
final class Lookahead {

    private static final int MOST_TRANSITIONS = 128;
    private static final int MOST_STATES = 1 << 16;

    /** More is not within {@link #MOST_TRANSITIONS} even with two candidates. */
    private static final int MOST_DEPTH = 6;

    /** What the counts of sharings, one for each distance, have together. */
    private static final int MOST_UNIT_BITS = Long.SIZE - 1;

    private static final int FEW_STATES = 1024;

    /** Filled by the caller; the first blocks, of one candidate each at most, are settled already. */
    final Candidates candidates = new Candidates();

    private int depth;
    private int unitBits;
    private int choiceBits;
    private int choiceMask;
    private int stateMask;
    private long[] costs = new long[FEW_STATES];

    /** Of the block in hand: per choice and distance, the earlier block's choice that is the same node. */
    private int[] same = new int[MOST_DEPTH * MOST_DEPTH];

    /** Of the block in hand: per choice, what it shares with all blocks of a state but the latest. */
    private long[] shared = new long[MOST_DEPTH];

    /** Forgets the blocks, and memory that only a large request needs. */
    void clear() {
        if (costs.length > MOST_STATES) {
            costs = new long[FEW_STATES];
        }
        candidates.clear();
        depth = 0;
    }

    /**
     * Makes the table.
     *
     * @param before how many blocks before each matter, and how many are settled, at least 0
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

    /** How many blocks back the costs reach, 0 where nothing need cost anything. */
    int depth() {
        return depth;
    }

    /** The state before the first block that is not settled. */
    int firstState() {
        return 0;
    }

    int nextState(int state, int choice) {
        return ((state << choiceBits) | choice) & stateMask;
    }

    /** What a choice costs with all that follows from it; to be compared with the block's others in the same state. */
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
                // A count of sharings must not run over into that of the next nearer ones.
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
        // States that differ in the latest choice only share a part of their costs.
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

    /** Whether the blocks before have the choices that a state names; one without any has the choice 0. */
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

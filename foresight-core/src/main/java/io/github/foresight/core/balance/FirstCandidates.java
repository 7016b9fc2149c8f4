/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * The candidates of consecutive blocks: for each block the nodes that may be first, numbered from 0. The number of a
 * candidate is called a choice.
 *
 * <p>A lookup takes time linear in a block's candidates. Allocates only to grow. Not thread-safe.
 */
final class FirstCandidates {

    static final int NONE = -1;

    /** The first capacity, in blocks; an array of more than 64 times as many is not kept. Chosen, not measured. */
    private static final int FEW_BLOCKS = 64;

    private static final int FEW_CANDIDATES = 4 * FEW_BLOCKS;
    private static final int MANY_BLOCKS = 64 * FEW_BLOCKS;

    private int blocks;
    private int most;
    private int[] ends = new int[FEW_BLOCKS];
    private int[] nodes = new int[FEW_CANDIDATES];

    /** Removes the blocks, and frees memory that only a very large request needs. */
    void clear() {
        if (ends.length > MANY_BLOCKS) {
            ends = new int[FEW_BLOCKS];
            nodes = new int[FEW_CANDIDATES];
        }
        blocks = 0;
        most = 0;
    }

    /** Adds a block; its candidates follow. */
    void addBlock() {
        if (blocks == ends.length) {
            ends = Arrays.copyOf(ends, 2 * blocks);
        }
        ends[blocks] = start(blocks);
        blocks++;
    }

    /** Adds a candidate to the last block. */
    void add(int node) {
        int end = ends[blocks - 1];
        if (end == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * end);
        }
        nodes[end] = node;
        ends[blocks - 1] = end + 1;
        most = Math.max(most, count(blocks - 1));
    }

    int blocks() {
        return blocks;
    }

    /** The largest number of candidates of a block. */
    int most() {
        return most;
    }

    /** The number of a block's candidates. */
    int count(int block) {
        return ends[block] - start(block);
    }

    int node(int block, int choice) {
        return nodes[start(block) + choice];
    }

    /**
     * The choice of a block that is a given node. {@link #NONE} if the block has no such candidate, or the node is
     * unknown.
     */
    int find(int block, int node) {
        int start = start(block);
        int place = ends[block] - 1;
        while (place >= start && nodes[place] != node) {
            place--;
        }
        return place < start || node == Node.UNKNOWN ? NONE : place - start;
    }

    /**
     * Whether each block has a free node, whatever is chosen for the blocks before it.
     *
     * @param before the number of earlier blocks that count; the first blocks of this number are not checked
     */
    boolean isEachFree(int before) {
        for (int block = before; block < blocks; block++) {
            int count = count(block);
            if (count != 0 && count <= before && count <= rivals(block, before)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The number of earlier blocks that share a candidate with this block; each may take one of this block's
     * candidates.
     */
    private int rivals(int block, int before) {
        int rivals = 0;
        for (int back = 1; back <= before; back++) {
            int choice = count(block) - 1;
            while (choice >= 0 && find(block - back, node(block, choice)) == NONE) {
                choice--;
            }
            rivals += choice >= 0 ? 1 : 0;
        }
        return rivals;
    }

    private int start(int block) {
        return block == 0 ? 0 : ends[block - 1];
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * For each of some blocks in a row, the nodes that may be its first, under numbers from 0: the choices for the block.
 *
 * <p>Allocates only to grow. Not thread-safe.
 */
final class Candidates {

    static final int NONE = -1;

    private static final int FEW_BLOCKS = 64;
    private static final int FEW_CANDIDATES = 4 * FEW_BLOCKS;
    private static final int MANY_BLOCKS = 64 * FEW_BLOCKS;

    private int blocks;
    private int most;
    private int[] ends = new int[FEW_BLOCKS];
    private int[] nodes = new int[FEW_CANDIDATES];

    /** Forgets the blocks, and memory that only a large request needs. */
    void clear() {
        if (ends.length > MANY_BLOCKS) {
            ends = new int[FEW_BLOCKS];
            nodes = new int[FEW_CANDIDATES];
        }
        blocks = 0;
        most = 0;
    }

    /** Begins a block; its candidates follow. */
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

    /** How many candidates the block has that has most. */
    int most() {
        return most;
    }

    /** How many candidates a block has. */
    int count(int block) {
        return ends[block] - start(block);
    }

    int node(int block, int choice) {
        return nodes[start(block) + choice];
    }

    /** The choice for a block that is this node, or {@link #NONE}, which it always is for a node that is not known. */
    int find(int block, int node) {
        int start = start(block);
        int place = ends[block] - 1;
        while (place >= start && nodes[place] != node) {
            place--;
        }
        return place < start || node == Node.UNKNOWN ? NONE : place - start;
    }

    /**
     * Whether each block finds a node that none of those before it has, whatever is chosen for them.
     *
     * @param before how many blocks before are meant; as many at the beginning are not asked for
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

    /** How many of the blocks before have any candidate of this block's, of which each can take one. */
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

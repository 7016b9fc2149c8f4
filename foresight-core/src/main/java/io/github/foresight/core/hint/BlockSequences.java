/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import java.util.List;
import java.util.Objects;

/**
 * Splits a file's layout into one block sequence for each DataNode (SSPF Fig. 2 and 3).
 *
 * <p>The metadata server describes a file block by block; a DataNode needs its own blocks in reading order. A client
 * reads only one replica of each block, and only this replica is in a sequence. It is the first location, because HDFS
 * sorts the locations and the client tries the first.
 */
public final class BlockSequences {

    private BlockSequences() {}

    /**
     * Splits a layout by node, in time linear in its length.
     *
     * @param layout the file's blocks in file order, each with the node that will serve it
     * @return the nodes in order of their first block; each node's blocks in file order
     */
    public static <N> ImmutableListMultimap<N, HintedBlock> byNode(List<Placed<N>> layout) {
        ImmutableListMultimap.Builder<N, HintedBlock> sequences = ImmutableListMultimap.builder();
        for (Placed<N> placed : layout) {
            sequences.put(placed.node, placed.block);
        }
        return sequences.build();
    }

    /**
     * The section of a layout that a hint names: at most {@code windowBlocks} blocks, beginning with block {@code from}. Blocks that begin at
     * {@code endBytes} of the file or later are left out, except for the first. If blocks are cut, their parts count as blocks.
     *
     * @throws IllegalArgumentException if {@code from} is not a block of the layout or the window is empty
     */
    public static <N> ImmutableList<Placed<N>> window(
            List<Placed<N>> layout, int from, int windowBlocks, long endBytes) {
        if (from < 0 || from >= layout.size()) {
            throw new IllegalArgumentException("from must be in [0, " + layout.size() + "): " + from);
        }
        if (windowBlocks < 1) {
            throw new IllegalArgumentException("windowBlocks must be at least 1: " + windowBlocks);
        }
        int end = from + Math.min(windowBlocks, layout.size() - from);
        while (end > from + 1 && layout.get(end - 1).block().beginInFile() >= endBytes) {
            end--;
        }
        return ImmutableList.copyOf(layout.subList(from, end));
    }

    /** A block and the node that will serve it; immutable. */
    public static final class Placed<N> {
        private final HintedBlock block;
        private final N node;

        public Placed(HintedBlock block, N node) {
            this.block = Objects.requireNonNull(block, "block");
            this.node = Objects.requireNonNull(node, "node");
        }

        public HintedBlock block() {
            return block;
        }

        public N node() {
            return node;
        }

        @Override
        public String toString() {
            return block + " on " + node;
        }
    }
}

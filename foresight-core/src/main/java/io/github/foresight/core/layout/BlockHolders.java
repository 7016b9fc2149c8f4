/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes hold the blocks of one file, and so which is its replica node, whatever the hash says: the one that holds the most of
 * them. What is made or kept by this answer confirms it, so all who ask in turn agree, without anything being written down.
 * Not thread-safe.
 *
 * @param <K> names a node
 */
public final class BlockHolders<K> {

    /**
     * Of longer files so many blocks are looked at, evenly over the file: the NameNode looks on a handler, and a migration takes the fewest
     * moves for files up to this. Chosen, not measured.
     */
    public static final int LOOKED_AT_MAX = 64;

    private final Map<K, Integer> blocks = new HashMap<>();

    /**
     * The holders of a file's blocks, or, of a file of more than {@value #LOOKED_AT_MAX}, of so many of them, its first and last among
     * these. All who want to tell the same replica node look at a file by this.
     *
     * @param fileBlocks how many blocks the file has
     * @param addHoldersOf adds the nodes that hold a block, by its index in the file
     */
    public static <K> BlockHolders<K> of(int fileBlocks, ObjIntConsumer<BlockHolders<K>> addHoldersOf) {
        BlockHolders<K> holders = new BlockHolders<>();
        if (fileBlocks <= LOOKED_AT_MAX) {
            for (int block = 0; block < fileBlocks; block++) {
                addHoldersOf.accept(holders, block);
            }
        } else {
            for (long i = 0; i < LOOKED_AT_MAX; i++) {
                addHoldersOf.accept(holders, (int) (i * (fileBlocks - 1) / (LOOKED_AT_MAX - 1)));
            }
        }
        return holders;
    }

    /** Takes note of a node that holds one more of the file's blocks. */
    public void add(K node) {
        blocks.merge(node, 1, Integer::sum);
    }

    /** How many of the file's blocks a node holds. */
    public int blocksOn(K node) {
        return blocks.getOrDefault(node, 0);
    }

    /**
     * The node that holds the most blocks; of several the {@linkplain ReplicaNodes#likeliest likeliest}.
     *
     * @param nodes those that may be a replica node
     * @param file the file's {@linkplain LayoutHash number}
     * @return null where none of the nodes holds a block
     */
    public @Nullable K most(ReplicaNodes<K> nodes, long file) {
        return mostOf(nodes, file, blocks.keySet());
    }

    /**
     * The node that holds the most blocks of those that are still there, as {@link #most(ReplicaNodes, long)}; forgets those that are not.
     *
     * @param isThere asked of one node where the node that holds the most is there
     */
    public @Nullable K most(ReplicaNodes<K> nodes, long file, Predicate<? super K> isThere) {
        K most = most(nodes, file);
        while (most != null && !isThere.test(most)) {
            blocks.remove(most);
            most = most(nodes, file);
        }
        return most;
    }

    /**
     * That of some candidates which holds the most blocks, be it none; of several the {@linkplain
     * ReplicaNodes#likeliest likeliest}.
     *
     * @return null where no candidate is among the nodes
     */
    public @Nullable K mostOf(ReplicaNodes<K> nodes, long file, Iterable<? extends K> candidates) {
        List<K> best = new ArrayList<>();
        int most = 0;
        for (K candidate : candidates) {
            int held = blocksOn(candidate);
            if (held >= most && nodes.contains(candidate)) {
                if (held > most) {
                    best.clear();
                }
                most = held;
                best.add(candidate);
            }
        }
        return nodes.likeliest(file, best);
    }
}

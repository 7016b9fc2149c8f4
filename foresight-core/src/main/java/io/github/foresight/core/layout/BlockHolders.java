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
 * The nodes that hold the blocks of one file. The node that holds the most blocks is the file's replica node, whatever
 * the hash says. Replicas that are made or kept by this rule confirm its result. For this reason all callers, one after
 * another, get the same replica node, although it is stored nowhere.
 *
 * <p>A query takes time linear in the holders. Not thread-safe.
 *
 * @param <K> the name of a node
 */
public final class BlockHolders<K> {

    /**
     * The most blocks of a file that are considered; of longer files the considered blocks are spread evenly. The bound
     * exists because a NameNode's handler does this work. For files up to this bound a migration takes the fewest
     * moves. Chosen, not measured.
     */
    public static final int LOOKED_AT_MAX = 64;

    private final Map<K, Integer> blocks = new HashMap<>();

    /**
     * The holders of a file's blocks. Of a file of more than {@value #LOOKED_AT_MAX} blocks only this many are
     * considered, among them the first and the last. All code that determines a file's replica node uses this method,
     * and so considers the same blocks.
     *
     * @param fileBlocks the number of the file's blocks
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

    /** Adds a node that holds one more of the file's blocks. */
    public void add(K node) {
        blocks.merge(node, 1, Integer::sum);
    }

    /** The number of the file's blocks that a node holds. */
    public int blocksOn(K node) {
        return blocks.getOrDefault(node, 0);
    }

    /**
     * The node that holds the most blocks; of equals the {@linkplain ReplicaNodes#likeliest likeliest}.
     *
     * @param nodes the nodes that may be a replica node
     * @param file the file's {@linkplain LayoutHash number}
     * @return null if none of the nodes holds a block
     */
    public @Nullable K most(ReplicaNodes<K> nodes, long file) {
        return mostOf(nodes, file, blocks.keySet());
    }

    /**
     * The existing node that holds the most blocks, as {@link #most(ReplicaNodes, long)}. Removes the nodes that no
     * longer exist.
     *
     * @param isThere whether a node exists; called until a node does
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
     * The candidate that holds the most blocks, possibly none; of equals the
     * {@linkplain ReplicaNodes#likeliest likeliest}.
     *
     * @return null if no candidate is among the nodes
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

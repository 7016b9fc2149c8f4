/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the victims of the caching queue, and the blocks of its victim chunk.
 *
 * <p>The cache reports each added, hit and removed block to the policy. Only the cache counts bytes against the
 * capacity. Not thread-safe.
 */
interface CachingPolicy<K> {

    /**
     * Adds a block.
     *
     * @return the blocks that the policy evicts for this; the new block may be one of them
     */
    List<Block<K>> add(Block<K> block);

    /**
     * Records a hit; call this before the block moves in its list.
     *
     * @return whether the block was in the victim chunk
     */
    boolean hit(Block<K> block);

    /** Removes a block, for any reason. */
    void remove(Block<K> block);

    /** The next victim, or null if the queue is empty. */
    @Nullable
    Block<K> coldest();

    /** Starts a new period of counting hits. */
    void beginPeriod();

    /**
     * Adjusts the policy to another capacity of the cache.
     *
     * @return the blocks that the policy evicts for this
     */
    List<Block<K>> resize(long capacityBytes);
}

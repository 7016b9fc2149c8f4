/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which block of the caching queue goes first, and which of its blocks make up the victim chunk.
 *
 * <p>The cache tells the policy of every block that comes, is hit and goes; it alone keeps the budget. Not thread-safe.
 */
interface CachingPolicy<K> {

    /**
     * Takes in a block.
     *
     * @return the blocks, perhaps the newcomer among them, that the policy gave up on this occasion
     */
    List<Block<K>> add(Block<K> block);

    /**
     * Sees a hit; to be told before the block changes its place among the others.
     *
     * @return whether the block was in the victim chunk
     */
    boolean hit(Block<K> block);

    /** Forgets a block, whatever the reason. */
    void remove(Block<K> block);

    /** The block that should go first, or null where there is none. */
    @Nullable
    Block<K> coldest();

    /** Hits are counted anew from here on. */
    void beginPeriod();

    /**
     * Prepares for a cache of another size.
     *
     * @return the blocks that the policy gave up on this occasion
     */
    List<Block<K>> resize(long capacityBytes);
}

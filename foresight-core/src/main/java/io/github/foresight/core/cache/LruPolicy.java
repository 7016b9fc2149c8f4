/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The least recently used block is the next victim. The victim chunk is the least recently used chunk of the queue at
 * each hit.
 *
 * <p>The policy keeps no data of its own, because the cache's caching queue is already ordered by last hit. Constant
 * amortised time. Not thread-safe.
 */
final class LruPolicy<K> implements CachingPolicy<K> {

    private final BlockList<K> byLastHit;
    private final BlockList.Front<K> victimChunk;
    private final long chunkBytes;

    /**
     * Makes a policy on a list.
     *
     * @param byLastHit the caching queue, which must be empty; ordered by last hit, the oldest first
     */
    LruPolicy(BlockList<K> byLastHit, long chunkBytes) {
        this.byLastHit = byLastHit;
        this.victimChunk = byLastHit.front();
        this.chunkBytes = chunkBytes;
    }

    @Override
    public List<Block<K>> add(Block<K> block) {
        return ImmutableList.of();
    }

    @Override
    public boolean hit(Block<K> block) {
        victimChunk.growToBytes(chunkBytes);
        return victimChunk.contains(block);
    }

    @Override
    public void remove(Block<K> block) {}

    @Override
    public @Nullable Block<K> coldest() {
        return byLastHit.oldest();
    }

    @Override
    public void beginPeriod() {}

    @Override
    public List<Block<K>> resize(long capacityBytes) {
        return ImmutableList.of();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The least recently used block goes first, and the victim chunk is the least recently used chunk of the queue as it stands at
 * each hit.
 *
 * <p>Keeps no book of its own: the cache has its caching queue in order of the last hit already. Constant amortised time.
 */
final class LruPolicy<K> implements CachingPolicy<K> {

    private final BlockList<K> byLastHit;
    private final BlockList.Front<K> victimChunk;
    private final long chunkBytes;

    /**
     * Follows a list.
     *
     * @param byLastHit the caching queue, empty, the block that will be longest without a hit first
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * W-TinyLFU with Caffeine: a small window by recency, a main part in two segments, and a frequency sketch that decides
 * between both parts.
 *
 * <p>The cache asks for the coldest block and removes it; Caffeine only keeps the order. Caffeine weighs blocks in
 * pages of 4 KiB, rounded up. If rounding makes the blocks look larger than the whole cache, Caffeine itself evicts a
 * block, which may be the new block. Only then Caffeine sometimes decides at random. A DataNode pins whole pages and
 * never meets this case. Its results depend only on the sequence of events, because maintenance runs at once in the
 * calling thread.
 *
 * <p><b>Caffeine's maximum follows the queue.</b> Caffeine derives its window and segments from its maximum, and counts
 * frequencies only when it is half full. Suppose that the maximum were the capacity of the whole cache, and the queue
 * shares the cache with many unread blocks. Then Caffeine would order the queue without frequencies, and would never
 * demote blocks that were popular once. For this reason the maximum is reduced to the queue's weight when a victim is
 * requested, because the queue then has all its room. The maximum rises when the queue outgrows it. Each change is at
 * least a sixteenth, so that small changes of the queue's size do not move the maximum each time.
 *
 * <p><b>Victim chunk.</b> Following Caffeine's order at each hit would cost a walk over the order. Instead the coldest
 * chunk is sampled, and sampled again when a quarter of its blocks have been hit or have left. A chunk of a single
 * block is as exact as with LRU; a larger chunk is wrong for at most a quarter of its blocks. A queue that is no larger
 * than a chunk is the chunk.
 *
 * <p>Constant amortised time for blocks of similar size, because sampling is linear in the chunk's blocks. Not
 * thread-safe.
 *
 * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy. ACM ToS 13(4), 2017.
 */
final class TinyLfuPolicy<K> implements CachingPolicy<K> {

    /** The unit of weight: Caffeine's weights are ints, which pages suit up to 8 TiB. */
    private static final long PAGE_BYTES = 4 << 10;

    private final BlockList<K> caching;
    private final long chunkBytes;
    private final Cache<K, Block<K>> cache;
    private final Policy.Eviction<K, Block<K>> order;
    private final List<Block<K>> givenUp = new ArrayList<>(1);

    private long weightPages;
    private long maximumPages;
    private long capacityPages;

    private Set<K> victimChunk = new HashSet<>();
    private int sampledBlocks;

    /**
     * Makes an empty policy.
     *
     * @param caching the caching queue
     */
    TinyLfuPolicy(BlockList<K> caching, long capacityBytes, long chunkBytes) {
        this.caching = caching;
        this.chunkBytes = chunkBytes;
        this.capacityPages = pages(capacityBytes);
        this.maximumPages = capacityPages;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maximumPages)
                .<K, Block<K>>weigher((key, block) -> weight(block))
                .evictionListener((key, block, cause) -> {
                    if (block != null) {
                        givenUp.add(block);
                    }
                })
                .executor(Runnable::run)
                .build();
        this.order = cache.policy()
                .eviction()
                .orElseThrow(() -> new IllegalStateException("a cache with a maximum weight has an eviction policy"));
    }

    @Override
    public List<Block<K>> add(Block<K> block) {
        weightPages += weight(block);
        if (weightPages > maximumPages) {
            setMaximum(weightPages + weightPages / 16);
        }
        cache.put(block.key, block);
        return settle();
    }

    @Override
    public boolean hit(Block<K> block) {
        boolean isCold = takeFromVictimChunk(block);
        // Caffeine counts this lookup as a use.
        Block<K> unused = cache.getIfPresent(block.key);
        cache.cleanUp();
        return isCold;
    }

    @Override
    public void remove(Block<K> block) {
        weightPages -= weight(block);
        cache.invalidate(block.key);
        victimChunk.remove(block.key);
    }

    @Override
    public @Nullable Block<K> coldest() {
        if (maximumPages - weightPages > maximumPages / 8) {
            setMaximum(weightPages);
        }
        return Iterables.getFirst(order.coldest(1).values(), null);
    }

    @Override
    public void beginPeriod() {
        victimChunk.clear();
        sampledBlocks = 0;
    }

    @Override
    public List<Block<K>> resize(long capacityBytes) {
        capacityPages = pages(capacityBytes);
        setMaximum(maximumPages);
        return settle();
    }

    private boolean takeFromVictimChunk(Block<K> block) {
        if (caching.bytes() <= chunkBytes) {
            return true;
        }
        if (4L * victimChunk.size() <= 3L * sampledBlocks) {
            victimChunk = coldestChunk();
            sampledBlocks = victimChunk.size();
        }
        return victimChunk.remove(block.key);
    }

    /**
     * Samples the coldest chunk. The number of its blocks is unknown in advance; the request is doubled until it
     * suffices.
     */
    private Set<K> coldestChunk() {
        for (int limit = 16; ; limit *= 2) {
            Collection<Block<K>> coldestFirst = order.coldest(limit).values();
            Set<K> keys = new HashSet<>();
            long bytes = 0;
            for (Block<K> block : coldestFirst) {
                if (bytes >= chunkBytes) {
                    return keys;
                }
                bytes += block.bytes;
                keys.add(block.key);
            }
            if (bytes >= chunkBytes || coldestFirst.size() < limit || limit > Integer.MAX_VALUE / 2) {
                return keys;
            }
        }
    }

    /** Sets the maximum, at most the cache's own capacity, which is the bound that Caffeine must keep. */
    private void setMaximum(long pages) {
        long bounded = Math.min(pages, capacityPages);
        if (bounded != maximumPages) {
            maximumPages = bounded;
            order.setMaximum(bounded);
        }
    }

    private List<Block<K>> settle() {
        cache.cleanUp();
        List<Block<K>> out = ImmutableList.copyOf(givenUp);
        givenUp.clear();
        return out;
    }

    /** The weight in pages; blocks above 8 TiB have equal weights. */
    private static <K> int weight(Block<K> block) {
        return (int) Math.min(pages(block.bytes), Integer.MAX_VALUE);
    }

    private static long pages(long bytes) {
        return bytes / PAGE_BYTES + (bytes % PAGE_BYTES == 0 ? 0 : 1);
    }
}

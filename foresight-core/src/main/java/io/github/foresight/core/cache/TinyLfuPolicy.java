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
 * W-TinyLFU through Caffeine: a small window by recency, a main part in two segments, and a frequency sketch that judges
 * between them.
 *
 * <p>The cache asks for the coldest block and takes it out; Caffeine only keeps the order. It weighs in pages of 4 KiB, rounded
 * up. Where rounding makes the blocks look larger than the whole cache, it gives up one by itself, which may be the newcomer,
 * and in that case alone it tosses a coin now and then. An adapter that pins whole pages never meets it: then the outcome
 * depends on the sequence of events only, since maintenance runs on the caller at once.
 *
 * <p><b>Caffeine's maximum follows the queue.</b> Caffeine cuts its window and segments from its maximum, and counts frequencies
 * only once it is half full. Were the maximum that of the whole cache, a queue that shares the cache with many unread
 * blocks would be judged without frequencies, and blocks that were popular once would never be demoted. So the maximum comes
 * down to the queue's weight when a victim is asked for, which is when the queue has all the room it can get, and goes up
 * where the queue outgrows it. It moves by a sixteenth at least, so that a queue whose size wavers does not disturb it each time.
 *
 * <p><b>Victim chunk.</b> Following Caffeine's order at each hit would cost a walk, so the coldest chunk is sampled, and sampled
 * again when a quarter of its blocks have been hit or have left: a chunk of a single block is as exact as one under LRU, a
 * larger one lags by a quarter. A queue no larger than a chunk is the chunk.
 *
 * <p>Constant amortised time where blocks are of like size: sampling is linear in the chunk's blocks.
 *
 * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy. ACM ToS 13(4), 2017.
 */
final class TinyLfuPolicy<K> implements CachingPolicy<K> {

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
     * Begins empty.
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
        // The lookup is what Caffeine counts.
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

    /** How many blocks make a chunk is not known before: twice as many are asked for until they do. */
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

    /** Never beyond the cache's own capacity: that is where Caffeine's bound is meant. */
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

    /** Blocks beyond 8 TiB weigh alike. */
    private static <K> int weight(Block<K> block) {
        return (int) Math.min(pages(block.bytes), Integer.MAX_VALUE);
    }

    private static long pages(long bytes) {
        return bytes / PAGE_BYTES + (bytes % PAGE_BYTES == 0 ? 0 : 1);
    }
}

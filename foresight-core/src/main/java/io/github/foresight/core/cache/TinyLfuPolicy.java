/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * W-TinyLFU through Caffeine: a small window by recency, a main part in two segments, and a frequency sketch that judges
 * between them.
 *
 * <p>Caffeine is bounded by the capacity of the whole cache, so in the ordinary course it is the cache that asks for the
 * coldest block and takes it out. Caffeine counts units of 64 KiB, rounded up; where rounding makes the blocks look larger
 * than the capacity, it gives up one by itself, which may be the newcomer. In that case alone Caffeine tosses a coin now and
 * then; in all others the outcome depends on the sequence of events only, since maintenance runs on the caller at once.
 *
 * <p>The victim chunk is sampled when a period begins, for following Caffeine's order at each hit would cost a walk; a sampled
 * block counts one hit, since after it the block is no longer cold. Constant amortised time but for the sampling, which is
 * linear in the chunk's blocks.
 *
 * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy. ACM ToS 13(4), 2017.
 */
final class TinyLfuPolicy<K> implements CachingPolicy<K> {

    private static final long UNIT_BYTES = 64 << 10;

    private final long chunkBytes;
    private final Cache<K, Block<K>> cache;
    private final Policy.Eviction<K, Block<K>> order;
    private Set<K> victimChunk = new HashSet<>();
    private final List<Block<K>> givenUp = new ArrayList<>(1);

    TinyLfuPolicy(long capacityBytes, long chunkBytes) {
        this.chunkBytes = chunkBytes;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(units(capacityBytes))
                .<K, Block<K>>weigher((key, block) -> (int) Math.min(units(block.bytes), Integer.MAX_VALUE))
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
        cache.put(block.key, block);
        return settle();
    }

    @Override
    public boolean hit(Block<K> block) {
        // The lookup is what Caffeine counts.
        Block<K> unused = cache.getIfPresent(block.key);
        cache.cleanUp();
        return victimChunk.remove(block.key);
    }

    @Override
    public void remove(Block<K> block) {
        cache.invalidate(block.key);
        victimChunk.remove(block.key);
    }

    @Override
    public @Nullable Block<K> coldest() {
        return order.coldest(
                entries -> entries.findFirst().map(Policy.CacheEntry::getValue).orElse(null));
    }

    @Override
    public void beginPeriod() {
        victimChunk = order.coldest(entries -> chunk(entries.iterator()));
    }

    private Set<K> chunk(Iterator<Policy.CacheEntry<K, Block<K>>> coldestFirst) {
        Set<K> keys = new HashSet<>();
        long bytes = 0;
        while (bytes < chunkBytes && coldestFirst.hasNext()) {
            Block<K> block = coldestFirst.next().getValue();
            bytes += block.bytes;
            keys.add(block.key);
        }
        return keys;
    }

    @Override
    public List<Block<K>> resize(long capacityBytes) {
        order.setMaximum(units(capacityBytes));
        return settle();
    }

    private List<Block<K>> settle() {
        cache.cleanUp();
        List<Block<K>> out = ImmutableList.copyOf(givenUp);
        givenUp.clear();
        for (Block<K> block : out) {
            victimChunk.remove(block.key);
        }
        return out;
    }

    private static long units(long bytes) {
        return bytes / UNIT_BYTES + (bytes % UNIT_BYTES == 0 ? 0 : 1);
    }
}

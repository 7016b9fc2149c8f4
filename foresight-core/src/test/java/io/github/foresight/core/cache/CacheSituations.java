/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.MultiQueueCache.Queue.ACCESSED;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.List;

/** Caches in the initial states of tests, and the steps to these states. */
final class CacheSituations {

    static final long OWNER = 1;
    static final long OTHER = 2;
    static final long RETRY = 60;
    static final long IDLE = 600;
    static final long OVERDUE = 120;
    static final long PERIOD = 10;
    /** The unit in which Caffeine counts. */
    static final long PAGE = 4 << 10;

    private CacheSituations() {}

    static CacheSettings.Builder settings(long capacity, CachingPolicyKind policy) {
        return CacheSettings.builder()
                .capacityBytes(capacity)
                .retryNanos(RETRY)
                .idleNanos(IDLE)
                .unaccessedMaxNanos(OVERDUE)
                .reassignPeriodNanos(PERIOD)
                .policy(policy);
    }

    static MultiQueueCache<String> cache(long capacity, CachingPolicyKind policy) {
        return new MultiQueueCache<>(settings(capacity, policy).build());
    }

    /** Puts blocks of ten bytes into a queue at time 0. */
    static void fill(MultiQueueCache<String> cache, Queue queue, String... keys) {
        fillWith(10, cache, queue, keys);
    }

    static void fillWith(long bytes, MultiQueueCache<String> cache, Queue queue, String... keys) {
        for (String key : keys) {
            assertThat(cache.admit(key, bytes, OWNER, 0).isAdmitted()).isTrue();
            if (queue != UNACCESSED) {
                assertThat(cache.access(key, queue == CACHING ? OTHER : OWNER, 0)
                                .victims())
                        .isEmpty();
            }
            assertThat(cache.queueOf(key)).isEqualTo(queue);
        }
    }

    /**
     * A cache of 1000 bytes in chunks of 100. Block c of 100 bytes is in CACHING, other blocks are in UNACCESSED. An
     * admission has found too little room in the period that began at time 0.
     */
    static MultiQueueCache<String> contended(CachingPolicyKind policy) {
        MultiQueueCache<String> cache =
                new MultiQueueCache<>(settings(1_000, policy).chunkBytes(100).build());
        assertThat(cache.admit("c", 100, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("c", OTHER, 0).foundIn()).contains(UNACCESSED);
        assertThat(cache.admit("u", 100, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        return cache;
    }

    /**
     * The same cache after two chunks of share have moved to CACHING, with blocks c and c2 in CACHING; a period begins.
     */
    static MultiQueueCache<String> contendedWithCachingShare() {
        MultiQueueCache<String> cache = contended(CachingPolicyKind.LRU);
        hitVictimChunk(cache, 50);
        assertThat(cache.expire(PERIOD / 2)).isEmpty();
        assertThat(cache.expire(PERIOD)).isEmpty();
        overflow(cache);
        hitVictimChunk(cache, 50);
        assertThat(cache.expire(2 * PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(200);
        assertThat(cache.admit("c2", 100, OWNER, PERIOD).isAdmitted()).isTrue();
        assertThat(cache.access("c2", OTHER, PERIOD).foundIn()).contains(UNACCESSED);
        return cache;
    }

    /** An admission finds the cache full and is refused. */
    static void overflow(MultiQueueCache<String> cache) {
        assertThat(cache.count(UNACCESSED)).isPositive();
        long tooMuch = cache.capacityBytes() - cache.bytes(UNACCESSED) + 1;
        assertThat(cache.admit("overflow", tooMuch, OWNER, 0).isAdmitted()).isFalse();
    }

    static void hitVictimChunk(MultiQueueCache<String> cache, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(cache.access("c", OTHER, 0).foundIn()).contains(CACHING);
        }
    }

    static void hitHeaderChunk(MultiQueueCache<String> cache, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(cache.remove("u")).isTrue();
            assertThat(cache.admit("u", 100, OWNER, 0).isAdmitted()).isTrue();
            assertThat(cache.access("u", OWNER, 0).foundIn()).contains(UNACCESSED);
        }
    }

    static void assertQueues(MultiQueueCache<?> cache, long unaccessed, long caching, long accessed) {
        assertThat(List.of(cache.bytes(UNACCESSED), cache.bytes(CACHING), cache.bytes(ACCESSED)))
                .containsExactly(unaccessed, caching, accessed);
        assertThat(cache.usedBytes()).isEqualTo(unaccessed + caching + accessed);
    }
}

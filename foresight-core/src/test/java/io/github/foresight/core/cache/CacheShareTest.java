/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.CacheSituations.OTHER;
import static io.github.foresight.core.cache.CacheSituations.OWNER;
import static io.github.foresight.core.cache.CacheSituations.PAGE;
import static io.github.foresight.core.cache.CacheSituations.PERIOD;
import static io.github.foresight.core.cache.CacheSituations.assertQueues;
import static io.github.foresight.core.cache.CacheSituations.contended;
import static io.github.foresight.core.cache.CacheSituations.contendedWithCachingShare;
import static io.github.foresight.core.cache.CacheSituations.fill;
import static io.github.foresight.core.cache.CacheSituations.fillWith;
import static io.github.foresight.core.cache.CacheSituations.hitHeaderChunk;
import static io.github.foresight.core.cache.CacheSituations.hitVictimChunk;
import static io.github.foresight.core.cache.CacheSituations.overflow;
import static io.github.foresight.core.cache.CacheSituations.settings;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.Eviction.Reason;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Benefit-aware reassignment between the queues (SSPF, section II.C). */
class CacheShareTest {

    /** Header chunk and victim chunk are as large as their queues, so that each hit counts. */
    @ParameterizedTest
    @CsvSource({
        // victim chunk, header chunk -> chunks moved to CACHING
        "12, 10, 0", // exactly 20 %
        "13, 10, 1",
        "10, 13, 0", // CACHING has no share to lose
        "5, 0, 0", // exactly five
        "6, 0, 1",
        "6, 5, 0", // exactly 20 %
        "7, 5, 1",
    })
    void reassignment_atItsBoundaries_movesShareOnlyBeyondThem(int victimHits, int headerHits, int chunks) {
        MultiQueueCache<String> cache = contended(CachingPolicyKind.LRU);
        hitVictimChunk(cache, victimHits);
        hitHeaderChunk(cache, headerHits);
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(chunks * 100L);
    }

    @Test
    void reassignment_beforePeriodEnds_doesNothing() {
        MultiQueueCache<String> cache = contended(CachingPolicyKind.LRU);
        hitVictimChunk(cache, 50);
        assertThat(cache.expire(PERIOD - 1)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(100);
    }

    @Test
    void reassignment_hitsOfFormerPeriod_areForgotten() {
        MultiQueueCache<String> cache = contended(CachingPolicyKind.LRU);
        hitVictimChunk(cache, 50);
        assertThat(cache.expire(PERIOD)).isEmpty();
        overflow(cache);
        assertThat(cache.expire(2 * PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(100);
    }

    @Test
    void reassignment_cacheNeverFull_movesNoShare() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(1_000, CachingPolicyKind.LRU).chunkBytes(100).build());
        fill(cache, CACHING, "c");
        assertThat(cache.expire(0)).isEmpty();
        hitVictimChunk(cache, 50);
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @Test
    void reassignment_hitsBeyondTheChunks_doNotCount() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(100, CachingPolicyKind.LRU).chunkBytes(20).build());
        fill(cache, CACHING, "c1", "c2", "c3", "c4");
        fill(cache, UNACCESSED, "u1", "u2");
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        for (int i = 0; i < 50; i++) {
            // Always the two blocks that were hit last; the chunk is c1 and c2.
            assertThat(cache.access(i % 2 == 0 ? "c3" : "c4", OTHER, 0).foundIn())
                    .contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @Test
    void reassignment_headerChunk_isTheOldestPartOfUnaccessed() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        // Twelve more blocks of 50 bytes; the oldest 100 bytes are two of them.
        List<String> blocks = IntStream.range(0, 12).mapToObj(i -> "n" + i).toList();
        for (String key : blocks) {
            assertThat(cache.admit(key, 50, OWNER, PERIOD).isAdmitted()).isTrue();
        }
        assertThat(cache.remove("u")).isTrue();
        overflow(cache);
        for (String key : blocks.subList(2, 12)) {
            assertThat(cache.access(key, OWNER, PERIOD).foundIn()).contains(UNACCESSED);
        }
        assertThat(cache.expire(3 * PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).as("ten hits, none in the chunk").isEqualTo(200);
    }

    @Test
    void share_ofCachingWhenUnaccessedHasUsedItsOwn_isNotDisplaced() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        // CACHING has its share of 200 of 1000 bytes; UNACCESSED may have 800.
        assertThat(cache.remove("u")).isTrue();
        assertThat(cache.admit("u", 800, OWNER, PERIOD).isAdmitted()).isTrue();
        assertQueues(cache, 800, 200, 0);
        assertThat(cache.admit("one more", 1, OWNER, PERIOD).isAdmitted()).isFalse();
        assertQueues(cache, 800, 200, 0);
    }

    @Test
    void share_ofUnaccessedNotUsed_isTakenBackFromCaching() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        assertThat(cache.remove("u")).isTrue();
        for (int i = 0; i < 80; i++) {
            assertThat(cache.admit("more" + i, 10, OWNER, PERIOD).isAdmitted()).isTrue();
            assertThat(cache.access("more" + i, OTHER, PERIOD).foundIn()).contains(UNACCESSED);
        }
        assertQueues(cache, 0, 1_000, 0);
        for (int i = 0; i < 80; i++) {
            assertThat(cache.admit("new" + i, 10, OWNER, PERIOD).isAdmitted()).isTrue();
        }
        assertQueues(cache, 800, 200, 0);
        assertThat(cache.admit("one more", 10, OWNER, PERIOD).isAdmitted()).isFalse();
    }

    @Test
    void reassignment_backToUnaccessed_makesCachingGiveUpAChunk() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        assertThat(cache.remove("u")).isTrue();
        for (int i = 0; i < 80; i++) {
            assertThat(cache.admit("u" + i, 10, OWNER, PERIOD).isAdmitted()).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            // Each block is in the header chunk and moves to CACHING, so the cache stays full.
            assertThat(cache.access("u" + i, OTHER, PERIOD).foundIn()).contains(UNACCESSED);
        }
        assertThat(cache.admit("too large", 900, OWNER, PERIOD).isAdmitted()).isFalse();
        assertQueues(cache, 700, 300, 0);
        List<Eviction<String>> victims = cache.expire(3 * PERIOD);
        assertThat(victims).hasSize(1).allSatisfy(victim -> assertThat(victim)
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly("c", CACHING, Reason.REASSIGNED));
        assertThat(cache.cachingShareBytes()).isEqualTo(100);
        assertQueues(cache, 700, 200, 0);
    }

    @Test
    void reassignment_toCachingForever_leavesUnaccessedOneChunk() {
        MultiQueueCache<String> cache = contended(CachingPolicyKind.LRU);
        for (int period = 1; period < 20; period++) {
            overflow(cache);
            hitVictimChunk(cache, 50);
            assertThat(cache.expire(period * PERIOD)).isEmpty();
        }
        assertThat(cache.cachingShareBytes()).isEqualTo(900);
    }

    @ParameterizedTest
    @EnumSource
    void reassignment_blocksLargerThanChunk_countsColdBlocksHitOneAfterAnother(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(1_000 * PAGE, policy).chunkBytes(20 * PAGE).build());
        String[] blocks = IntStream.range(0, 9).mapToObj(i -> "c" + i).toArray(String[]::new);
        fillWith(100 * PAGE, cache, CACHING, blocks);
        fillWith(100 * PAGE, cache, UNACCESSED, "u");
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        for (String key : List.of("c0", "c1", "c2", "c3", "c4")) {
            assertThat(cache.access(key, OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).as("five, each the coldest").isZero();
        overflow(cache);
        // Now c5 to c8 are the coldest, followed by the blocks that were hit before.
        for (String key : List.of("c5", "c6", "c7", "c8", "c0", "c1")) {
            assertThat(cache.access(key, OTHER, PERIOD).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(2 * PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).as("six").isEqualTo(20 * PAGE);
    }

    @ParameterizedTest
    @EnumSource
    void reassignment_hotBlocksBeyondVictimChunk_doNotCount(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(1_000 * PAGE, policy).chunkBytes(20 * PAGE).build());
        String[] blocks = IntStream.range(0, 90).mapToObj(i -> "c" + i).toArray(String[]::new);
        fillWith(10 * PAGE, cache, CACHING, blocks);
        fillWith(100 * PAGE, cache, UNACCESSED, "u");
        for (String key : List.of("c70", "c71", "c72")) {
            assertThat(cache.access(key, OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        for (int i = 0; i < 60; i++) {
            assertThat(cache.access("c" + (70 + i % 3), OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void reassignment_cachingNoLargerThanChunk_countsEveryHit(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(1_000 * PAGE, policy).chunkBytes(80 * PAGE).build());
        fillWith(10 * PAGE, cache, CACHING, "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7");
        fillWith(10 * PAGE, cache, UNACCESSED, "u");
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        for (int i = 0; i < 6; i++) {
            assertThat(cache.access("c3", OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(80 * PAGE);
    }

    @Test
    void reassignment_tinyLfuHitsOfPopularBlocks_areNotInTheVictimChunk() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(settings(1_000 * PAGE, CachingPolicyKind.W_TINYLFU)
                .chunkBytes(60 * PAGE)
                .build());
        List<String> popular = List.of("p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7");
        fillWith(10 * PAGE, cache, CACHING, "c0", "c1", "c2", "c3", "c4", "c5");
        fillWith(10 * PAGE, cache, CACHING, popular.toArray(String[]::new));
        fillWith(10 * PAGE, cache, UNACCESSED, "u");
        for (int i = 0; i < 60; i++) {
            assertThat(cache.access(popular.get(i % 8), OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        for (String key : popular) {
            assertThat(cache.access(key, OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @Test
    void reassignment_tinyLfuColdBlockArrivedSinceLastPeriod_counts() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(settings(200 * PAGE, CachingPolicyKind.W_TINYLFU)
                .chunkBytes(2 * PAGE)
                .reassignMinHits(0)
                .build());
        String[] passing = IntStream.range(0, 140).mapToObj(i -> "p" + i).toArray(String[]::new);
        String[] seenTwice = IntStream.range(0, 50).mapToObj(i -> "c" + i).toArray(String[]::new);
        fillWith(PAGE, cache, CACHING, passing);
        for (String key : seenTwice) {
            fillWith(PAGE, cache, CACHING, key);
            assertThat(cache.remove(key)).isTrue();
            fillWith(PAGE, cache, CACHING, key);
        }
        for (String key : passing) {
            assertThat(cache.remove(key)).isTrue();
        }
        fillWith(PAGE, cache, UNACCESSED, "u");
        assertThat(cache.expire(0)).isEmpty();
        assertThat(cache.access("c20", OTHER, 0).foundIn()).contains(CACHING);
        fillWith(PAGE, cache, CACHING, "seen once", "newest");
        assertThat(cache.expire(PERIOD)).isEmpty();
        overflow(cache);
        assertThat(cache.access("seen once", OTHER, PERIOD).foundIn()).contains(CACHING);
        assertThat(cache.expire(2 * PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isEqualTo(2 * PAGE);
    }
}

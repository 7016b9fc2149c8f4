/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.MultiQueueCache.Queue.ACCESSED;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.cache.Eviction.Reason;
import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MultiQueueCacheTest {

    private static final long OWNER = 1;
    private static final long OTHER = 2;
    private static final long RETRY = 60;
    private static final long IDLE = 600;
    private static final long OVERDUE = 120;
    private static final long PERIOD = 10;
    /** What Caffeine counts in. */
    private static final long PAGE = 4 << 10;

    // ---- transitions ----

    @ParameterizedTest
    @EnumSource
    void unaccessedBlock_readByItsClient_becomesAccessed(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(100, policy);
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.queueOf("a")).isEqualTo(UNACCESSED);
        Access<String> access = cache.access("a", OWNER, 1);
        assertThat(access.foundIn()).contains(UNACCESSED);
        assertThat(access.victims()).isEmpty();
        assertThat(cache.queueOf("a")).isEqualTo(ACCESSED);
        assertQueues(cache, 0, 0, 10);
        assertThat(cache.hits(UNACCESSED)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void unaccessedBlock_readByAnotherClient_becomesCaching(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(100, policy);
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("a", OTHER, 1).foundIn()).contains(UNACCESSED);
        assertQueues(cache, 0, 10, 0);
    }

    @ParameterizedTest
    @CsvSource({"LRU,1", "LRU,2", "W_TINYLFU,1", "W_TINYLFU,2"})
    void accessedBlock_readAgainByAnyone_becomesCaching(CachingPolicyKind policy, long reader) {
        MultiQueueCache<String> cache = cache(100, policy);
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("a", OWNER, 1).foundIn()).contains(UNACCESSED);
        assertThat(cache.access("a", reader, 2).foundIn()).contains(ACCESSED);
        assertQueues(cache, 0, 10, 0);
        assertThat(cache.access("a", reader, 3).foundIn()).contains(CACHING);
        assertQueues(cache, 0, 10, 0);
        assertThat(List.of(cache.hits(UNACCESSED), cache.hits(ACCESSED), cache.hits(CACHING)))
                .containsExactly(1L, 1L, 1L);
    }

    @Test
    void access_unknownBlock_isMiss() {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        assertThat(cache.access("a", OWNER, 0).foundIn()).isEmpty();
        assertThat(cache.queueOf("a")).isNull();
    }

    @Test
    void accessedBlock_retryTimeZero_leavesAtOnce() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(100, CachingPolicyKind.LRU).retryNanos(0).build());
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("a", OWNER, 1).victims())
                .extracting(Eviction::key, Eviction::bytes, Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple("a", 10L, ACCESSED, Reason.RETRY_TIME_PASSED));
        assertThat(cache.queueOf("a")).isNull();
        assertThat(cache.usedBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void remove_inEveryQueue_freesRoom(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(100, policy);
        fill(cache, UNACCESSED, "u");
        fill(cache, ACCESSED, "a");
        fill(cache, CACHING, "c");
        assertQueues(cache, 10, 10, 10);
        assertThat(cache.remove("u")).isTrue();
        assertThat(cache.remove("a")).isTrue();
        assertThat(cache.remove("c")).isTrue();
        assertThat(cache.remove("c")).isFalse();
        assertQueues(cache, 0, 0, 0);
        assertThat(cache.usedBytes()).isZero();
    }

    // ---- admission ----

    @Test
    void admit_presentBlock_isRefusedAndKeepsItsPlace() {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        fill(cache, ACCESSED, "a");
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isFalse();
        assertThat(cache.queueOf("a")).isEqualTo(ACCESSED);
    }

    @Test
    void admit_largerThanCapacity_isRefusedAndEvictsNothing() {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        fill(cache, ACCESSED, "a");
        assertThat(cache.admit("b", 101, OWNER, 0).isAdmitted()).isFalse();
        assertThat(cache.admit("b", Long.MAX_VALUE, OWNER, 0).isAdmitted()).isFalse();
        assertQueues(cache, 0, 0, 10);
        assertThat(cache.admit("b", 100, OWNER, 0).victims())
                .extracting(Eviction::key)
                .containsExactly("a");
    }

    @Test
    void admit_maxEntriesReached_isRefused() {
        MultiQueueCache<String> cache = new MultiQueueCache<>(
                settings(100, CachingPolicyKind.LRU).maxEntries(2).build());
        fill(cache, UNACCESSED, "a", "b");
        assertThat(cache.admit("c", 10, OWNER, 0).isAdmitted()).isFalse();
        assertThat(cache.remove("a")).isTrue();
        assertThat(cache.admit("c", 10, OWNER, 0).isAdmitted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void admit_maxEntriesReached_takesOneEntryInOrderOfEviction(CachingPolicyKind policy) {
        MultiQueueCache<String> cache =
                new MultiQueueCache<>(settings(100 * PAGE, policy).maxEntries(3).build());
        fill(cache, CACHING, "c");
        fill(cache, UNACCESSED, "u");
        fill(cache, ACCESSED, "a");
        assertThat(cache.admit("u2", 10, OWNER, 0).victims())
                .extracting(Eviction::key, Eviction::reason)
                .containsExactly(Tuple.tuple("a", Reason.ROOM));
        assertThat(cache.admit("u3", 10, OWNER, 0).victims())
                .extracting(Eviction::key, Eviction::reason)
                .containsExactly(Tuple.tuple("c", Reason.ROOM));
        assertThat(cache.admit("u4", 10, OWNER, OVERDUE - 1).isAdmitted()).isFalse();
        assertThat(cache.admit("u4", 10, OWNER, OVERDUE).victims())
                .extracting(Eviction::key, Eviction::reason)
                .containsExactly(Tuple.tuple("u", Reason.ROOM));
    }

    @ParameterizedTest
    @CsvSource({"0", "-1"})
    void admit_withoutBytes_isProgrammersError(long bytes) {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cache.admit("a", bytes, OWNER, 0))
                .withMessage("bytes must be at least 1: " + bytes);
    }

    @Test
    void admit_hugeCapacity_doesNotOverflow() {
        for (CachingPolicyKind policy : CachingPolicyKind.values()) {
            MultiQueueCache<String> cache = cache(Long.MAX_VALUE, policy);
            assertThat(cache.admit("a", Long.MAX_VALUE - 1, OWNER, 0).isAdmitted())
                    .isTrue();
            assertThat(cache.access("a", OTHER, 0).victims()).isEmpty();
            assertThat(cache.admit("b", 1, OWNER, 0).isAdmitted()).isTrue();
            assertThat(cache.admit("c", 1, OWNER, 0).victims())
                    .extracting(Eviction::key)
                    .containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void admit_fullCache_takesAccessedInOrderThenCaching(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(60 * PAGE, policy);
        fillWith(10 * PAGE, cache, CACHING, "c1", "c2");
        fillWith(10 * PAGE, cache, UNACCESSED, "u1");
        fillWith(10 * PAGE, cache, ACCESSED, "a1", "a2", "a3");
        assertThat(cache.admit("u2", 40 * PAGE, OWNER, 0).victims())
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(
                        Tuple.tuple("a1", ACCESSED, Reason.ROOM),
                        Tuple.tuple("a2", ACCESSED, Reason.ROOM),
                        Tuple.tuple("a3", ACCESSED, Reason.ROOM),
                        Tuple.tuple("c1", CACHING, Reason.ROOM));
        assertQueues(cache, 50 * PAGE, 10 * PAGE, 0);
    }

    @Test
    void admit_cachingHit_sparesBlockUnderLru() {
        MultiQueueCache<String> cache = cache(20, CachingPolicyKind.LRU);
        fill(cache, CACHING, "c1", "c2");
        assertThat(cache.access("c1", OTHER, 0).foundIn()).contains(CACHING);
        assertThat(cache.admit("u", 10, OWNER, 0).victims())
                .extracting(Eviction::key)
                .containsExactly("c2");
    }

    @Test
    void admit_onlyYoungUnaccessedLeft_isRefusedAndEvictsNothing() {
        MultiQueueCache<String> cache = cache(40, CachingPolicyKind.LRU);
        fill(cache, UNACCESSED, "u1", "u2");
        fill(cache, ACCESSED, "a");
        fill(cache, CACHING, "c");
        assertThat(cache.admit("u3", 21, OWNER, OVERDUE - 1).isAdmitted()).isFalse();
        assertQueues(cache, 20, 10, 10);
    }

    @Test
    void admit_unaccessedOverdueExactly_evictsOldestOfThemLast() {
        MultiQueueCache<String> cache = cache(40, CachingPolicyKind.LRU);
        fill(cache, UNACCESSED, "u1", "u2");
        fill(cache, ACCESSED, "a");
        fill(cache, CACHING, "c");
        assertThat(cache.admit("u3", 21, OWNER, OVERDUE).victims())
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(
                        Tuple.tuple("a", ACCESSED, Reason.ROOM),
                        Tuple.tuple("c", CACHING, Reason.ROOM),
                        Tuple.tuple("u1", UNACCESSED, Reason.ROOM));
    }

    @Test
    void expire_overdueUnaccessed_keepsThemWhileNobodyNeedsTheRoom() {
        MultiQueueCache<String> cache = cache(40, CachingPolicyKind.LRU);
        fill(cache, UNACCESSED, "u");
        assertThat(cache.expire(100 * OVERDUE)).isEmpty();
        assertThat(cache.queueOf("u")).isEqualTo(UNACCESSED);
    }

    // ---- ageing ----

    @Test
    void accessedBlock_exactlyAtRetryTime_leaves() {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        assertThat(cache.admit("a", 10, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("a", OWNER, 7).victims()).isEmpty();
        assertThat(cache.expire(7 + RETRY - 1)).isEmpty();
        assertThat(cache.expire(7 + RETRY))
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple("a", ACCESSED, Reason.RETRY_TIME_PASSED));
    }

    @Test
    void accessedBlock_clockWrapsAround_leavesAtRetryTime() {
        MultiQueueCache<String> cache = cache(100, CachingPolicyKind.LRU);
        long start = Long.MAX_VALUE - 3;
        assertThat(cache.admit("a", 10, OWNER, start).isAdmitted()).isTrue();
        assertThat(cache.access("a", OWNER, start).victims()).isEmpty();
        assertThat(cache.expire(start + RETRY - 1)).isEmpty();
        assertThat(cache.expire(start + RETRY)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void cachingBlock_exactlyAtIdleTimeAfterItsLastHit_leaves(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(100 * PAGE, policy);
        fill(cache, CACHING, "hit", "idle");
        assertThat(cache.access("hit", OTHER, 5).foundIn()).contains(CACHING);
        assertThat(cache.expire(IDLE - 1)).isEmpty();
        assertThat(cache.expire(IDLE))
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple("idle", CACHING, Reason.IDLE));
        assertThat(cache.expire(5 + IDLE)).extracting(Eviction::key).containsExactly("hit");
    }

    // ---- shares ----

    /** Header and victim chunk are as large as their queues, so that every hit counts. */
    @ParameterizedTest
    @CsvSource({
        // victim chunk, header chunk -> chunks moved to CACHING
        "12, 10, 0", // 20 % exactly
        "13, 10, 1",
        "10, 13, 0", // CACHING has no share to lose
        "5, 0, 0", // five exactly
        "6, 0, 1",
        "6, 5, 0", // 20 % exactly
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
            // Always the two that were hit last; the chunk is c1 and c2.
            assertThat(cache.access(i % 2 == 0 ? "c3" : "c4", OTHER, 0).foundIn())
                    .contains(CACHING);
        }
        assertThat(cache.expire(PERIOD)).isEmpty();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @Test
    void reassignment_headerChunk_isTheOldestPartOfUnaccessed() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        // Twelve more of 50 bytes; the oldest 100 bytes are two of them.
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
        // 200 of 1000 are CACHING's, and it has them; UNACCESSED may have 800.
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
            // Each from the header chunk, and moved to CACHING, so the cache stays full.
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
        // Now c5 to c8 are the coldest, and then those that have been hit before.
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

    // ---- resizing ----

    @ParameterizedTest
    @EnumSource
    void resize_smaller_evictsInOrderAndUnaccessedLast(CachingPolicyKind policy) {
        MultiQueueCache<String> cache = cache(60, policy);
        fill(cache, UNACCESSED, "u1", "u2");
        fill(cache, CACHING, "c");
        fill(cache, ACCESSED, "a");
        assertThat(cache.resize(100)).isEmpty();
        assertThat(cache.resize(40)).isEmpty();
        assertThat(cache.resize(39)).extracting(Eviction::key).containsExactly("a");
        assertThat(cache.resize(19))
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(
                        Tuple.tuple("c", CACHING, Reason.RESIZED), Tuple.tuple("u1", UNACCESSED, Reason.RESIZED));
        assertThat(cache.capacityBytes()).isEqualTo(19);
        assertThat(cache.resize(0)).extracting(Eviction::key).containsExactly("u2");
        assertThat(cache.admit("x", 1, OWNER, 0).isAdmitted()).isFalse();
    }

    @Test
    void resize_blocksLookLargerThanTheyAre_reportsWhatCaffeineGivesUp() {
        // Three bytes that count as three pages to Caffeine, which has room for two afterwards.
        MultiQueueCache<String> cache = cache(3 * PAGE, CachingPolicyKind.W_TINYLFU);
        fillWith(1, cache, CACHING, "c1", "c2", "c3");
        assertThat(cache.resize(2 * PAGE))
                .extracting(Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple(CACHING, Reason.RESIZED));
        assertQueues(cache, 0, 2, 0);
    }

    @Test
    void resize_smaller_keepsShareWithinCapacity() {
        MultiQueueCache<String> cache = contendedWithCachingShare();
        assertThat(cache.resize(250)).extracting(Eviction::key).containsExactly("c");
        assertThat(cache.cachingShareBytes()).isEqualTo(150);
        assertThat(cache.resize(50)).isNotNull();
        assertThat(cache.cachingShareBytes()).isZero();
    }

    @Test
    void resize_negative_isProgrammersError() {
        MultiQueueCache<String> cache = cache(60, CachingPolicyKind.LRU);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cache.resize(-1))
                .withMessage("capacityBytes must be at least 0: -1");
    }

    // ---- policies ----

    @Test
    void lru_randomStream_agreesWithLinkedHashMap() {
        long capacity = 50;
        MultiQueueCache<Integer> cache =
                new MultiQueueCache<>(settings(capacity, CachingPolicyKind.LRU).build());
        Map<Integer, Long> reference = new LinkedHashMap<>(16, 0.75f, true);
        Random random = new Random(20_260_101);
        for (int i = 0; i < 20_000; i++) {
            int key = (int) Math.abs(random.nextGaussian() * 15);
            long bytes = 1L + key % 5;
            boolean hit = cache.access(key, OTHER, 0).foundIn().isPresent();
            assertThat(hit).isEqualTo(reference.get(key) != null);
            if (!hit) {
                assertThat(cache.admit(key, bytes, OWNER, 0).isAdmitted()).isTrue();
                assertThat(cache.access(key, OTHER, 0).victims()).isEmpty();
                reference.put(key, bytes);
                var oldest = reference.entrySet().iterator();
                while (reference.values().stream().mapToLong(Long::longValue).sum() > capacity) {
                    oldest.next();
                    oldest.remove();
                }
            }
            assertThat(cache.count(CACHING)).isEqualTo(reference.size());
        }
    }

    /** However little of the cache is left to popular blocks: frequencies must count there too. */
    @ParameterizedTest
    @CsvSource({"0", "100", "300", "800"})
    void tinyLfu_scanPollutedZipfStream_hitsMoreThanLru(long unreadBlocks) {
        long lru = new PollutedStream(CachingPolicyKind.LRU, unreadBlocks, 1).hits();
        long tinyLfu = new PollutedStream(CachingPolicyKind.W_TINYLFU, unreadBlocks, 1).hits();
        assertThat((double) tinyLfu).as("LRU has %s", lru).isGreaterThan(1.3 * lru);
    }

    /** Blocks that were popular once must not stay for good. */
    @ParameterizedTest
    @CsvSource({"0", "100", "300", "800"})
    void tinyLfu_popularityShifts_stillHitsMoreThanLru(long unreadBlocks) {
        long lru = new PollutedStream(CachingPolicyKind.LRU, unreadBlocks, 10).hits();
        long tinyLfu = new PollutedStream(CachingPolicyKind.W_TINYLFU, unreadBlocks, 10).hits();
        assertThat((double) tinyLfu).as("LRU has %s", lru).isGreaterThan(1.1 * lru);
    }

    @Test
    void tinyLfu_sameStreamTwice_decidesTheSame() {
        assertThat(new PollutedStream(CachingPolicyKind.W_TINYLFU, 100, 10).hits())
                .isEqualTo(new PollutedStream(CachingPolicyKind.W_TINYLFU, 100, 10).hits());
    }

    @Test
    void tinyLfu_unreadBlocksGone_popularOnesMayFillTheCache() {
        MultiQueueCache<Integer> cache = new MultiQueueCache<>(
                settings(100 * PAGE, CachingPolicyKind.W_TINYLFU).build());
        assertThat(cache.admit(-1, 90 * PAGE, OWNER, 0).isAdmitted()).isTrue();
        for (int key = 0; key < 50; key++) {
            assertThat(cache.admit(key, PAGE, OWNER, 0).isAdmitted()).isTrue();
            assertThat(cache.access(key, OTHER, 0).victims()).isEmpty();
        }
        assertThat(cache.count(CACHING)).isEqualTo(10);
        assertThat(cache.remove(-1)).isTrue();
        for (int key = 50; key < 140; key++) {
            assertThat(cache.admit(key, PAGE, OWNER, 0).victims()).isEmpty();
            assertThat(cache.access(key, OTHER, 0).victims()).isEmpty();
        }
        assertThat(cache.count(CACHING)).isEqualTo(100);
    }

    @Test
    void tinyLfu_newcomerLooksTooLargeAndIsSeenLess_isTurnedAway() {
        // Each is a byte more than a page, so Caffeine counts two and has room for two of them; the cache has for
        // three.
        MultiQueueCache<String> cache = cache(4 * PAGE, CachingPolicyKind.W_TINYLFU);
        fillWith(PAGE + 1, cache, CACHING, "c1", "c2");
        for (String key : List.of("c1", "c2", "c1", "c2")) {
            assertThat(cache.access(key, OTHER, 0).foundIn()).contains(CACHING);
        }
        assertThat(cache.admit("new", PAGE + 1, OWNER, 0).victims()).isEmpty();
        assertThat(cache.access("new", OTHER, 0).victims())
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple("new", CACHING, Reason.TURNED_AWAY));
        assertThat(cache.queueOf("new")).isNull();
        assertQueues(cache, 0, 2 * (PAGE + 1), 0);
    }

    @Test
    void tinyLfu_blocksLookLargerThanTheyAre_staysWithinBoundsAndReportsWhatLeaves() {
        // Each byte counts as a page to Caffeine, whose maximum is two pages here.
        MultiQueueCache<Integer> cache = new MultiQueueCache<>(
                settings(2 * PAGE, CachingPolicyKind.W_TINYLFU).build());
        int victims = 0;
        for (int key = 0; key < 100; key++) {
            assertThat(cache.admit(key, 1, OWNER, 0).isAdmitted()).isTrue();
            for (Eviction<Integer> victim : cache.access(key, OTHER, 0).victims()) {
                assertThat(victim.queue()).isEqualTo(CACHING);
                assertThat(victim.reason()).isEqualTo(victim.key() == key ? Reason.TURNED_AWAY : Reason.ROOM);
                assertThat(cache.queueOf(victim.key())).isNull();
                victims++;
            }
            assertThat(cache.count(CACHING)).isLessThanOrEqualTo(2);
        }
        assertThat(victims + cache.count(CACHING)).isEqualTo(100);
    }

    /**
     * Half of 100,000 reads follow a Zipf law over 2000 blocks, others each time the popularity shifts; half are of blocks that
     * come once. Popular blocks have room for 200 beside those that nobody reads.
     */
    private record PollutedStream(CachingPolicyKind policy, long unreadBlocks, int popularities) {

        private static final int READS = 100_000;
        private static final int BLOCKS = 2_000;
        private static final long MEBIBYTE = 1 << 20;

        long hits() {
            MultiQueueCache<Integer> cache = new MultiQueueCache<>(
                    settings((200 + unreadBlocks) * MEBIBYTE, policy).build());
            if (unreadBlocks > 0) {
                assertThat(cache.admit(-1, unreadBlocks * MEBIBYTE, OWNER, 0).isAdmitted())
                        .isTrue();
            }
            double[] cumulative = new double[BLOCKS];
            double sum = 0;
            for (int i = 0; i < BLOCKS; i++) {
                sum += 1.0 / (i + 1);
                cumulative[i] = sum;
            }
            Random random = new Random(7);
            for (int i = 0; i < READS; i++) {
                int key = BLOCKS * popularities + i;
                if (random.nextBoolean()) {
                    int found = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
                    int rank = found < 0 ? -found - 1 : found;
                    key = rank + BLOCKS * (int) ((long) i * popularities / READS);
                }
                if (cache.access(key, OTHER, 0).foundIn().isEmpty()) {
                    assertThat(cache.admit(key, MEBIBYTE, OWNER, 0).isAdmitted())
                            .isTrue();
                    assertThat(cache.access(key, OTHER, 0).foundIn()).contains(UNACCESSED);
                }
            }
            return cache.hits(CACHING);
        }
    }

    // ---- situations ----

    private static CacheSettings.Builder settings(long capacity, CachingPolicyKind policy) {
        return CacheSettings.builder()
                .capacityBytes(capacity)
                .retryNanos(RETRY)
                .idleNanos(IDLE)
                .unaccessedMaxNanos(OVERDUE)
                .reassignPeriodNanos(PERIOD)
                .policy(policy);
    }

    private static MultiQueueCache<String> cache(long capacity, CachingPolicyKind policy) {
        return new MultiQueueCache<>(settings(capacity, policy).build());
    }

    /** Brings blocks of ten bytes into a queue at time 0. */
    private static void fill(MultiQueueCache<String> cache, Queue queue, String... keys) {
        fillWith(10, cache, queue, keys);
    }

    private static void fillWith(long bytes, MultiQueueCache<String> cache, Queue queue, String... keys) {
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
     * 1000 bytes in chunks of 100; the block c of 100 bytes in CACHING, some in UNACCESSED; an admission has found too little
     * room in the period that began at time 0.
     */
    private static MultiQueueCache<String> contended(CachingPolicyKind policy) {
        MultiQueueCache<String> cache =
                new MultiQueueCache<>(settings(1_000, policy).chunkBytes(100).build());
        assertThat(cache.admit("c", 100, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.access("c", OTHER, 0).foundIn()).contains(UNACCESSED);
        assertThat(cache.admit("u", 100, OWNER, 0).isAdmitted()).isTrue();
        assertThat(cache.expire(0)).isEmpty();
        overflow(cache);
        return cache;
    }

    /** The same after two chunks of share have moved to CACHING, and with blocks c and c2 there; a period begins. */
    private static MultiQueueCache<String> contendedWithCachingShare() {
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

    /** An admission finds the cache full, and is refused. */
    private static void overflow(MultiQueueCache<String> cache) {
        assertThat(cache.count(UNACCESSED)).isPositive();
        long tooMuch = cache.capacityBytes() - cache.bytes(UNACCESSED) + 1;
        assertThat(cache.admit("overflow", tooMuch, OWNER, 0).isAdmitted()).isFalse();
    }

    private static void hitVictimChunk(MultiQueueCache<String> cache, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(cache.access("c", OTHER, 0).foundIn()).contains(CACHING);
        }
    }

    private static void hitHeaderChunk(MultiQueueCache<String> cache, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(cache.remove("u")).isTrue();
            assertThat(cache.admit("u", 100, OWNER, 0).isAdmitted()).isTrue();
            assertThat(cache.access("u", OWNER, 0).foundIn()).contains(UNACCESSED);
        }
    }

    private static void assertQueues(MultiQueueCache<?> cache, long unaccessed, long caching, long accessed) {
        assertThat(List.of(cache.bytes(UNACCESSED), cache.bytes(CACHING), cache.bytes(ACCESSED)))
                .containsExactly(unaccessed, caching, accessed);
        assertThat(cache.usedBytes()).isEqualTo(unaccessed + caching + accessed);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.CacheSituations.IDLE;
import static io.github.foresight.core.cache.CacheSituations.OTHER;
import static io.github.foresight.core.cache.CacheSituations.OVERDUE;
import static io.github.foresight.core.cache.CacheSituations.OWNER;
import static io.github.foresight.core.cache.CacheSituations.PAGE;
import static io.github.foresight.core.cache.CacheSituations.RETRY;
import static io.github.foresight.core.cache.CacheSituations.assertQueues;
import static io.github.foresight.core.cache.CacheSituations.cache;
import static io.github.foresight.core.cache.CacheSituations.contendedWithCachingShare;
import static io.github.foresight.core.cache.CacheSituations.fill;
import static io.github.foresight.core.cache.CacheSituations.fillWith;
import static io.github.foresight.core.cache.CacheSituations.settings;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.ACCESSED;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.cache.Eviction.Reason;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The moves of blocks between the queues, and the evictions for other blocks. */
class MultiQueueCacheTest {

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
    void expire_overdueUnaccessed_stayWhileNoBlockNeedsTheRoom() {
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
    void resize_blocksLookLargerThanTheyAre_reportsCaffeinesEvictions() {
        // Caffeine counts three bytes as three pages, and has room for two afterwards.
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
}

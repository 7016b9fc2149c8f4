/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.CacheSituations.OTHER;
import static io.github.foresight.core.cache.CacheSituations.OWNER;
import static io.github.foresight.core.cache.CacheSituations.PAGE;
import static io.github.foresight.core.cache.CacheSituations.assertQueues;
import static io.github.foresight.core.cache.CacheSituations.cache;
import static io.github.foresight.core.cache.CacheSituations.fillWith;
import static io.github.foresight.core.cache.CacheSituations.settings;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.Eviction.Reason;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LRU and W-TinyLFU within the caching queue. */
class CachingPolicyTest {

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

    /** Frequencies must also count when popular blocks have little room. */
    @ParameterizedTest
    @CsvSource({"0", "100", "300", "800"})
    void tinyLfu_scanPollutedZipfStream_hitsMoreThanLru(long unreadBlocks) {
        long lru = new PollutedStream(CachingPolicyKind.LRU, unreadBlocks, 1).hits();
        long tinyLfu = new PollutedStream(CachingPolicyKind.W_TINYLFU, unreadBlocks, 1).hits();
        assertThat((double) tinyLfu).as("LRU has %s", lru).isGreaterThan(1.3 * lru);
    }

    /** Blocks that were popular once must not stay forever. */
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
    void tinyLfu_unreadBlocksRemoved_popularBlocksMayFillTheCache() {
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
        // Each block is one byte larger than a page, and Caffeine counts two pages. Caffeine has room for nine blocks,
        // the cache for seventeen. With the ninth block Caffeine's maximum rises to sixteen, and Caffeine forgets its
        // counts.
        MultiQueueCache<String> cache = cache(18 * PAGE, CachingPolicyKind.W_TINYLFU);
        String[] seen = {"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"};
        fillWith(PAGE + 1, cache, CACHING, seen);
        for (int round = 0; round < 2; round++) {
            for (String key : seen) {
                assertThat(cache.access(key, OTHER, 0).foundIn()).contains(CACHING);
            }
        }
        assertThat(cache.admit("new", PAGE + 1, OWNER, 0).victims()).isEmpty();
        assertThat(cache.access("new", OTHER, 0).victims())
                .extracting(Eviction::key, Eviction::queue, Eviction::reason)
                .containsExactly(Tuple.tuple("new", CACHING, Reason.TURNED_AWAY));
        assertThat(cache.queueOf("new")).isNull();
        assertQueues(cache, 0, 9 * (PAGE + 1), 0);
    }

    @Test
    void tinyLfu_blocksLookLargerThanTheyAre_staysWithinBoundsAndReportsEvictions() {
        // Caffeine counts each byte as a page; its maximum here is two pages.
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
     * Half of 100,000 reads follow a Zipf law over 2000 blocks, which change each time the popularity shifts. The other
     * half are reads of blocks that occur once. Popular blocks have room for 200 besides the unread blocks.
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
}

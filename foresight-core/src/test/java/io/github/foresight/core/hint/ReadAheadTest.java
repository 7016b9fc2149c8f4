/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static io.github.foresight.core.hint.BlockState.ACCESSED;
import static io.github.foresight.core.hint.BlockState.PREFETCHED;
import static io.github.foresight.core.hint.BlockState.PREFETCHING;
import static io.github.foresight.core.hint.BlockState.UNPREFETCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Algorithm 1, and the depth of prefetch. */
class ReadAheadTest extends ReadAheadFixture {

    // ---- Algorithm 1 ----

    @Test
    void hint_sequential_prefetchesFirstBlockOnly() {
        assertThat(hint(A, ALICE, true, 0, 5)).containsExactly("PREFETCH 0 up to 100");
        assertThat(states(A, 0, 5)).containsExactly(PREFETCHING, UNPREFETCH, UNPREFETCH, UNPREFETCH, UNPREFETCH);
    }

    @Test
    void block_advancedInto_prefetchesNextWhenEnoughWasSentExactly() {
        hint(A, ALICE, true, 0, 5);
        open(0, ALICE);
        assertThat(send(0, ALICE, 19)).isEmpty();
        assertThat(send(0, ALICE, 1)).containsExactly("PREFETCH 1 up to 100");
        assertThat(send(0, ALICE, 50)).as("one block ahead, no more").isEmpty();
    }

    @Test
    void block_shorterThanTheEvidence_countsAsReadAtItsEnd() {
        assertThat(readAhead
                        .hint(A, ALICE, List.of(block(0, 5), block(1, 5)), true, now)
                        .accepted())
                .isEqualTo(2);
        assertThat(send(0, ALICE, 4)).isEmpty();
        assertThat(send(0, ALICE, 1)).containsExactly("PREFETCH 1 up to 5");
    }

    @Test
    void block_loadedAndReadAndClosed_isAccessed() {
        hint(A, ALICE, true, 0, 5);
        loaded(0);
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.UNACCESSED);
        readThrough(0, ALICE);
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
    }

    @Test
    void block_lookedAtAndClosed_staysUnaccessed() {
        hint(A, ALICE, true, 0, 5);
        loaded(0);
        open(0, ALICE);
        send(0, ALICE, 19);
        assertThat(close(0, ALICE, 19)).isEmpty();
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.UNACCESSED);
    }

    @Test
    void blocks_skipped_areDiscardedAndPrefetchGoesOnBehindThem() {
        hint(A, ALICE, true, 0, 6);
        loaded(0);
        send(0, ALICE, 20);
        loaded(1);
        assertThat(send(4, ALICE, 20)).containsExactly("DISCARD 1", "PREFETCH 4 up to 100", "PREFETCH 5 up to 100");
        assertThat(states(A, 0, 6))
                .as("the first is still being read")
                .containsExactly(PREFETCHED, ACCESSED, ACCESSED, ACCESSED, PREFETCHING, PREFETCHING);
    }

    @Test
    void block_existsInCache_isNotPrefetchedAgain() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        assertThat(hint(B, BOB, true, 0, 2)).isEmpty();
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    // ---- before sequential progress ----

    @Test
    void hint_notSequential_prefetchesRampOfFirstBlock() {
        assertThat(hint(A, ALICE, false, 0, 5)).containsExactly("PREFETCH 0 up to 10");
        assertThat(send(0, ALICE, 3)).containsExactly("EXTEND 0 up to 16");
        assertThat(send(0, ALICE, 37)).containsExactly("EXTEND 0 up to 90");
        assertThat(send(0, ALICE, 40)).as("its end").containsExactly("EXTEND 0 up to 100");
        assertThat(states(A, 1, 2)).containsExactly(UNPREFETCH);
    }

    @Test
    void hint_becomesSequential_liftsTheLimitAndGoesAhead() {
        hint(A, ALICE, false, 0, 5);
        send(0, ALICE, 20);
        assertThat(hint(A, ALICE, true, 0, 5)).containsExactly("EXTEND 0 up to 100", "PREFETCH 1 up to 100");
    }

    @Test
    void ramp_hugeSettings_doesNotOverflow() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().rampBytes(Long.MAX_VALUE));
        assertThat(kinds(readAhead
                        .hint(A, ALICE, List.of(block(0, 100)), false, now)
                        .decisions()))
                .containsExactly("PREFETCH 0 up to 100");
    }

    // ---- depth ----

    @Test
    void depth_readerArrivesAtMissingBlock_growsByOneUpToMaximum() {
        hint(A, ALICE, true, 0, 12);
        int ahead = 0;
        for (int block = 0; block < 6; block++) {
            loaded(block - 1);
            open(block, ALICE);
            send(block, ALICE, 20);
            ahead = (int) states(A, block + 1, 12).stream()
                    .filter(state -> state == PREFETCHING)
                    .count();
            assertThat(ahead).as("at block %s", block).isEqualTo(Math.min(block + 1, 4));
        }
        assertThat(ahead).isEqualTo(4);
    }

    @Test
    void depth_blockLoadedInTime_staysAtOne() {
        hint(A, ALICE, true, 0, 12);
        for (int block = 0; block < 6; block++) {
            loaded(block);
            open(block, ALICE);
            send(block, ALICE, 20);
            assertThat(states(A, block + 1, block + 3)).containsExactly(PREFETCHING, UNPREFETCH);
        }
    }

    @Test
    void depth_atFirst_isAsConfigured_andAtMostTheMaximum() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().firstDepth(3));
        assertThat(hint(A, ALICE, true, 0, 12))
                .containsExactly("PREFETCH 0 up to 100", "PREFETCH 1 up to 100", "PREFETCH 2 up to 100");
        readAhead =
                readAhead(cache(2000), ReadAheadSettings.builder().firstDepth(3).maxDepth(2));
        assertThat(hint(A, ALICE, true, 0, 12)).hasSize(2);
    }

    @Test
    void depth_readerFindsThisBlockAndTheNextLoaded_shrinksByOne() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().firstDepth(3));
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        open(0, ALICE);
        send(0, ALICE, 20);
        loaded(1);
        loaded(2);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(states(A, 2, 6)).containsExactly(PREFETCHED, PREFETCHING, UNPREFETCH, UNPREFETCH);
    }

    @Test
    void depth_streamReportedTwice_growsOnce() {
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        send(0, ALICE, 20);
        open(1, ALICE);
        open(1, ALICE);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(states(A, 2, 5)).containsExactly(PREFETCHING, PREFETCHING, UNPREFETCH);
    }

    @Test
    void depth_prefetchedBlockSkipped_fallsBackToOne() {
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        send(0, ALICE, 20);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(states(A, 2, 4)).containsExactly(PREFETCHING, PREFETCHING);
        send(3, ALICE, 20);
        assertThat(states(A, 4, 6)).containsExactly(PREFETCHING, UNPREFETCH);
    }

    @Test
    void depth_halfTheCacheUnread_growsNoFurther() {
        cache = cache(500);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        open(0, ALICE);
        send(0, ALICE, 20);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(cache.bytes(Queue.UNACCESSED))
                .as("two and the one next, but none deeper")
                .isEqualTo(300);
        assertThat(states(A, 2, 4)).containsExactly(PREFETCHING, UNPREFETCH);
    }
}

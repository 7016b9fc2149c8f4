/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static io.github.foresight.core.hint.BlockState.ACCESSED;
import static io.github.foresight.core.hint.BlockState.PREFETCHED;
import static io.github.foresight.core.hint.BlockState.UNPREFETCH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Hints, and the effects of limits, time and the end of sessions. */
class ReadAheadLimitsTest extends ReadAheadFixture {

    // ---- hints ----

    @Test
    void hint_again_keepsKnownBlocksAndDiscardsUnhintedBlocks() {
        hint(A, ALICE, true, 0, 3);
        loaded(0);
        send(0, ALICE, 20);
        loaded(1);
        assertThat(hint(A, ALICE, true, 1, 4)).containsExactly("DISCARD 0");
        assertThat(states(A, 1, 4)).containsExactly(PREFETCHED, UNPREFETCH, UNPREFETCH);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
        assertThat(readAhead.sessionBlockCount()).isEqualTo(3);
    }

    @Test
    void hint_empty_endsTheSession() {
        hint(A, ALICE, true, 0, 3);
        assertThat(hint(A, ALICE, true, 0, 0)).containsExactly("DISCARD 0");
        assertThat(readAhead.sessionCount()).isZero();
    }

    @Test
    void hint_newerGeneration_replacesTheBlock() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        HintedBlock newer = new HintedBlock(key(0), 2, 0, LENGTH);
        List<Decision> decisions =
                readAhead.hint(A, ALICE, List.of(newer), true, now).decisions();
        assertThat(kinds(decisions)).containsExactly("UNPIN 0", "PREFETCH 0 up to 100");
        assertThat(decisions).extracting(Decision::block).containsExactly(block(0, LENGTH), newer);
    }

    @Test
    void hint_sameBlockTwice_countsFirstOnly() {
        HintedBlock newer = new HintedBlock(key(0), 2, 0, LENGTH);
        ReadAhead.HintResult result = readAhead.hint(A, ALICE, List.of(block(0, LENGTH), newer), true, now);
        assertThat(result.accepted()).isEqualTo(1);
        assertThat(result.decisions()).extracting(Decision::block).containsExactly(block(0, LENGTH));
        assertThat(kinds(readAhead
                        .hint(A, ALICE, List.of(block(0, LENGTH), newer), true, now)
                        .decisions()))
                .isEmpty();
    }

    @Test
    void hint_tablesFull_acceptsBlocksWithRoom() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(2).maxTrackedBlocks(5));
        assertThat(readAhead.hint(A, ALICE, blocks(0, 3), true, now).accepted()).isEqualTo(3);
        assertThat(readAhead.hint(B, BOB, blocks(0, 3), true, now).accepted()).isEqualTo(2);
        assertThat(readAhead
                        .hint(new SessionId(3, 7), STRANGER, blocks(0, 3), true, now)
                        .accepted())
                .isZero();
        assertThat(readAhead.sessionBlockCount()).isEqualTo(5);
        assertThat(readAhead.hint(A, ALICE, blocks(0, 8), true, now).accepted())
                .as("its own three are free for it")
                .isEqualTo(3);
    }

    @Test
    void progress_knownSession_sumsBytesAndStreams() {
        assertThat(readAhead.progress(A)).isEmpty();
        hint(A, ALICE, true, 0, 3);
        open(0, ALICE);
        send(0, ALICE, 30);
        assertThat(readAhead.progress(A).orElseThrow().bytesRead()).isEqualTo(30);
        assertThat(readAhead.progress(A).orElseThrow().openStreams()).isEqualTo(1);
        close(0, ALICE, 30);
        assertThat(readAhead.progress(A).orElseThrow().openStreams()).isZero();
    }

    // ---- room and time ----

    @Test
    void cache_full_sessionIsServedWhenRoomComes() {
        cache = cache(100);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        hint(A, ALICE, true, 0, 2);
        assertThat(hint(B, BOB, true, 4, 6)).isEmpty();
        assertThat(states(B, 4, 5)).containsExactly(UNPREFETCH);
        assertThat(release(A)).containsExactly("DISCARD 0", "PREFETCH 4 up to 100");
    }

    @Test
    void cache_fullOfOverdueBlock_servesTheOtherAtATick() {
        cache = cache(100);
        readAhead = readAhead(cache, ReadAheadSettings.builder().idleNanos(10 * OVERDUE));
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 4, 6);
        now = OVERDUE - 1;
        assertThat(kinds(readAhead.tick(now))).isEmpty();
        now = OVERDUE;
        assertThat(kinds(readAhead.tick(now))).containsExactly("DISCARD 0", "PREFETCH 4 up to 100");
        assertThat(states(A, 0, 1)).as("it may ask again").containsExactly(UNPREFETCH);
    }

    @Test
    void block_largerThanTheCache_isGivenUp() {
        cache = cache(99);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        assertThat(hint(A, ALICE, true, 0, 2)).isEmpty();
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
    }

    @Test
    void block_accessed_isUnpinnedExactlyAtRetryTime() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().idleNanos(10 * RETRY));
        hint(A, ALICE, true, 0, 1);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(kinds(readAhead.tick(RETRY - 1))).isEmpty();
        assertThat(kinds(readAhead.tick(RETRY))).containsExactly("UNPIN 0");
    }

    @Test
    void session_idle_endsExactlyThen() {
        hint(A, ALICE, true, 0, 2);
        now = 10;
        send(0, ALICE, 5);
        assertThat(kinds(readAhead.tick(10 + SESSION_IDLE - 1))).isEmpty();
        assertThat(kinds(readAhead.tick(10 + SESSION_IDLE))).containsExactly("DISCARD 0");
        assertThat(readAhead.sessionCount()).isZero();
    }

    @Test
    void block_invalidated_isGivenUpInAllSessions() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        assertThat(kinds(readAhead.invalidated(key(0), now))).containsExactly("UNPIN 0");
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(states(B, 0, 1)).containsExactly(ACCESSED);
        assertThat(kinds(readAhead.prefetched(key(0), now))).as("too late").isEmpty();
    }

    @Test
    void clear_anyState_leavesNothing() {
        hint(A, ALICE, true, 0, 3);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(kinds(readAhead.clear())).containsExactlyInAnyOrder("UNPIN 0", "DISCARD 1");
        assertThat(cache.usedBytes()).isZero();
        assertThat(readAhead.sessionCount()).isZero();
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
    }
}

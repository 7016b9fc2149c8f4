/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static io.github.foresight.core.hint.BlockState.ACCESSED;
import static io.github.foresight.core.hint.BlockState.PREFETCHED;
import static io.github.foresight.core.hint.BlockState.PREFETCHING;
import static io.github.foresight.core.hint.BlockState.UNPREFETCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.MultiQueueCache.Queue;
import org.junit.jupiter.api.Test;

/** Streams of one reader and of several. */
class ReadAheadStreamsTest extends ReadAheadFixture {

    // ---- streams ----

    @Test
    void stream_openedOnLoadingBlock_expeditesIt() {
        hint(A, ALICE, true, 0, 5);
        assertThat(open(0, ALICE)).containsExactly("EXPEDITE 0 up to 100");
        loaded(0);
        assertThat(open(0, ALICE)).isEmpty();
    }

    @Test
    void stream_ofAnotherGeneration_discardsTheBlock() {
        hint(A, ALICE, true, 0, 5);
        assertThat(kinds(readAhead.streamOpened(key(0), 2, 1, ALICE, now))).containsExactly("UNPIN 0");
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void stream_ofUnhintedBlock_needsNoEvents() {
        assertThat(open(3, ALICE)).isEmpty();
        assertThat(send(3, ALICE, 100)).isEmpty();
        assertThat(close(3, ALICE, 100)).isEmpty();
        assertThat(readAhead.neededEvents(key(3))).isEqualTo(StreamEvents.NONE);
    }

    @Test
    void reader_fasterThanThePrefetch_unpinsIt() {
        hint(A, ALICE, true, 0, 2);
        open(0, ALICE);
        send(0, ALICE, 100);
        assertThat(close(0, ALICE, 100)).containsExactly("UNPIN 0");
        assertThat(cache.queueOf(key(0))).isNull();
    }

    @Test
    void reader_fasterThanThePrefetch_leavesItToAnotherSession() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        send(0, ALICE, 100);
        assertThat(close(0, ALICE, 100)).isEmpty();
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHING);
    }

    @Test
    void reader_withoutHint_makesTheBlockPopular() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        send(0, STRANGER, 100);
        assertThat(close(0, STRANGER, 100)).isEmpty();
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.CACHING);
        assertThat(states(A, 0, 1)).as("its own client has not read it").containsExactly(PREFETCHED);
    }

    @Test
    void reader_whoMayBeEither_countsAsOneAccess() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        loaded(0);
        send(0, Reader.UNKNOWN, 100);
        assertThat(close(0, Reader.UNKNOWN, 100)).isEmpty();
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(states(B, 0, 1)).containsExactly(ACCESSED);
    }

    @Test
    void block_readAgain_becomesPopular() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        readThrough(0, ALICE);
        readThrough(0, ALICE);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.CACHING);
    }

    // ---- several sessions ----

    @Test
    void block_hintedByTwo_isPrefetchedOnce() {
        assertThat(hint(A, ALICE, true, 0, 2)).containsExactly("PREFETCH 0 up to 100");
        assertThat(hint(B, BOB, true, 0, 2)).isEmpty();
        loaded(0);
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    @Test
    void block_releasedByOne_staysForTheOther() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        assertThat(release(A)).isEmpty();
        assertThat(release(B)).containsExactly("DISCARD 0");
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
    }

    @Test
    void block_outOfReachOfItsLastWaiter_isDiscardedWhenThatOneLeaves() {
        hint(A, ALICE, true, 3, 5);
        hint(B, BOB, true, 0, 5);
        assertThat(states(B, 3, 4)).containsExactly(UNPREFETCH);
        loaded(3);
        assertThat(release(A)).as("Bob will come to it").isEmpty();
        assertThat(release(B)).contains("DISCARD 3");
        assertThat(cache.usedBytes()).isZero();
        assertThat(readAhead.neededEvents(key(3))).isEqualTo(StreamEvents.NONE);
    }

    @Test
    void block_outOfReachOfItsLastWaiter_isDiscardedWhenThatOneSkipsIt() {
        hint(A, ALICE, true, 3, 5);
        hint(B, BOB, true, 0, 6);
        loaded(3);
        release(A);
        assertThat(send(5, BOB, 20)).contains("DISCARD 3");
    }

    // ---- needed events ----

    @Test
    void neededEvents_areAllWhileHinted_theCloseWhileInMemory_thenNone() {
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
        hint(A, ALICE, true, 0, 1);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.ALL);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.ALL);
        release(A);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.CLOSE);
        hint(B, BOB, true, 0, 1);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.ALL);
        release(B);
        readAhead.invalidated(key(0), now);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warmed blocks, which no session tracks, and sessions that yield. */
class ReadAheadWarmTest extends ReadAheadFixture {

    private List<String> warm(int from, int to) {
        return kinds(readAhead.warm(ALICE, blocks(from, to), now).decisions());
    }

    @Test
    void warm_blocks_areLoadedWholeWithoutASession() {
        assertThat(warm(0, 2)).containsExactly("PREFETCH 0 up to 100", "PREFETCH 1 up to 100");
        assertThat(readAhead.sessionCount()).isZero();
        assertThat(readAhead.sessionBlockCount()).isZero();
        assertThat(readAhead.warmBlockCount()).isEqualTo(2);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.ALL);
        loaded(0);
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.CLOSE);
    }

    @Test
    void warm_moreBlocksThanSessionsMayBe_leavesSessionsToReaders() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(1));
        warm(0, 5);
        assertThat(hint(A, ALICE, true, 6, 7)).containsExactly("PREFETCH 6 up to 100");
    }

    @Test
    void warm_moreThanHalfOfTheCache_isRefused() {
        cache = cache(400);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        assertThat(readAhead.warm(ALICE, blocks(0, 4), now).accepted()).isEqualTo(2);
        assertThat(hint(A, ALICE, true, 6, 7)).containsExactly("PREFETCH 6 up to 100");
        assertThat(readAhead.neededEvents(key(3)))
                .as("a refused block leaves no record")
                .isEqualTo(StreamEvents.NONE);
    }

    @Test
    void warmBlock_readByItsReader_isAccessed() {
        warm(0, 1);
        loaded(0);
        close(0, ALICE, LENGTH);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
        assertThat(readAhead.warmBlockCount()).isZero();
        now += SESSION_IDLE;
        assertThat(kinds(readAhead.tick(now))).doesNotContain("DISCARD 0");
    }

    @Test
    void warmBlock_readByAnother_isPopular() {
        warm(0, 1);
        loaded(0);
        close(0, BOB, LENGTH);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.CACHING);
    }

    @Test
    void warmBlock_notReadInTime_isDropped() {
        warm(0, 1);
        loaded(0);
        now += SESSION_IDLE - 1;
        assertThat(kinds(readAhead.tick(now))).isEmpty();
        now++;
        assertThat(kinds(readAhead.tick(now))).containsExactly("DISCARD 0");
        assertThat(readAhead.neededEvents(key(0))).isEqualTo(StreamEvents.NONE);
    }

    @Test
    void warmBlock_thatASessionWaitsFor_staysWithTheSession() {
        warm(0, 1);
        now += SESSION_IDLE - 1;
        hint(A, ALICE, true, 0, 1);
        now++;
        assertThat(kinds(readAhead.tick(now))).isEmpty();
        assertThat(release(A)).containsExactly("DISCARD 0");
    }

    @Test
    void warmBlock_whoseSessionEnds_staysWarm() {
        hint(A, ALICE, true, 0, 1);
        warm(0, 1);
        assertThat(release(A)).isEmpty();
        assertThat(readAhead.warmBlockCount()).isOne();
    }

    @Test
    void warmPart_hintedLonger_isPrefetchedToItsNewEnd() {
        readAhead.warm(ALICE, List.of(block(0, LENGTH).part(0, 40)), now);
        loaded(0);
        assertThat(hint(A, ALICE, true, 0, 1)).containsExactly("UNPIN 0", "PREFETCH 0 up to 100");
        assertThat(readAhead.warmBlockCount()).isZero();
    }

    @Test
    void warmFooter_whoseBeginIsHinted_givesWay() {
        readAhead.warm(ALICE, List.of(block(0, LENGTH).part(90, 100)), now);
        HintedBlock begin = block(0, LENGTH).part(0, 40);
        assertThat(kinds(readAhead.hint(A, ALICE, List.of(begin), true, now).decisions()))
                .containsExactly("UNPIN 0", "PREFETCH 0 up to 40");
    }

    @Test
    void warmPart_whoseBeginIsHinted_staysAsItIs() {
        readAhead.warm(ALICE, List.of(block(0, LENGTH).part(0, 40)), now);
        HintedBlock begin = block(0, LENGTH).part(0, 20);
        assertThat(readAhead.hint(A, ALICE, List.of(begin), true, now).decisions())
                .isEmpty();
    }

    @Test
    void warmPart_whenAnotherIsWarmed_staysAsItIs() {
        readAhead.warm(ALICE, List.of(block(0, LENGTH).part(0, 40)), now);
        assertThat(readAhead.warm(BOB, List.of(block(0, LENGTH)), now).decisions())
                .isEmpty();
    }

    // ---- decisions that are carried out too slowly ----

    @Test
    void heldBack_noBlockIsBegun_untilLater() {
        readAhead.holdBack(true);
        assertThat(hint(A, ALICE, true, 0, 2)).isEmpty();
        assertThat(readAhead.warm(ALICE, blocks(3, 5), now).accepted()).isZero();
        assertThat(kinds(readAhead.tick(now))).isEmpty();
        readAhead.holdBack(false);
        assertThat(kinds(readAhead.tick(now))).containsExactly("PREFETCH 0 up to 100");
    }

    @Test
    void loadingBlock_openedOften_isExpeditedOnce() {
        hint(A, ALICE, true, 0, 1);
        assertThat(open(0, ALICE)).containsExactly("EXPEDITE 0 up to 100");
        for (int i = 0; i < 100; i++) {
            assertThat(kinds(readAhead.streamOpened(key(0), 1, i, ALICE, now))).isEmpty();
        }
    }

    // ---- sessions that yield ----

    @Test
    void tableFull_sessionThatIsDone_yieldsAtOnce() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(1));
        hint(A, ALICE, true, 0, 1);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(hint(B, BOB, true, 1, 2)).containsExactly("PREFETCH 1 up to 100");
        assertThat(readAhead.sessionCount()).isOne();
        assertThat(readAhead.yieldedSessions()).isOne();
    }

    @Test
    void tableFull_sessionOfAnEndedClient_yieldsAfterAWhile() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(1).yieldNanos(5));
        hint(A, ALICE, true, 0, 2);
        open(0, ALICE);
        close(0, ALICE, 1);
        now += 4;
        assertThat(hint(B, BOB, true, 3, 4)).isEmpty();
        now++;
        assertThat(hint(B, BOB, true, 3, 4)).containsExactly("DISCARD 0", "PREFETCH 3 up to 100");
    }

    @Test
    void tableFull_sessionThatIsBeingRead_makesNoWay() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(1).yieldNanos(5));
        hint(A, ALICE, true, 0, 2);
        open(0, ALICE);
        now += 50;
        assertThat(hint(B, BOB, true, 3, 4)).isEmpty();
    }

    @Test
    void blocksFull_oldestQuietSession_yields() {
        readAhead =
                readAhead(cache, ReadAheadSettings.builder().maxTrackedBlocks(2).yieldNanos(0));
        hint(A, ALICE, true, 0, 2);
        assertThat(hint(B, BOB, true, 3, 5)).containsExactly("DISCARD 0", "PREFETCH 3 up to 100");
    }
}

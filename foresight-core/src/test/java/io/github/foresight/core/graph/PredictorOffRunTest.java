/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A client that leaves its predicted run, resumes it, or alternates between two runs. */
class PredictorOffRunTest extends PredictedRunFixture {

    @Test
    void clientThatLeavesItsRun_isPredictedAnew() {
        learnOrder(2);
        openInTurn(1, 5);

        assertThat(open(20, 0)).startsWith(21L, 22L);
        assertThat(open(21, 0)).startsWith(22L, 23L).doesNotContain(7L);
    }

    @Test
    void hitElsewhere_doesNotEndTheRun() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, ELSEWHERE, 5, 6}, new long[4], 4);
        forgetCounts();

        assertThat(open(7, 0)).containsExactly(8L, 9L, 10L, 11L, 12L, 13L);
        assertThat(files.reads).isZero();
    }

    @Test
    void openElsewhere_doesNotEndTheRun() {
        learnOrder(2);
        openInTurn(1, 5);
        open(ELSEWHERE, 0);
        forgetCounts();
        assertThat(open(6, 0)).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
        assertThat(files.reads).isZero();

        open(ELSEWHERE + 1, 0);
        forgetCounts();
        assertThat(open(8, 0)).containsExactly(9L, 10L, 11L, 12L, 13L, 14L);
        assertThat(files.reads).isZero();
    }

    @Test
    void opensElsewhere_doNotEndTheRun() {
        learnOrder(2);
        openInTurn(1, 5);
        for (long elsewhere = ELSEWHERE; elsewhere < ELSEWHERE + 3; elsewhere++) {
            open(elsewhere, 0);
        }
        forgetCounts();

        assertThat(open(6, 0)).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
        assertThat(files.changes).isZero();
    }

    @Test
    void thirdRun_replacesTheFirst() {
        learnOrders(3);
        openInTurn(1, 4);
        openInTurn(101, 104);
        openInTurn(201, 202);
        forgetCounts();

        assertThat(open(203, 0)).isEqualTo(following(203));
        assertThat(open(105, 0)).isEqualTo(following(105));
        assertThat(files.reads).isZero();
        assertThat(open(5, 0)).isEqualTo(following(5));
        assertThat(files.reads).isGreaterThan(1);
    }

    @Test
    void clientThatLeavesItsRun_isGrantedSixteenFilesAtMost_untilItFollowsAnother() {
        learnOrder(2);
        learn(2, LongStream.rangeClosed(201, 260).toArray());
        PrefetchGroup large = new PrefetchGroup(32);
        open(1, 0, large);
        open(2, 0, large);

        assertThat(open(210, 0, large))
                .isEqualTo(LongStream.rangeClosed(211, 226).boxed().toList());
        assertThat(open(211, 0, large))
                .isEqualTo(LongStream.rangeClosed(212, 243).boxed().toList());
    }

    @Test
    void followedRun_isResumed_afterManyOpensInOtherOrders() {
        learnOrders(4);
        openInTurn(1, 4);
        openInTurn(101, 104);
        for (long elsewhere : new long[] {20, 210, 310}) {
            assertThat(open(elsewhere, 0)).isEqualTo(following(elsewhere));
        }
        forgetCounts();

        assertThat(open(105, 0)).isEqualTo(following(105));
        assertThat(files.reads).isZero();
    }

    @Test
    void clientThatAlternatesBetweenTwoOrders_followsBothRuns() {
        learnOrders(2);
        openInTurn(1, 4);
        openInTurn(101, 104);

        for (long file = 5; file < 16; file += 2) {
            assertThat(open(file, 0)).isEqualTo(following(file));
            predictor.record(client, new long[] {100 + file, file + 1}, new long[2], 2);
            assertThat(open(101 + file, 0)).isEqualTo(following(101 + file));
        }
    }

    @Test
    void clientThatAlternatesFromTheFirst_hasBothRuns() {
        learnOrders(2);
        for (long file : new long[] {1, 101, 2, 102}) {
            assertThat(open(file, 0)).startsWith(file + 1);
        }
        forgetCounts();

        assertThat(open(3, 0)).isEqualTo(following(3));
        assertThat(open(103, 0)).isEqualTo(following(103));
        assertThat(files.reads).isZero();
    }

    @Test
    void pauseAmongHits_endsBothRuns() {
        learnOrder(2);
        openInTurn(1, 4);
        openInTurn(20, 22);
        predictor.record(client, new long[] {23, 24}, new long[] {0, IDLE_NANOS + 1}, 2);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        assertThat(files.changes).isGreaterThan(0);
    }

    @Test
    void pause_endsBothRuns() {
        learnOrder(2);
        openInTurn(1, 4);
        openInTurn(20, 22);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        assertThat(files.changes).isGreaterThan(0);
        assertThat(pairs.reads).isGreaterThan(1);
    }
}

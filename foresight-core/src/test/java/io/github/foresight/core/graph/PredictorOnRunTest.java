/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A client that follows its predicted run, and the length of runs. */
class PredictorOnRunTest extends PredictedRunFixture {

    @Test
    void clientThatFollowsItsRun_getsTheNextFiles() {
        learnOrder(2);

        for (long file = 1; file < FILES - 6; file++) {
            assertThat(open(file, 0)).containsExactly(file + 1, file + 2, file + 3, file + 4, file + 5, file + 6);
        }
    }

    @Test
    void accessOnTheRun_readsNoVertex_andIsLearnedWithOthers() {
        learnOrder(2);
        openInTurn(1, 2);
        forgetCounts();

        openInTurn(3, PredictedRun.MOST_BEHIND);
        assertThat(files.reads + pairs.reads).isZero();
        assertThat(files.changes + pairs.changes).isZero();

        open(PredictedRun.MOST_BEHIND + 1, 0);
        assertThat(files.reads + pairs.reads).isZero();
        assertThat(files.changes).isBetween(1, PredictedRun.MOST_BEHIND + 2);
        assertThat(pairs.changes).isBetween(1, PredictedRun.MOST_BEHIND + 2);
    }

    @Test
    void runThatIsShorterThanTheGroup_grows_byTwoVerticesAFile() {
        learnOrder(2);
        openInTurn(1, 2 + Predictor.MORE_THAN_WANTED);
        forgetCounts();

        open(3L + Predictor.MORE_THAN_WANTED, 0);

        assertThat(files.reads).isEqualTo(Predictor.MORE_THAN_WANTED + 1);
        assertThat(pairs.reads).isEqualTo(Predictor.MORE_THAN_WANTED + 1);
    }

    @Test
    void hitsReportedTogether_followTheRun() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, 3, 4, 5}, new long[4], 4);
        forgetCounts();

        assertThat(open(6, 0)).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
        assertThat(files.reads).isZero();
    }

    @Test
    void runThatReachesItsEnd_isFollowedAsLongAsItFillsTheGroup() {
        learn(2, LongStream.rangeClosed(1, 12).toArray());
        openInTurn(1, 2);
        forgetCounts();

        assertThat(open(3, 0)).isEqualTo(following(3));
        assertThat(files.reads).isZero();
    }

    @Test
    void runThatIsLessLikelyThanTheThreshold_doesNotGrow() {
        long elsewhere = ELSEWHERE;
        for (long file = 1; file < FILES; file++) {
            learn(6, file, file + 1);
            for (int times = 0; times < 16; times++) {
                learn(1, file, elsewhere++);
            }
        }
        open(1, 0);
        forgetCounts();

        // The probabilities are .26 and .07; .02 is below the threshold.
        open(2, 0);
        assertThat(files.reads).isBetween(1, 3);
    }

    @Test
    void openThatSkipsUpToThreeFiles_followsTheRun() {
        learnOrder(2);
        openInTurn(1, 5);
        forgetCounts();

        assertThat(open(7, 0)).isEqualTo(following(7));
        assertThat(open(11, 0)).isEqualTo(following(11));
        assertThat(files.reads).isZero();
        assertThat(open(16, 0)).isEqualTo(following(16));
        assertThat(files.reads).isGreaterThan(1);
    }

    @Test
    void accessWithoutPrediction_followsTheRun() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, 3, 0);
        predictor.record(client, 4, 0);
        forgetCounts();

        assertThat(open(5, 0)).containsExactly(6L, 7L, 8L, 9L, 10L, 11L);
        assertThat(files.reads).isZero();
    }

    @Test
    void repetition_isPredictedTheSameAgain() {
        learnOrder(2);
        openInTurn(1, 4);

        assertThat(open(4, 0)).containsExactly(5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(open(5, 0)).containsExactly(6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void pause_endsTheRun() {
        learnOrder(2);
        openInTurn(1, 4);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        // It is learned at once and alone, because it follows no access.
        assertThat(files.changes).isGreaterThan(0);
        assertThat(pairs.reads).isGreaterThan(1);
    }

    @Test
    void pauseAmongHits_endsTheRun() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, 4}, new long[] {0, IDLE_NANOS + 1}, 2);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        // On its run the client would read none.
        assertThat(pairs.reads).isGreaterThan(3);
    }

    @Test
    void whereTheOrderForksManyWays_whatComesNextIsFoundAnew() {
        for (int way = 1; way <= 6; way++) {
            learn(10, 1, 2, 3, 4, 5, 6, 7, 10L * way, 10L * way + 1, 10L * way + 2, 10L * way + 3, 10L * way + 4);
        }
        openInTurn(1, 5);
        forgetCounts();

        open(6, 0);
        assertThat(files.reads).isGreaterThan(1);
        assertThat(open(7, 0)).contains(50L, 60L);

        assertThat(open(20, 0)).startsWith(21L, 22L);
    }

    @Test
    void whereTheOrderForks_theRunTakesOneBranch() {
        learn(10, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18);
        learn(5, 1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 24, 25, 26, 27, 28);
        openInTurn(1, 6);

        assertThat(open(7, 0)).containsExactly(10L, 11L, 12L, 13L, 14L, 15L);
        assertThat(group.confidence(0)).isBetween(0.5, 0.95);
        assertThat(open(20, 0)).containsExactly(21L, 22L, 23L, 24L, 25L, 26L);
    }

    @Test
    void fileOfTheOtherBranch_isNotOnTheRun() {
        learn(5, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18);
        learn(5, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
        PrefetchGroup dozen = new PrefetchGroup(12);
        open(1, 0, dozen);
        forgetCounts();

        open(2, 0, dozen);

        // The run is too short for a group of this size.
        assertThat(files.reads).isGreaterThan(6);
    }

    @Test
    void fileThatIsComeByTwice_isNamedOnce() {
        learn(10, 1, 2, 3, 4, 5, 6, 7, 8, 4, 9, 10, 11, 12, 13, 14, 15, 16);

        for (long file = 1; file < 9; file++) {
            assertThat(open(file, 0)).doesNotHaveDuplicates().hasSize(6);
        }
    }

    @Test
    void confidence_isNeverAboveOne() {
        learn(6, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18);
        learn(4, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19);

        for (long file : new long[] {1, 2, 4, 6}) {
            open(file, 0);
            assertThat(group.confidence(0)).isBetween(0.5, 1.0);
        }
    }

    @Test
    void fileThatIsComeByTwice_isLeftByThePairsWay() {
        long[] order = LongStream.rangeClosed(1, FILES).toArray();
        order[19] = 5;
        learn(10, order);
        openInTurn(10, 11);
        forgetCounts();

        openInTurn(12, 14);
        assertThat(open(15, 0)).containsExactly(16L, 17L, 18L, 19L, 5L, 21L);
        assertThat(open(16, 0)).containsExactly(17L, 18L, 19L, 5L, 21L, 22L);
        assertThat(files.reads).isZero();
    }

    @Test
    void orderShorterThanTheGroup_namesEachFileOnce() {
        learn(1, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4);

        for (int access = 0; access < 20; access++) {
            long file = access % 4 + 1L;
            assertThat(open(file, 0))
                    .doesNotContain(file)
                    .doesNotHaveDuplicates()
                    .hasSize(3);
        }
    }

    @Test
    void orderSeenOnce_isPredictedForTheWholeRun() {
        learn(1, LongStream.rangeClosed(1, 200).toArray());
        PrefetchGroup large = new PrefetchGroup(Predictor.LARGEST_GROUP_FROM_RUN);

        for (long file = 1; file < 150; file++) {
            assertThat(open(file, 0, large))
                    .isEqualTo(LongStream.rangeClosed(file + 1, file + Predictor.LARGEST_GROUP_FROM_RUN)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void groupLargerThanARun_isFilledToo() {
        learn(2, LongStream.rangeClosed(1, 200).toArray());
        PrefetchGroup large = new PrefetchGroup(100);

        for (long file = 1; file < 90; file++) {
            predictor.record(client, file, 0, large);
            assertThat(large.size()).isGreaterThan(Predictor.LARGEST_GROUP_FROM_RUN);
            for (int rank = 0; rank < large.size(); rank++) {
                assertThat(large.file(rank)).isEqualTo(file + 1 + rank);
            }
        }
    }
}

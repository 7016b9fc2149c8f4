/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PredictorOnCourseTest {

    private static final int FILES = 40;
    private static final long ELSEWHERE = 1000;
    private static final int IDLE_NANOS = 5;
    private static final GraphSettings SETTINGS = new GraphSettings(12, 65535, 0);

    /** Counts how often a vertex is looked at. */
    private static final class CountingGraph implements SuccessorGraph {
        private final SuccessorGraph graph = new PackedGraph(1 << 18, SETTINGS);
        private int reads;
        private int changes;

        @Override
        public void visit(long vertex, double leastConfidence, Successors successors) {
            changes++;
            graph.visit(vertex, leastConfidence, successors);
        }

        @Override
        public void strengthen(long from, long to, int weight) {
            changes++;
            graph.strengthen(from, to, weight);
        }

        @Override
        public void learn(long vertex, AccessRun run, int index, int reach) {
            changes++;
            graph.learn(vertex, run, index, reach);
        }

        @Override
        public void read(long vertex, double leastConfidence, Successors successors) {
            reads++;
            graph.read(vertex, leastConfidence, successors);
        }
    }

    private final CountingGraph files = new CountingGraph();
    private final CountingGraph pairs = new CountingGraph();
    private final Predictor predictor = new Predictor(files, pairs, WeightScheme.EXPONENTIAL, 0.05, true, true);
    private final ClientHistory client = new ClientHistory(2, IDLE_NANOS);
    private final PrefetchGroup group = new PrefetchGroup(6);

    private static ClientHistory newClient() {
        return new ClientHistory(2, IDLE_NANOS);
    }

    /** Has a client access 1, 2, 3, ... some times, unasked, so that there is no course yet. */
    private void learnOrder(int times) {
        ClientHistory other = newClient();
        for (int access = 0; access < times * FILES; access++) {
            predictor.record(other, access % FILES + 1L, 0);
        }
    }

    private List<Long> open(long file, long nanos) {
        return open(file, nanos, group);
    }

    private List<Long> open(long file, long nanos, PrefetchGroup group) {
        predictor.record(client, file, nanos, group);
        List<Long> predicted = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            predicted.add(group.file(rank));
        }
        return predicted;
    }

    private void openInTurn(long first, long last) {
        for (long file = first; file <= last; file++) {
            open(file, 0);
        }
    }

    private void forgetCounts() {
        files.reads = 0;
        files.changes = 0;
        pairs.reads = 0;
        pairs.changes = 0;
    }

    @Test
    void clientThatKeepsToItsCourse_isPredictedWhatComesNext() {
        learnOrder(2);

        for (long file = 1; file < FILES - 6; file++) {
            assertThat(open(file, 0)).containsExactly(file + 1, file + 2, file + 3, file + 4, file + 5, file + 6);
        }
    }

    @Test
    void accessThatKeepsToTheCourse_looksAtNoVertex_andIsLearnedFromWithOthers() {
        learnOrder(2);
        openInTurn(1, 2);
        forgetCounts();

        openInTurn(3, Course.MOST_BEHIND);
        assertThat(files.reads + pairs.reads).isZero();
        assertThat(files.changes + pairs.changes).isZero();

        open(Course.MOST_BEHIND + 1, 0);
        assertThat(files.reads + pairs.reads).isZero();
        assertThat(files.changes).isBetween(1, Course.MOST_BEHIND + 2);
        assertThat(pairs.changes).isBetween(1, Course.MOST_BEHIND + 2);
    }

    @Test
    void courseThatIsShorterThanTheGroup_isMadeLonger_byTwoVerticesAFile() {
        learnOrder(2);
        openInTurn(1, 2 + Predictor.MORE_THAN_WANTED);
        forgetCounts();

        open(3L + Predictor.MORE_THAN_WANTED, 0);

        assertThat(files.reads).isEqualTo(Predictor.MORE_THAN_WANTED + 1);
        assertThat(pairs.reads).isEqualTo(Predictor.MORE_THAN_WANTED + 1);
    }

    @Test
    void clientThatLeavesItsCourse_isPredictedAnew() {
        learnOrder(2);
        openInTurn(1, 5);

        assertThat(open(20, 0)).startsWith(21L, 22L);
        assertThat(open(21, 0)).startsWith(22L, 23L).doesNotContain(7L);
    }

    @Test
    void hitsReportedTogether_keepToTheCourse() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, 3, 4, 5}, new long[4], 4);
        forgetCounts();

        assertThat(open(6, 0)).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
        assertThat(files.reads).isZero();
    }

    @Test
    void hitElsewhere_doesNotEndTheCourse() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, ELSEWHERE, 5, 6}, new long[4], 4);
        forgetCounts();

        assertThat(open(7, 0)).containsExactly(8L, 9L, 10L, 11L, 12L, 13L);
        assertThat(files.reads).isZero();
    }

    @Test
    void openElsewhere_doesNotEndTheCourse() {
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
    void opensElsewhere_doNotEndTheCourse() {
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
    void thirdCourse_takesThePlaceOfTheFirst() {
        for (int order = 0; order < 3; order++) {
            learn(2, LongStream.rangeClosed(100L * order + 1, 100L * order + 40).toArray());
        }
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
    void courseThatReachesAnEnd_isKeptToAsLongAsItFillsTheGroup() {
        learn(2, LongStream.rangeClosed(1, 12).toArray());
        openInTurn(1, 2);
        forgetCounts();

        assertThat(open(3, 0)).isEqualTo(following(3));
        assertThat(files.reads).isZero();
    }

    @Test
    void courseThatIsLessLikelyThanTheThreshold_isNotMadeLonger() {
        long elsewhere = ELSEWHERE;
        for (long file = 1; file < FILES; file++) {
            learn(6, file, file + 1);
            for (int times = 0; times < 16; times++) {
                learn(1, file, elsewhere++);
            }
        }
        open(1, 0);
        forgetCounts();

        // The probabilities are .26 and .07, and .02 is below the threshold.
        open(2, 0);
        assertThat(files.reads).isBetween(1, 3);
    }

    @Test
    void openThatLeavesOutUpToThreeFiles_keepsToTheCourse() {
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
    void clientThatLeavesItsCourse_isToldOfSixteenFilesAtMost_untilItKeepsToAnother() {
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
    void courseThatWasKeptTo_isComeBackTo_afterManyOpensInOtherOrders() {
        for (int order = 0; order < 4; order++) {
            learn(2, LongStream.rangeClosed(100L * order + 1, 100L * order + 40).toArray());
        }
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
    void clientThatTakesTurnsBetweenTwoOrders_keepsToBothCourses() {
        learn(2, LongStream.rangeClosed(1, 40).toArray());
        learn(2, LongStream.rangeClosed(101, 140).toArray());
        openInTurn(1, 4);
        openInTurn(101, 104);

        for (long file = 5; file < 16; file += 2) {
            assertThat(open(file, 0)).isEqualTo(following(file));
            predictor.record(client, new long[] {100 + file, file + 1}, new long[2], 2);
            assertThat(open(101 + file, 0)).isEqualTo(following(101 + file));
        }
    }

    @Test
    void clientThatTakesTurnsFromTheFirst_isOnBothCourses() {
        learn(2, LongStream.rangeClosed(1, 40).toArray());
        learn(2, LongStream.rangeClosed(101, 140).toArray());
        for (long file : new long[] {1, 101, 2, 102}) {
            assertThat(open(file, 0)).startsWith(file + 1);
        }
        forgetCounts();

        assertThat(open(3, 0)).isEqualTo(following(3));
        assertThat(open(103, 0)).isEqualTo(following(103));
        assertThat(files.reads).isZero();
    }

    private static List<Long> following(long file) {
        return LongStream.rangeClosed(file + 1, file + 6).boxed().toList();
    }

    @Test
    void pauseAmongHits_endsBothCourses() {
        learnOrder(2);
        openInTurn(1, 4);
        openInTurn(20, 22);
        predictor.record(client, new long[] {23, 24}, new long[] {0, IDLE_NANOS + 1}, 2);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        assertThat(files.changes).isGreaterThan(0);
    }

    @Test
    void pause_endsBothCourses() {
        learnOrder(2);
        openInTurn(1, 4);
        openInTurn(20, 22);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        assertThat(files.changes).isGreaterThan(0);
        assertThat(pairs.reads).isGreaterThan(1);
    }

    @Test
    void accessOfWhichNobodyAsks_keepsToTheCourse() {
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
    void pause_endsTheCourse() {
        learnOrder(2);
        openInTurn(1, 4);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        // Learned from at once, and alone: it follows nothing.
        assertThat(files.changes).isGreaterThan(0);
        assertThat(pairs.reads).isGreaterThan(1);
    }

    private void learn(int times, long... order) {
        for (int time = 0; time < times; time++) {
            ClientHistory other = newClient();
            for (long file : order) {
                predictor.record(other, file, 0);
            }
        }
    }

    @Test
    void pauseAmongHits_endsTheCourse() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, new long[] {3, 4}, new long[] {0, IDLE_NANOS + 1}, 2);
        forgetCounts();

        open(5, IDLE_NANOS + 1);

        // On its course it would look at none.
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
    void whereTheOrderForksTwoWays_theCourseGoesOneOfThem() {
        learn(10, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18);
        learn(5, 1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 24, 25, 26, 27, 28);
        openInTurn(1, 6);

        assertThat(open(7, 0)).containsExactly(10L, 11L, 12L, 13L, 14L, 15L);
        assertThat(group.confidence(0)).isBetween(0.5, 0.95);
        assertThat(open(20, 0)).containsExactly(21L, 22L, 23L, 24L, 25L, 26L);
    }

    @Test
    void fileOnAnotherWay_isNotOnTheCourse() {
        learn(5, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18);
        learn(5, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
        PrefetchGroup dozen = new PrefetchGroup(12);
        open(1, 0, dozen);
        forgetCounts();

        open(2, 0, dozen);

        // The course is too short for so many.
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
    void orderSeenOnce_isPredictedAsFarAsACourseReaches() {
        learn(1, LongStream.rangeClosed(1, 200).toArray());
        PrefetchGroup large = new PrefetchGroup(Predictor.LARGEST_GROUP_ON_COURSE);

        for (long file = 1; file < 150; file++) {
            assertThat(open(file, 0, large))
                    .isEqualTo(LongStream.rangeClosed(file + 1, file + Predictor.LARGEST_GROUP_ON_COURSE)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void groupLargerThanACourse_isFilledAllTheSame() {
        learn(2, LongStream.rangeClosed(1, 200).toArray());
        PrefetchGroup large = new PrefetchGroup(100);

        for (long file = 1; file < 90; file++) {
            predictor.record(client, file, 0, large);
            assertThat(large.size()).isGreaterThan(Predictor.LARGEST_GROUP_ON_COURSE);
            for (int rank = 0; rank < large.size(); rank++) {
                assertThat(large.file(rank)).isEqualTo(file + 1 + rank);
            }
        }
    }
}

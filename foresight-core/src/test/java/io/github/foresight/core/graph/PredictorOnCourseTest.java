/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PredictorOnCourseTest {

    private static final int FILES = 40;
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
    void accessThatKeepsToTheCourse_readsTwoVertices_andIsLearnedFromWithOthers() {
        learnOrder(2);
        openInTurn(1, 3);
        forgetCounts();

        openInTurn(4, Course.MOST_BEHIND);
        assertThat(files.reads).isEqualTo(Course.MOST_BEHIND - 3);
        assertThat(pairs.reads).isEqualTo(Course.MOST_BEHIND - 3);
        assertThat(files.changes + pairs.changes).isZero();

        open(Course.MOST_BEHIND + 1, 0);
        assertThat(files.changes).isBetween(1, Course.MOST_BEHIND + 2);
        assertThat(pairs.changes).isBetween(1, Course.MOST_BEHIND + 2);
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
        assertThat(files.reads).isEqualTo(4);
    }

    @Test
    void accessOfWhichNobodyAsks_keepsToTheCourse() {
        learnOrder(2);
        openInTurn(1, 2);
        predictor.record(client, 3, 0);
        forgetCounts();

        assertThat(open(4, 0)).containsExactly(5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(files.reads).isEqualTo(2);
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

        // More than for the three files that the course would have to be made longer by.
        assertThat(pairs.reads).isGreaterThan(3);
    }

    @Test
    void whereTheOrderForks_whatComesNextIsFoundAnew() {
        learn(10, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18);
        learn(10, 1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 24, 25, 26, 27, 28);
        openInTurn(1, 5);
        forgetCounts();

        open(6, 0);
        assertThat(files.reads).isGreaterThan(group.size() - 2);
        open(7, 0);
        assertThat(files.reads).isGreaterThan(2 * group.size() - 4);

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
        assertThat(files.reads).isEqualTo(5);
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
        PrefetchGroup large = new PrefetchGroup(Course.MOST_AHEAD);

        for (long file = 1; file < 150; file++) {
            assertThat(open(file, 0, large))
                    .isEqualTo(LongStream.rangeClosed(file + 1, file + Course.MOST_AHEAD)
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
            assertThat(large.size()).isGreaterThan(Course.MOST_AHEAD);
            for (int rank = 0; rank < large.size(); rank++) {
                assertThat(large.file(rank)).isEqualTo(file + 1 + rank);
            }
        }
    }

    /** Accesses of seven files, mostly each after the one before it in number, so that there are courses. */
    @Provide
    Arbitrary<List<Integer>> accesses() {
        Arbitrary<Integer> steps =
                Arbitraries.frequency(Tuple.of(12, 1), Tuple.of(1, 0), Tuple.of(1, 2), Tuple.of(1, 5));
        return steps.list().ofMaxSize(250);
    }

    /** How an access is recorded: asked for predictions, unasked, or with those after it; and what time passes before. */
    @Provide
    Arbitrary<List<int[]>> ways() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.frequency(Tuple.of(20, 0), Tuple.of(1, IDLE_NANOS + 1)))
                .as((way, pause) -> new int[] {way, pause})
                .list()
                .ofSize(250);
    }

    /** One by one on the reference, and in all ways on the packed graph. */
    @Property(tries = 300)
    void whatWasForeseen_isLearnedFromInTheEnd(
            @ForAll("accesses") List<Integer> steps,
            @ForAll("ways") List<int[]> ways,
            @ForAll @IntRange(min = 1, max = 3) int groupSize) {
        GraphSettings settings = new GraphSettings(6, 200, 17);
        SuccessorGraph[] expected = {new ReferenceGraph(settings), new ReferenceGraph(settings)};
        SuccessorGraph[] actual = {new PackedGraph(1 << 17, settings), new PackedGraph(1 << 17, settings)};
        Predictor oneByOne = new Predictor(expected[0], expected[1], WeightScheme.LINEAR, 0.05, true, true);
        Predictor asked = new Predictor(actual[0], actual[1], WeightScheme.LINEAR, 0.05, true, true);
        ClientHistory unaskedClient = newClient();
        ClientHistory askedClient = newClient();
        PrefetchGroup few = new PrefetchGroup(groupSize);
        long file = 0;
        long now = 0;
        long[] together = new long[3];
        long[] nanos = new long[3];
        int waiting = 0;
        for (int i = 0; i < steps.size(); i++) {
            file = (file + steps.get(i)) % 7;
            now += ways.get(i)[1];
            oneByOne.record(unaskedClient, file, now);
            int way = ways.get(i)[0];
            if (waiting > 0 || way > 7) {
                together[waiting] = file;
                nanos[waiting] = now;
                waiting++;
                if (waiting == together.length) {
                    asked.record(askedClient, together, nanos, waiting);
                    waiting = 0;
                }
            } else if (way == 7) {
                asked.record(askedClient, file, now);
            } else {
                asked.record(askedClient, file, now, few);
            }
        }
        asked.record(askedClient, together, nanos, waiting);

        for (long first = 0; first < 7; first++) {
            PredictorTest.assertSame(actual[0], expected[0], first);
            for (long second = 0; second < 7; second++) {
                PredictorTest.assertSame(actual[1], expected[1], Learner.pair(first, second));
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** The accesses of a client on its predicted run are learned later. */
class LearningOnRunPropertyTest {

    private static final int IDLE_NANOS = 5;

    /** Accesses of seven files, mostly in ascending order, so that there are predicted runs. */
    @Provide
    Arbitrary<List<Integer>> accesses() {
        Arbitrary<Integer> steps =
                Arbitraries.frequency(Tuple.of(12, 1), Tuple.of(1, 0), Tuple.of(1, 2), Tuple.of(1, 5));
        return steps.list().ofMaxSize(250);
    }

    /** The way of recording an access: with predictions, without, or in a batch; and the time before it. */
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
    void predictedAccesses_areLearnedInTheEnd(
            @ForAll("accesses") List<Integer> steps,
            @ForAll("ways") List<int[]> ways,
            @ForAll @IntRange(min = 1, max = 3) int groupSize) {
        GraphSettings settings = new GraphSettings(6, 200, 17);
        SuccessorGraph[] expected = {new ReferenceGraph(settings), new ReferenceGraph(settings)};
        SuccessorGraph[] actual = {new PackedGraph(1 << 17, settings), new PackedGraph(1 << 17, settings)};
        Predictor oneByOne = new Predictor(expected[0], expected[1], WeightScheme.LINEAR, 0.05, true, true);
        Predictor asked = new Predictor(actual[0], actual[1], WeightScheme.LINEAR, 0.05, true, true);
        ClientHistory unaskedClient = new ClientHistory(2, IDLE_NANOS);
        ClientHistory askedClient = new ClientHistory(2, IDLE_NANOS);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PredictorTest {

    private static final GraphSettings SETTINGS = new GraphSettings(12, 65535, 0);

    private final PackedGraph files = new PackedGraph(1 << 20, SETTINGS);
    private final PackedGraph pairs = new PackedGraph(1 << 20, SETTINGS);
    private final PrefetchGroup group = new PrefetchGroup(4);

    private void replay(Predictor predictor, long... accesses) {
        HistoryWindow window = new HistoryWindow(2, Long.MAX_VALUE);
        for (long file : accesses) {
            predictor.record(window, file, 0, group);
        }
    }

    private Predictor predictor(boolean withPairs, boolean wholeWindow, double threshold) {
        return new Predictor(files, withPairs ? pairs : null, WeightScheme.LINEAR, threshold, wholeWindow, false);
    }

    @Test
    void fileSeenForTheFirstTime_predictsNothing() {
        replay(predictor(true, true, 0), 1, 2, 3);

        assertThat(group.size()).isZero();
    }

    @Test
    void confidence_isTheShareOfVisitsThatWereFollowed() {
        replay(predictor(false, false, 0), 1, 2, 1, 3, 1, 2, 1);

        assertThat(group.file(0)).isEqualTo(2);
        assertThat(group.confidence(0)).isCloseTo(20 / 40.0, within(1e-9));
    }

    @Test
    void threshold_keepsUncertainFilesOut() {
        replay(predictor(false, false, 0.4), 1, 2, 1, 3, 1, 2, 1);

        assertThat(group.size()).isEqualTo(1);
    }

    @Test
    void repetition_countsOnce() {
        replay(predictor(false, false, 0), 1, 1, 1, 2, 1);

        assertThat(group.file(0)).isEqualTo(2);
        assertThat(group.confidence(0)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void pair_tellsApartWhatTheFileAloneCannot() {
        Predictor predictor = predictor(true, false, 0.5);
        replay(predictor, 1, 9, 2, 8, 3, 9, 4, 8, 1, 9, 2, 8, 3, 9, 4, 8, 1, 9, 2, 8, 3, 9, 4, 8, 3, 9);

        assertThat(group.file(0)).isEqualTo(4);
        replay(predictor, 1, 9);
        assertThat(group.file(0)).isEqualTo(2);
    }

    @Test
    void chain_reachesFurtherThanTheWindow() {
        Predictor chaining = new Predictor(files, pairs, WeightScheme.LINEAR, 0.05, true, true);
        replay(chaining, 1, 2, 3, 4, 5, 6);
        replay(chaining, 1);

        assertThat(group.size()).isEqualTo(4);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(group.file(rank)).isEqualTo(rank + 2);
        }
    }

    @Provide
    Arbitrary<List<Long>> accesses() {
        return Arbitraries.longs().between(0, 6).list().ofMaxSize(200);
    }

    @Property(tries = 200)
    void group_isOrderedBoundedAndWithoutTheFileItself(@ForAll("accesses") List<Long> accesses) {
        Predictor predictor = predictor(true, true, 0.1);
        HistoryWindow window = new HistoryWindow(2, Long.MAX_VALUE);
        for (long file : accesses) {
            predictor.record(window, file, 0, group);
            double last = 1;
            for (int rank = 0; rank < group.size(); rank++) {
                assertThat(group.file(rank)).isNotEqualTo(file);
                assertThat(group.confidence(rank)).isBetween(0.1, last);
                last = group.confidence(rank);
            }
        }
    }

    @Property(tries = 100)
    void onThePackedGraph_itPredictsAsOnTheReference(@ForAll("accesses") List<Long> accesses) {
        Predictor packed = new Predictor(
                new PackedGraph(1 << 17, SETTINGS),
                new PackedGraph(1 << 17, SETTINGS),
                WeightScheme.LINEAR,
                0,
                true,
                true);
        Predictor reference = new Predictor(
                new ReferenceGraph(SETTINGS), new ReferenceGraph(SETTINGS), WeightScheme.LINEAR, 0, true, true);
        HistoryWindow one = new HistoryWindow(3, Long.MAX_VALUE);
        HistoryWindow other = new HistoryWindow(3, Long.MAX_VALUE);
        PrefetchGroup expected = new PrefetchGroup(4);
        for (long file : accesses) {
            packed.record(one, file, 0, group);
            reference.record(other, file, 0, expected);
            assertThat(group.size()).isEqualTo(expected.size());
            for (int rank = 0; rank < group.size(); rank++) {
                assertThat(group.file(rank)).isEqualTo(expected.file(rank));
                assertThat(group.confidence(rank)).isEqualTo(expected.confidence(rank));
            }
        }
    }

    @Test
    void recordAndPredict_allocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Predictor predictor = predictor(true, true, 0);
        HistoryWindow window = new HistoryWindow(2, Long.MAX_VALUE);
        int accesses = 100_000;
        for (int i = 0; i < accesses; i++) {
            predictor.record(window, i * 31 % 1000, i, group);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < accesses; i++) {
            predictor.record(window, i * 31 % 1000, i, group);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(accesses);
    }
}

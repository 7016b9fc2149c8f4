/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictorTest {

    private static final GraphSettings SETTINGS = new GraphSettings(12, 65535, 0);

    private final PackedGraph files = new PackedGraph(1 << 20, SETTINGS);
    private final PackedGraph pairs = new PackedGraph(1 << 20, SETTINGS);
    private final PrefetchGroup group = new PrefetchGroup(4);

    private void replay(Predictor predictor, long... accesses) {
        ClientHistory client = new ClientHistory(2, Long.MAX_VALUE);
        for (long file : accesses) {
            predictor.record(client, file, 0, group);
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
    void pair_distinguishesOrdersThatTheFileAloneCannot() {
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
    void group_isOrderedBoundedAndWithoutTheFileItself(
            @ForAll("accesses") List<Long> accesses, @ForAll boolean chains) {
        Predictor predictor = new Predictor(files, pairs, WeightScheme.LINEAR, 0.1, true, chains);
        ClientHistory client = new ClientHistory(2, Long.MAX_VALUE);
        Set<Long> seen = new HashSet<>();
        for (long file : accesses) {
            predictor.record(client, file, 0, group);
            double last = 1;
            seen.clear();
            seen.add(file);
            for (int rank = 0; rank < group.size(); rank++) {
                assertThat(seen.add(group.file(rank))).isTrue();
                assertThat(group.confidence(rank)).isBetween(0.1, last);
                // A file may be more probable by a chain than the first file of the chain.
                last = chains ? 1 : group.confidence(rank);
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
        ClientHistory one = new ClientHistory(3, Long.MAX_VALUE);
        ClientHistory other = new ClientHistory(3, Long.MAX_VALUE);
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

    static void assertSame(SuccessorGraph one, SuccessorGraph other, long vertex) {
        Successors actual = new Successors(SETTINGS.maxSuccessors());
        Successors expected = new Successors(SETTINGS.maxSuccessors());
        one.read(vertex, 0, actual);
        other.read(vertex, 0, expected);
        PackedGraphPropertyTest.assertSame(actual, expected);
    }

    /** One by one on the reference, in batches on the packed graph; a pause of more than 5 empties the window. */
    @Property(tries = 500)
    void manyAtOnce_equalsOneByOne(
            @ForAll("accesses") List<Long> accesses,
            @ForAll @Size(200) List<@IntRange(max = 6) Integer> pauses,
            @ForAll @IntRange(min = 1, max = 90) int batch,
            @ForAll @IntRange(min = 1, max = 5) int capacity,
            @ForAll @IntRange(min = 1, max = 6) int maxSuccessors,
            @ForAll WeightScheme scheme) {
        GraphSettings settings = new GraphSettings(maxSuccessors, 100, 9);
        SuccessorGraph[] single = {new ReferenceGraph(settings), new ReferenceGraph(settings)};
        SuccessorGraph[] together = {new PackedGraph(1 << 17, settings), new PackedGraph(1 << 17, settings)};
        Predictor one = new Predictor(single[0], single[1], scheme, 0, true, true);
        Predictor other = new Predictor(together[0], together[1], scheme, 0, true, true);
        ClientHistory client = new ClientHistory(capacity, 5);
        ClientHistory otherClient = new ClientHistory(capacity, 5);
        long[] files = accesses.stream().mapToLong(Long::longValue).toArray();
        long[] nanos = new long[files.length];
        for (int i = 0; i < files.length; i++) {
            nanos[i] = (i == 0 ? 0 : nanos[i - 1]) + pauses.get(i);
            one.record(client, files[i], nanos[i]);
        }
        for (int begin = 0; begin < files.length; begin += batch) {
            int end = Math.min(begin + batch, files.length);
            other.record(
                    otherClient,
                    Arrays.copyOfRange(files, begin, end),
                    Arrays.copyOfRange(nanos, begin, end),
                    end - begin);
        }

        for (long first = 0; first <= 6; first++) {
            assertSame(together[0], single[0], first);
            for (long second = 0; second <= 6; second++) {
                assertSame(together[1], single[1], Learner.pair(first, second));
            }
        }
        assertThat(otherClient.window.size()).isEqualTo(client.window.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordAndPredict_allocateNothing(boolean chains) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Predictor predictor = new Predictor(files, pairs, WeightScheme.LINEAR, 0, true, chains);
        ClientHistory client = new ClientHistory(2, Long.MAX_VALUE);
        int accesses = 100_000;
        for (int i = 0; i < accesses; i++) {
            predictor.record(client, i * 31 % 1000, i, group);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < accesses; i++) {
            predictor.record(client, i * 31 % 1000, i, group);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(accesses);
    }
}

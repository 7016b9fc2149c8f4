/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple3;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Compares the packed graph with the reference, and checks its bounds. */
class PackedGraphPropertyTest {

    private static final int FILES = 12;

    /** From, to, weight; a weight of 0 is a visit. */
    @Provide
    Arbitrary<List<Tuple3<Long, Long, Integer>>> operations() {
        Arbitrary<Long> files = Arbitraries.longs().between(0, FILES - 1);
        return Combinators.combine(files, files, Arbitraries.integers().between(0, WeightScheme.FULL))
                .as(Tuple::of)
                .list()
                .ofMaxSize(400);
    }

    @Property
    void whereNothingIsEvicted_itIsTheReference(
            @ForAll("operations") List<Tuple3<Long, Long, Integer>> operations,
            @ForAll @IntRange(min = 1, max = FILES) int maxSuccessors,
            @ForAll @IntRange(min = 74, max = 300) int maxWeight,
            @ForAll @IntRange(max = 20) int aging,
            @ForAll @DoubleRange(max = 1.5) double leastConfidence) {
        GraphSettings settings = new GraphSettings(maxSuccessors, maxWeight, aging == 1 ? 0 : aging);
        SuccessorGraph reference = new ReferenceGraph(settings);
        PackedGraph packed = new PackedGraph(1 << 17, settings);
        Successors expected = new Successors(maxSuccessors);
        Successors actual = new Successors(maxSuccessors);
        for (Tuple3<Long, Long, Integer> operation : operations) {
            if (operation.get3() == 0) {
                reference.visit(operation.get1(), leastConfidence, expected);
                packed.visit(operation.get1(), leastConfidence, actual);
            } else {
                reference.strengthen(operation.get1(), operation.get2(), operation.get3());
                packed.strengthen(operation.get1(), operation.get2(), operation.get3());
                reference.read(operation.get1(), leastConfidence, expected);
                packed.read(operation.get1(), leastConfidence, actual);
            }
            assertSame(actual, expected);
        }
        for (long file = 0; file < FILES; file++) {
            reference.read(file, leastConfidence, expected);
            packed.read(file, leastConfidence, actual);
            assertSame(actual, expected);
        }
        assertThat(packed.evictions()).isZero();
    }

    static void assertSame(Successors actual, Successors expected) {
        assertThat(actual.size()).isEqualTo(expected.size());
        assertThat(actual.visits()).isEqualTo(expected.visits());
        for (int rank = 0; rank < expected.size(); rank++) {
            assertThat(actual.file(rank)).isEqualTo(expected.file(rank));
            assertThat(actual.weight(rank)).isEqualTo(expected.weight(rank));
        }
    }

    @Property(tries = 100)
    void withinItsBudget_itHoldsUsedVertices(
            @ForAll("operations") List<Tuple3<Long, Long, Integer>> operations,
            @ForAll @IntRange(min = 1, max = 4096) int budget) {
        GraphSettings settings = new GraphSettings(4, 65535, 0);
        PackedGraph packed = new PackedGraph(budget, settings);
        Successors successors = new Successors(4);
        for (Tuple3<Long, Long, Integer> operation : operations) {
            packed.strengthen(operation.get1(), operation.get2(), 1);
            packed.read(operation.get1(), 0, successors);
            assertThat(successors.size()).isPositive();
            assertThat(packed.vertices()).isLessThanOrEqualTo(packed.capacity());
        }
        if (budget >= packed.bytesPerVertex() * 7) {
            assertThat(packed.capacityBytes()).isLessThanOrEqualTo(budget);
        }
        packed.clear();
        assertThat(packed.vertices()).isZero();
        packed.read(1, 0, successors);
        assertThat(successors.size()).isZero();
    }
}

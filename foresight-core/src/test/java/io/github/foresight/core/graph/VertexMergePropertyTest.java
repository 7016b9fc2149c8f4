/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class VertexMergePropertyTest {

    private static final int CAPACITY = 8;

    private static Successors side(long seed, int visits) {
        Random random = new Random(seed);
        Successors side = new Successors(CAPACITY);
        side.visits = visits;
        int weight = 1 + WeightScheme.FULL * visits;
        for (long file = 1; file < 12 && side.size < CAPACITY && weight > 1; file++) {
            if (random.nextBoolean()) {
                weight = 1 + random.nextInt(weight);
                side.files[side.size] = file;
                side.weights[side.size++] = Math.min(GraphSettings.MAX_UNSIGNED_SHORT, weight);
            }
        }
        return side;
    }

    private static Successors merged(Successors own, Successors loaded, double trust) {
        Successors merged = new Successors(CAPACITY);
        VertexMerge.merge(own, loaded, trust, merged);
        return merged;
    }

    private static Map<Long, Integer> edges(Successors side) {
        Map<Long, Integer> edges = new HashMap<>();
        for (int rank = 0; rank < side.size; rank++) {
            edges.put(side.files[rank], side.weights[rank]);
        }
        return edges;
    }

    @Property
    void withItself_changesNothing(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 300) int visits,
            @ForAll @DoubleRange(min = 0.01, max = 100) double trust) {
        Successors side = side(seed, visits);
        Successors merged = merged(side, side, trust);
        assertThat(merged.visits).isEqualTo(side.visits);
        assertThat(edges(merged)).isEqualTo(edges(side));
    }

    @Property
    void withNothing_changesNothing(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int visits) {
        Successors side = side(seed, visits);
        Successors nothing = new Successors(CAPACITY);
        assertThat(edges(merged(side, nothing, 1))).isEqualTo(edges(side));
        assertThat(edges(merged(nothing, side, 1))).isEqualTo(edges(side));
        assertThat(merged(nothing, side, 1).visits).isEqualTo(visits);
    }

    @Property
    void visitsAndConfidences_lieBetweenThoseOfBothSides(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 254) int ownVisits,
            @ForAll @IntRange(min = 1, max = 254) int loadedVisits,
            @ForAll @DoubleRange(min = 0.06, max = 16) double trust) {
        Successors own = side(seed, ownVisits);
        Successors loaded = side(~seed, loadedVisits);
        Successors merged = merged(own, loaded, trust);
        assertThat(merged.visits).isBetween(Math.min(ownVisits, loadedVisits), Math.max(ownVisits, loadedVisits));
        edges(merged).forEach((file, weight) -> {
            double ownShare = edges(own).getOrDefault(file, 0) / (double) ownVisits;
            double loadedShare = edges(loaded).getOrDefault(file, 0) / (double) loadedVisits;
            double rounding = weight * 0.5 / (merged.visits - 0.5) / merged.visits + 1.0 / merged.visits;
            assertThat((double) weight / merged.visits)
                    .isBetween(Math.min(ownShare, loadedShare) - rounding, Math.max(ownShare, loadedShare) + rounding);
        });
        for (int rank = 1; rank < merged.size; rank++) {
            assertThat(merged.weights[rank]).isLessThanOrEqualTo(merged.weights[rank - 1]);
        }
    }

    @Property
    void moreTrust_countsMore(@ForAll long seed, @ForAll @IntRange(min = 10, max = 254) int visits) {
        Successors own = new Successors(CAPACITY);
        own.visits = visits;
        Successors loaded = new Successors(CAPACITY);
        loaded.visits = visits;
        loaded.size = 1;
        loaded.files[0] = 7;
        loaded.weights[0] = WeightScheme.FULL * visits;
        int little = merged(own, loaded, 1.0 / 16).weights[0];
        int even = merged(own, loaded, 1).weights[0];
        int much = merged(own, loaded, 16).weights[0];
        assertThat(little).isLessThan(even);
        assertThat(even).isLessThan(much).isLessThan(loaded.weights[0]);
    }
}

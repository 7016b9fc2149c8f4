/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** The part of a graph that one user can take from other users. */
class GraphSharePropertyTest {

    private static final int GREEDY = 7;
    private static final int MODEST = 8;

    private final Successors successors = new Successors(4);

    private static PackedGraph graph(double share) {
        return new PackedGraph(1 << 18, new GraphSettings(4, 65535, 0, share));
    }

    private void access(PackedGraph graph, int owner, Random random, long files) {
        for (long i = 0; i < files; i++) {
            graph.visit(owner, random.nextLong(), 0, successors);
        }
    }

    private long known(PackedGraph graph, long seed, long files) {
        Random random = new Random(seed);
        long known = 0;
        for (long i = 0; i < files; i++) {
            graph.read(random.nextLong(), 0, successors);
            known += successors.visits > 0 ? 1 : 0;
        }
        return known;
    }

    @Property(tries = 30)
    void userThatOpensWithoutEnd_leavesOthersTheirs(
            @ForAll @DoubleRange(min = 0.2, max = 0.5) double share, @ForAll @IntRange(min = 3, max = 30) int floods) {
        PackedGraph graph = graph(share);
        long modest = graph.capacity() / 4;
        access(graph, MODEST, new Random(1), modest);
        long before = known(graph, 1, modest);

        access(graph, GREEDY, new Random(2), floods * graph.capacity());

        assertThat(known(graph, 1, modest)).as("of %s of %s", before, modest).isGreaterThan(before * 8 / 10);
    }

    @Property(tries = 30)
    void graphThatOneUserHasFilled_isGivenUpToOthers_downToItsShare(
            @ForAll @DoubleRange(min = 0.2, max = 0.6) double share) {
        PackedGraph graph = graph(share);
        access(graph, GREEDY, new Random(2), 10 * graph.capacity());
        assertThat(graph.charged(GREEDY)).as("nobody else needs it").isGreaterThan(graph.capacity() * 95 / 100);

        long modest = graph.capacity() / 5;
        access(graph, MODEST, new Random(1), modest);
        access(graph, GREEDY, new Random(3), 10 * graph.capacity());

        assertThat(known(graph, 1, modest)).isGreaterThan(modest * 8 / 10);
    }

    @Property(tries = 100)
    void charges_equalTheVertices(
            @ForAll long seed, @ForAll @DoubleRange(min = 0.05, max = 1) double share, @ForAll boolean cleared) {
        PackedGraph graph = new PackedGraph(1 << 14, new GraphSettings(4, 65535, 0, share));
        Random random = new Random(seed);
        for (int i = 0; i < 5000; i++) {
            int owner = 1 + random.nextInt(4);
            if (random.nextBoolean()) {
                graph.visit(owner, random.nextInt(1000), 0, successors);
            } else {
                graph.strengthen(owner, random.nextInt(1000), random.nextInt(1000), 10);
            }
        }
        if (cleared) {
            graph.clear();
        }
        long charged = 0;
        for (int owner = 1; owner <= 4; owner++) {
            charged += graph.charged(owner);
        }
        assertThat(charged).isEqualTo(graph.vertices());
    }
}

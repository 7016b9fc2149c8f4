/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/** A caller that follows the table causes the fewest overlaps. */
class OverlapCostsPropertyTest {

    @Provide
    Arbitrary<List<Set<Integer>>> blocks() {
        return Arbitraries.integers()
                .between(1, 5)
                .set()
                .ofMinSize(1)
                .ofMaxSize(3)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    @Property
    void cost_atEachBlockTheLowest_isTheOptimum(
            @ForAll("blocks") List<Set<Integer>> blocks, @ForAll @IntRange(max = 3) int before, @ForAll long seed) {
        OverlapCosts overlapCosts = overlapCosts(blocks, before);
        assertThat(overlapCosts.depth()).isIn(0, before);
        List<Integer> firsts = follow(overlapCosts, blocks.size(), before, new Random(seed));
        assertThat(Optimum.shared(firsts, before)).isEqualTo(Optimum.fewestShared(blocks, before));
    }

    @Property(tries = 50)
    void cost_ofMoreThanFitsTheTable_isTheOptimumForNeighbours(
            @ForAll @IntRange(min = 2, max = 6) int most,
            @ForAll @IntRange(min = 1, max = 63) int before,
            @ForAll @IntRange(min = 1, max = 40_000) int count,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<Set<Integer>> blocks = new ArrayList<>();
        for (int block = 0; block < count; block++) {
            blocks.add(Set.of(1 + random.nextInt(most), most + 1 + random.nextInt(2)));
        }
        OverlapCosts overlapCosts = overlapCosts(blocks, before);
        List<Integer> firsts = follow(overlapCosts, count, before, random);
        assertThat(Optimum.shared(firsts, 1)).containsExactly(Optimum.fewestSharedByNeighbours(blocks));
    }

    @Example
    void depth_byCandidates_isAsDocumented() {
        assertThat(overlapCosts(Collections.nCopies(3, Set.of(1, 2)), 10).depth())
                .isEqualTo(6);
        assertThat(overlapCosts(Collections.nCopies(4, Set.of(1, 2, 3)), 10).depth())
                .isEqualTo(3);
        assertThat(overlapCosts(Collections.nCopies(6, Set.of(1, 2, 3, 4, 5)), 10)
                        .depth())
                .isEqualTo(2);
        assertThat(overlapCosts(Collections.nCopies(5, Set.of(1, 2, 3, 4, 5)), 10)
                        .depth())
                .as("each block finds a free node")
                .isZero();
    }

    private static OverlapCosts overlapCosts(List<Set<Integer>> blocks, int before) {
        OverlapCosts overlapCosts = new OverlapCosts();
        overlapCosts.clear();
        for (int i = 0; i < before; i++) {
            overlapCosts.candidates.addBlock();
        }
        for (Set<Integer> block : blocks) {
            overlapCosts.candidates.addBlock();
            block.forEach(overlapCosts.candidates::add);
        }
        overlapCosts.prepare(before);
        return overlapCosts;
    }

    /** Takes any choice of the least cost. Without a table it avoids the nodes that were chosen before. */
    private static List<Integer> follow(OverlapCosts overlapCosts, int blocks, int before, Random random) {
        List<Integer> firsts = new ArrayList<>();
        int state = overlapCosts.firstState();
        for (int block = before; block < before + blocks; block++) {
            List<Integer> best = new ArrayList<>();
            long lowest = Long.MAX_VALUE;
            for (int choice = 0; choice < overlapCosts.candidates.count(block); choice++) {
                long cost = overlapCosts.cost(block, state, choice);
                int node = overlapCosts.candidates.node(block, choice);
                int from = Math.max(0, firsts.size() - before);
                if (overlapCosts.depth() == 0
                        && firsts.subList(from, firsts.size()).contains(node)) {
                    continue;
                }
                if (cost < lowest) {
                    best.clear();
                    lowest = cost;
                }
                if (cost == lowest) {
                    best.add(choice);
                }
            }
            int choice = best.get(random.nextInt(best.size()));
            firsts.add(overlapCosts.candidates.node(block, choice));
            state = overlapCosts.nextState(state, choice);
        }
        return firsts;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class FullnessPropertyTest {

    private static final int BLOCKS_PER_NODE = 1000;

    /** As the Balancer moves: from a node that is too full to the emptiest, where another of the block's nodes may lose its replica instead. */
    @Property(tries = 100)
    void movesOfTheBalancer_drainANodeHoweverManyReplicasAreSpared(@ForAll long seed) {
        Random random = new Random(seed);
        int[] used = new Random(seed).ints(8, 0, BLOCKS_PER_NODE).toArray();
        double mean = Arrays.stream(used).average().orElseThrow() / BLOCKS_PER_NODE;
        double threshold = 0.02;
        int moves = 0;
        for (int source = fullest(used); full(used[source]) > mean + threshold; source = fullest(used)) {
            assertThat(moves++).as("moves").isLessThan(used.length * BLOCKS_PER_NODE);
            int target = emptiest(used);
            int other = random.nextInt(used.length);
            boolean isOtherDrained = other != target && Fullness.servesAsWell(full(used[other]), full(used[source]));
            used[target]++;
            used[isOtherDrained ? other : source]--;
        }
    }

    private static double full(int blocks) {
        return Fullness.of(blocks, BLOCKS_PER_NODE);
    }

    private static int fullest(int[] used) {
        int best = 0;
        for (int node = 1; node < used.length; node++) {
            best = used[node] > used[best] ? node : best;
        }
        return best;
    }

    private static int emptiest(int[] used) {
        int best = 0;
        for (int node = 1; node < used.length; node++) {
            best = used[node] < used[best] ? node : best;
        }
        return best;
    }

    @Example
    void nodeWithoutCapacity_isEmpty() {
        assertThat(Fullness.of(0, 0)).isZero();
        assertThat(Fullness.of(1, 4)).isEqualTo(0.25);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.vectored.ReplicaSpread.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplicaSpreadTest {

    private static final Replica A = new Replica("a", "/r", false);
    private static final Replica B = new Replica("b", "/r", false);
    private static final Replica C = new Replica("c", "/r", false);
    private static final List<Replica> ONE_RACK = Arrays.asList(A, B, C);

    private static List<Integer> assigned(int replicasMax, int reads, Replica... replicas) {
        ReplicaSpread spread = new ReplicaSpread(replicasMax);
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < reads; i++) {
            chosen.add(spread.assign(Arrays.asList(replicas), 100));
        }
        return chosen;
    }

    @Test
    void equalReads_goToEachReplicaInTurn_beginningWithHdfsFirstChoice() {
        assertThat(assigned(3, 6, A, B, C)).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void reads_useAtMostSoManyReplicas() {
        assertThat(assigned(2, 4, A, B, C)).containsExactly(0, 1, 0, 1);
        assertThat(assigned(1, 3, A, B, C)).containsExactly(0, 0, 0);
    }

    @Test
    void replicaOnAnotherRack_isNotRead() {
        assertThat(assigned(3, 4, A, new Replica("x", "/s", false), C)).containsExactly(0, 2, 0, 2);
    }

    @Test
    void replicasOnTheReadersHost_areReadAlone() {
        Replica here = new Replica("h", "/r", true);
        assertThat(assigned(3, 3, here, B, C)).containsExactly(0, 0, 0);
        assertThat(assigned(3, 4, here, B, new Replica("i", "/r", true))).containsExactly(0, 2, 0, 2);
    }

    @Test
    void nodeOfAnotherBlock_countsWithTheBytesThatItHasAlready() {
        ReplicaSpread spread = new ReplicaSpread(3);
        spread.assign(Collections.singletonList(B), 100);
        assertThat(spread.assign(Arrays.asList(B, C), 10)).isEqualTo(1);
    }

    @Property
    void sameCandidates_differByTheLongestReadAtMost(
            @ForAll @Size(max = 100) List<@IntRange(max = 1000) Integer> lengths) {
        ReplicaSpread spread = new ReplicaSpread(ONE_RACK.size());
        long[] bytes = new long[ONE_RACK.size()];
        for (int length : lengths) {
            bytes[spread.assign(ONE_RACK, length)] += length;
        }
        long longest = lengths.stream().mapToInt(Integer::intValue).max().orElse(0);
        assertThat(Arrays.stream(bytes).max().getAsLong()
                        - Arrays.stream(bytes).min().getAsLong())
                .isLessThanOrEqualTo(longest);
    }

    @Property
    void chosenReplica_isAmongTheFirst_andNeverFartherThanHdfsFirstChoice(
            @ForAll("anyReplicas") @Size(min = 1, max = 6) List<Spot> spots,
            @ForAll @IntRange(min = 1, max = 4) int replicasMax,
            @ForAll @Size(max = 20) List<@IntRange(max = 1000) Integer> lengths) {
        ReplicaSpread spread = new ReplicaSpread(replicasMax);
        List<Replica> replicas = new ArrayList<>();
        for (Spot spot : spots) {
            replicas.add(new Replica("node" + replicas.size(), spot.rack, spot.onReadersHost));
        }
        for (int length : lengths) {
            int chosen = spread.assign(replicas, length);
            assertThat(chosen).isBetween(0, Math.min(replicasMax, replicas.size()) - 1);
            assertThat(spots.get(chosen).distanceFrom(spots.get(0))).isZero();
        }
    }

    @Provide
    Arbitrary<List<Spot>> anyReplicas() {
        return Combinators.combine(Arbitraries.of("/r", "/s"), Arbitraries.of(true, false))
                .as(Spot::new)
                .list();
    }

    /** Where a replica is, as a test's own model. */
    private static final class Spot {
        private final String rack;
        private final boolean onReadersHost;

        Spot(String rack, boolean onReadersHost) {
            this.rack = rack;
            this.onReadersHost = onReadersHost;
        }

        int distanceFrom(Spot first) {
            if (first.onReadersHost) {
                return onReadersHost ? 0 : 1;
            }
            return rack.equals(first.rack) ? 0 : 1;
        }

        @Override
        public String toString() {
            return rack + (onReadersHost ? " here" : "");
        }
    }

    @Test
    void badArguments_areRefused() {
        assertThatThrownBy(() -> new ReplicaSpread(0)).hasMessage("replicasMax must be at least 1: 0");
        assertThatThrownBy(() -> new ReplicaSpread(1).assign(Collections.emptyList(), 1))
                .hasMessage("replicas must not be empty");
        assertThatThrownBy(() -> new ReplicaSpread(1).assign(ONE_RACK, -1))
                .hasMessage("lengthBytes must not be negative: -1");
    }
}

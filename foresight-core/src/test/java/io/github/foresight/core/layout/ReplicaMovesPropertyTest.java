/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ReplicaMovesPropertyTest {

    private record Place(boolean isOnReplicaNode, boolean isMovable, String rack, double fullness)
            implements ReplicaMoves.Replica {}

    private static Place at(String rack, double fullness) {
        return new Place(false, true, rack, fullness);
    }

    @Provide
    Arbitrary<List<Place>> replicas() {
        return Combinators.combine(
                        Arbitraries.of(true, true, true, false),
                        Arbitraries.of("/a", "/b", "/c"),
                        Arbitraries.of(0.1, 0.5))
                .as((movable, rack, fullness) -> new Place(false, movable, rack, fullness))
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    private static long racks(List<Place> places) {
        return places.stream().map(Place::rack).distinct().count();
    }

    @Property
    void choose_anyBlock_keepsItsRacksAndTakesOneThatMayMove(
            @ForAll("replicas") List<Place> replicas, @ForAll("rack") String replicaRack) {
        Place moved = ReplicaMoves.choose(replicas, replicaRack);
        if (moved != null) {
            assertThat(moved.isMovable()).isTrue();
            List<Place> after = new ArrayList<>(replicas);
            after.set(identityIndex(replicas, moved), new Place(true, true, replicaRack, 0));
            assertThat(racks(after)).isGreaterThanOrEqualTo(Math.min(2, racks(replicas)));
        } else {
            // A replica in the replica node's rack may always move; without such a replica any may.
            List<Place> free = replicas.stream()
                    .filter(place -> place.rack().equals(replicaRack))
                    .collect(Collectors.toList());
            assertThat(free.isEmpty() ? replicas : free).noneMatch(Place::isMovable);
        }
    }

    @Provide
    Arbitrary<String> rack() {
        return Arbitraries.of("/a", "/b", "/c", "/d");
    }

    @SuppressWarnings("ReferenceEquality") // two replicas may be equal
    private static int identityIndex(List<Place> replicas, Place wanted) {
        for (int i = 0; i < replicas.size(); i++) {
            if (replicas.get(i) == wanted) {
                return i;
            }
        }
        throw new AssertionError("not one of the block's replicas: " + wanted);
    }

    @Example
    void choose_twoReplicasAndReplicaNodeBesideOne_takesTheOneBeside() {
        Place beside = at("/a", 0.1);
        assertThat(ReplicaMoves.choose(List.of(at("/b", 0.9), beside), "/a")).isSameAs(beside);
    }

    @Example
    void choose_pairInOneRack_leavesOriginalsInTwoRacks() {
        List<Place> replicas = List.of(at("/a", 0.9), at("/b", 0.1), at("/b", 0.2));
        assertThat(ReplicaMoves.choose(replicas, "/c")).isSameAs(replicas.get(2));
    }

    @Example
    void choose_blockThatIsHeld_isRefused() {
        assertThatThrownBy(() -> ReplicaMoves.choose(List.of(new Place(true, true, "/a", 0)), "/a"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

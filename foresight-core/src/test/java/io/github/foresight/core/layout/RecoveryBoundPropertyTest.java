/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class RecoveryBoundPropertyTest {

    private static final long PERIOD = 1000;

    /** A caller that counts its scheduled blocks after each batch; no batch is longer than a period. */
    @Property(tries = 200)
    void replicasUnderWay_areNeverMoreThanTheBound(
            @ForAll @IntRange(max = 20) int most, @ForAll @IntRange(min = 1, max = 5) int nodes, @ForAll long seed) {
        RecoveryBound<Integer> bound = new RecoveryBound<>(most, PERIOD);
        Random random = new Random(seed);
        List<Deque<Long>> underWay = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            underWay.add(new ArrayDeque<>());
        }
        long now = random.nextLong();
        for (int batch = 0; batch < 50; batch++) {
            int[] counted = underWay.stream().mapToInt(Deque::size).toArray();
            for (int block = random.nextInt(100); block > 0; block--) {
                int node = random.nextInt(nodes);
                if (bound.admits(node, counted[node], now)) {
                    bound.assigned(node, now);
                    underWay.get(node).add(now);
                }
                assertThat(underWay.get(node)).hasSizeLessThanOrEqualTo(most);
            }
            now += PERIOD + random.nextInt(1000);
            for (Deque<Long> replicas : underWay) {
                for (int done = random.nextInt(replicas.size() + 1); done > 0; done--) {
                    replicas.remove();
                }
            }
        }
    }

    @Example
    void node_isAssignedTheBoundInEachPeriod() {
        RecoveryBound<String> bound = new RecoveryBound<>(2, PERIOD);
        long now = Long.MAX_VALUE - PERIOD / 2;
        for (int period = 0; period < 3; period++, now += PERIOD) {
            for (int replica = 0; replica < 2; replica++) {
                assertThat(bound.admits("node", 0, now)).isTrue();
                bound.assigned("node", now + replica);
            }
            assertThat(bound.admits("node", 0, now + PERIOD - 1)).isFalse();
            assertThat(bound.admits("other", 1, now)).isTrue();
            assertThat(bound.admits("other", 2, now)).isFalse();
        }
    }

    @Example
    void bound_ofNone_admitsNone_andALesserOneIsRefused() {
        assertThat(new RecoveryBound<String>(0, PERIOD).admits("node", 0, 0)).isFalse();
        assertThatThrownBy(() -> new RecoveryBound<String>(-1, PERIOD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("most must be at least 0: -1");
    }
}

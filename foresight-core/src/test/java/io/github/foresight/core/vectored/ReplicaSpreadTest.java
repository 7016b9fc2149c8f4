/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplicaSpreadTest {

    private static final List<String> NODES = Arrays.asList("a", "b", "c");

    @Test
    void firstRead_goesToHdfsFirstChoice() {
        assertThat(new ReplicaSpread().assign(NODES, 7)).isZero();
    }

    @Test
    void equalReads_goToEachNodeInTurn() {
        ReplicaSpread spread = new ReplicaSpread();
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            chosen.add(spread.assign(NODES, 100));
        }
        assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void nodeOfAnotherBlock_countsWithTheBytesThatItHasAlready() {
        ReplicaSpread spread = new ReplicaSpread();
        spread.assign(Collections.singletonList("b"), 100);
        assertThat(spread.assign(Arrays.asList("b", "c"), 10)).isEqualTo(1);
    }

    @Property
    void sameCandidates_differByTheLongestReadAtMost(
            @ForAll @Size(max = 100) List<@IntRange(max = 1000) Integer> lengths) {
        ReplicaSpread spread = new ReplicaSpread();
        long[] bytes = new long[NODES.size()];
        for (int length : lengths) {
            bytes[spread.assign(NODES, length)] += length;
        }
        long longest = lengths.stream().mapToInt(Integer::intValue).max().orElse(0);
        assertThat(Arrays.stream(bytes).max().getAsLong()
                        - Arrays.stream(bytes).min().getAsLong())
                .isLessThanOrEqualTo(longest);
    }

    @Test
    void badArguments_areRefused() {
        assertThatThrownBy(() -> new ReplicaSpread().assign(Collections.emptyList(), 1))
                .hasMessage("candidates must not be empty");
        assertThatThrownBy(() -> new ReplicaSpread().assign(NODES, -1))
                .hasMessage("lengthBytes must not be negative: -1");
    }
}

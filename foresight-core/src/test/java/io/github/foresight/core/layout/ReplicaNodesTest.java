/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class ReplicaNodesTest {

    private static final long TIB = 1L << 40;

    @Test
    void first_noNodes_isNone() {
        ReplicaNodes<String> none = ReplicaNodes.<String>builder().build();
        assertThat(none.first(1)).isNull();
        assertThat(none.order(1).hasNext()).isFalse();
        assertThatThrownBy(() -> none.drawn(1, 0)).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> none.order(1).next()).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void add_weightZero_isLeftOut() {
        ReplicaNodes<String> nodes = ReplicaNodes.<String>builder()
                .add("a", "a", CapacityClass.weight(0))
                .add("b", "b", CapacityClass.weight(TIB))
                .build();
        assertThat(nodes.size()).isEqualTo(1);
        assertThat(nodes.first(7)).isEqualTo("b");
    }

    @Test
    void add_weightThatIsNone_isRefusedByName() {
        assertThatThrownBy(() -> ReplicaNodes.<String>builder().add("a", "node a", Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node a");
    }

    /** Later versions must find the files that were placed, so these hashes may not change. */
    @Test
    void hashes_arePinned() {
        assertThat(LayoutHash.ofFile(16_386)).isEqualTo(4296732547371746422L);
        assertThat(LayoutHash.ofName("5d1ad9c0-0b5f-4f2b-8f1c-7f3f0c5f0a11")).isEqualTo(4059284006554495036L);
    }

    @Test
    void weight_isNearTheCapacityAndMovesInSteps() {
        assertThat(CapacityClass.weight(-1)).isZero();
        assertThat(CapacityClass.weight(4 * TIB) / CapacityClass.weight(2 * TIB))
                .isCloseTo(2, within(1e-9));
        for (long capacity = TIB; capacity < 200 * TIB; capacity += TIB / 7) {
            assertThat(CapacityClass.weight(capacity) / capacity).isBetween(0.84, 1.19);
        }
        assertThat(CapacityClass.weight(10 * TIB)).isEqualTo(CapacityClass.weight(10 * TIB + (1 << 30)));
        assertThat(CapacityClass.weight(12 * 4 * TIB)).isEqualTo(CapacityClass.weight(11 * 4 * TIB));
    }
}

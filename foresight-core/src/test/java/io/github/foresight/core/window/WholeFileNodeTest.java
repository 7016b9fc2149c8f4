/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WholeFileNodeTest {

    private static Optional<String> nodeOf(long fileId, List<Set<String>> holders) {
        return WholeFileNode.of(holders, fileId, UnaryOperator.identity());
    }

    @Test
    void node_oneHoldsAllBlocks_isThatOne() {
        assertThat(nodeOf(1, List.of(Set.of("a", "r"), Set.of("b", "r"), Set.of("r", "a"))))
                .contains("r");
    }

    @Test
    void node_noneHoldsAllBlocks_isNone() {
        assertThat(nodeOf(1, List.of(Set.of("a", "b"), Set.of("b", "c"), Set.of("c", "a"))))
                .isEmpty();
        assertThat(nodeOf(1, List.of(Set.of("a"), Set.of()))).isEmpty();
    }

    @Test
    void node_fileOfOneBlock_isNone() {
        assertThat(nodeOf(1, List.of(Set.of("a", "b")))).isEmpty();
        assertThat(nodeOf(1, List.of())).isEmpty();
    }

    @Test
    void node_severalHoldAllBlocks_isTheSameForEveryoneAndSpreadsFiles() {
        Map<String, Integer> files = new HashMap<>();
        for (long file = 0; file < 3000; file++) {
            Optional<String> node = nodeOf(file, List.of(Set.of("a", "b", "c"), Set.of("c", "b", "a")));
            assertThat(nodeOf(file, List.of(Set.of("b", "c", "a"), Set.of("a", "c", "b"))))
                    .isEqualTo(node);
            files.merge(node.orElseThrow(), 1, Integer::sum);
        }
        assertThat(files).hasSize(3);
        assertThat(files.values()).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PackedGraphTest {

    private static final GraphSettings SETTINGS = new GraphSettings(8, 65535, 0);

    private final Successors successors = new Successors(8);

    @Test
    void vertexThatIsUsed_outlivesOnesThatAreNot() {
        PackedGraph oneBucket = new PackedGraph(1, SETTINGS);
        oneBucket.strengthen(7, 70, 10);
        for (int other = 100; other < 200; other++) {
            oneBucket.visit(7, 0, successors);
            oneBucket.strengthen(other, 1, 10);
        }

        oneBucket.read(7, 0, successors);
        assertThat(successors.file(0)).isEqualTo(70);
        assertThat(oneBucket.vertices()).isEqualTo(7);
        assertThat(oneBucket.evictions()).isEqualTo(94);
    }

    @Test
    void scan_doesNotEvictUsedVertices() {
        PackedGraph graph = new PackedGraph(1 << 20, SETTINGS);
        long used = graph.capacity() / 4;
        long scanned = 1L << 32;
        for (int round = 0; round < 20; round++) {
            for (long file = 0; file < used; file++) {
                graph.visit(file, 0, successors);
            }
            for (long i = 0; i < graph.capacity() / 4; i++) {
                graph.visit(scanned++, 0, successors);
            }
        }

        long neverLost = 0;
        for (long file = 0; file < used; file++) {
            graph.read(file, 0, successors);
            neverLost += successors.visits() == 20 ? 1 : 0;
        }
        assertThat(neverLost).isGreaterThan(used * 2 / 3);
        assertThat(graph.evictions()).isGreaterThan(graph.capacity() * 3);
    }

    @Test
    void vertexZero_isAVertexAsAnyOther() {
        PackedGraph graph = new PackedGraph(1 << 16, SETTINGS);
        graph.strengthen(0, 0, 10);

        graph.read(0, 0, successors);
        assertThat(successors.file(0)).isZero();
        assertThat(graph.vertices()).isEqualTo(1);
    }

    @Test
    void atTwelveSuccessors_aVertexTakesLessThan160Bytes() {
        assertThat(new PackedGraph(1 << 20, new GraphSettings(12, 65535, 255)).bytesPerVertex())
                .isLessThanOrEqualTo(160);
    }

    @Test
    void settingOutOfBounds_isNamed() {
        assertThatThrownBy(() -> new GraphSettings(65, 65535, 0))
                .hasMessage("maxSuccessors is 65; accepted is 1 to 64");
        assertThatThrownBy(() -> new GraphSettings(8, 73, 0)).hasMessageContaining("maxWeight is 73");
        assertThatThrownBy(() -> new GraphSettings(8, 65535, 1)).hasMessageContaining("agingVisits is 1");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of Nexus (Gu et al.): Fig. 7, Table 2, and the overflow rule of Fig. 11. */
class PaperExamplesTest {

    private static final String SEQUENCE = "ABCADCBA";
    private static final GraphSettings SETTINGS = new GraphSettings(12, 65535, 0);

    private static SuccessorGraph graph(String kind) {
        return kind.equals("packed") ? new PackedGraph(1 << 16, SETTINGS) : new ReferenceGraph(SETTINGS);
    }

    private static PrefetchGroup replay(
            SuccessorGraph graph, int window, int groupSize, Map<Character, String> clients) {
        Predictor predictor = new Predictor(graph, null, WeightScheme.LINEAR, 0, false, false);
        Map<String, ClientHistory> windows = new HashMap<>();
        PrefetchGroup group = new PrefetchGroup(groupSize);
        for (int i = 0; i < SEQUENCE.length(); i++) {
            char file = SEQUENCE.charAt(i);
            ClientHistory history = windows.computeIfAbsent(
                    clients.getOrDefault(file, ""), unused -> new ClientHistory(window, Long.MAX_VALUE));
            predictor.record(history, file, 0, group);
        }
        return group;
    }

    private static String edges(SuccessorGraph graph, char vertex) {
        Successors successors = new Successors(12);
        graph.read(vertex, 0, successors);
        Map<Character, Integer> edges = new TreeMap<>();
        for (int rank = 0; rank < successors.size(); rank++) {
            edges.put((char) successors.file(rank), successors.weight(rank));
        }
        return edges.toString();
    }

    private static String names(PrefetchGroup group) {
        StringBuilder names = new StringBuilder();
        for (int rank = 0; rank < group.size(); rank++) {
            names.append((char) group.file(rank));
        }
        return names.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"packed", "reference"})
    void fig7a_windowOfTwo(String kind) {
        SuccessorGraph graph = graph(kind);
        replay(graph, 2, 1, Map.of());

        assertThat(edges(graph, 'A')).isEqualTo("{B=10, C=18, D=10}");
        assertThat(edges(graph, 'B')).isEqualTo("{A=19, C=10}");
        assertThat(edges(graph, 'C')).isEqualTo("{A=19, B=10, D=9}");
        assertThat(edges(graph, 'D')).isEqualTo("{B=9, C=10}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"packed", "reference"})
    void fig7b_windowOfThree(String kind) {
        SuccessorGraph graph = graph(kind);
        replay(graph, 3, 1, Map.of());

        assertThat(edges(graph, 'A')).isEqualTo("{B=18, C=18, D=10}");
        assertThat(edges(graph, 'B')).isEqualTo("{A=19, C=10, D=8}");
        assertThat(edges(graph, 'C')).isEqualTo("{A=19, B=10, D=9}");
        assertThat(edges(graph, 'D')).isEqualTo("{A=8, B=9, C=10}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"packed", "reference"})
    void table2(String kind) {
        assertThat(names(replay(graph(kind), 2, 1, Map.of()))).isEqualTo("C");
        assertThat(names(replay(graph(kind), 2, 2, Map.of()))).isEqualTo("CD");
        assertThat(names(replay(graph(kind), 3, 1, Map.of()))).isEqualTo("B");
        assertThat(names(replay(graph(kind), 3, 2, Map.of())))
                .containsOnlyOnce("C")
                .containsOnlyOnce("B");
    }

    /** Section 4.5.3: with a window for each client, files of different clients are not each other's successors. */
    @ParameterizedTest
    @ValueSource(strings = {"packed", "reference"})
    void clientOrientedGrouping_keepsClientsApart(String kind) {
        SuccessorGraph graph = graph(kind);
        PrefetchGroup group = replay(graph, 2, 2, Map.of('D', "other"));

        assertThat(edges(graph, 'A')).isEqualTo("{B=19, C=19}");
        assertThat(edges(graph, 'D')).isEqualTo("{}");
        assertThat(names(group)).doesNotContain("D").hasSize(2);
    }

    /** Fig. 11: five edges, E1 > E2 > E5 > E3 > E4, of which one would overflow. */
    @ParameterizedTest
    @ValueSource(strings = {"packed", "reference"})
    void fig11_weightsThatWouldOverflow_becomeRanks(String kind) {
        GraphSettings settings = new GraphSettings(5, 100, 0);
        SuccessorGraph graph =
                kind.equals("packed") ? new PackedGraph(1 << 16, settings) : new ReferenceGraph(settings);
        Successors successors = new Successors(5);
        Map<Integer, Integer> times = Map.of(1, 10, 2, 8, 5, 6, 3, 4, 4, 2);
        times.forEach((edge, count) -> {
            for (int i = 0; i < count; i++) {
                graph.strengthen(0, edge, 10);
            }
        });

        graph.strengthen(0, 1, 1);
        graph.read(0, 0, successors);

        int[] order = {1, 2, 5, 3, 4};
        int[] weights = {5, 3, 2, 1, 0};
        for (int rank = 0; rank < order.length; rank++) {
            assertThat(successors.file(rank)).isEqualTo(order[rank]);
            assertThat(successors.weight(rank)).isEqualTo(weights[rank]);
        }
    }
}

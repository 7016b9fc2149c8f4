/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The successor graph by its definition, for comparison with the packed graph. Holds any number of vertices. */
final class ReferenceGraph implements SuccessorGraph {

    private static final class Edge {
        final long to;
        int weight;
        long changed;

        Edge(long to) {
            this.to = to;
        }
    }

    private static final class Vertex {
        int visits;
        final List<Edge> edges = new ArrayList<>();

        Edge edge(long to) {
            return edges.stream().filter(edge -> edge.to == to).findAny().orElse(null);
        }

        void sort() {
            edges.sort(Comparator.<Edge>comparingInt(edge -> -edge.weight).thenComparingLong(edge -> -edge.changed));
        }
    }

    private final GraphSettings settings;
    private final Map<Long, Vertex> vertices = new HashMap<>();
    private long changes;

    ReferenceGraph(GraphSettings settings) {
        this.settings = settings;
    }

    private Vertex vertex(long id) {
        return vertices.computeIfAbsent(id, unused -> new Vertex());
    }

    @Override
    public void visit(long id, double leastConfidence, Successors successors) {
        Vertex vertex = vertex(id);
        vertex.visits = Math.min(vertex.visits + 1, 65535);
        if (settings.agingVisits() > 0 && vertex.visits >= settings.agingVisits()) {
            vertex.visits /= 2;
            List<Edge> ordered = List.copyOf(vertex.edges);
            for (int i = ordered.size() - 1; i >= 0; i--) {
                // From the weakest on, so that edges of equal weight keep their order.
                ordered.get(i).weight /= 2;
                ordered.get(i).changed = ++changes;
            }
            vertex.edges.removeIf(edge -> edge.weight == 0);
        }
        read(id, leastConfidence, successors);
    }

    @Override
    public void strengthen(long from, long to, int weight) {
        Vertex vertex = vertex(from);
        Edge edge = vertex.edge(to);
        if (edge == null) {
            if (vertex.edges.size() == settings.maxSuccessors()) {
                vertex.edges.remove(vertex.edges.size() - 1);
            }
            edge = new Edge(to);
            vertex.edges.add(edge);
        } else if (edge.weight + weight > settings.maxWeight()) {
            for (int i = 0; i < vertex.edges.size(); i++) {
                vertex.edges.get(i).weight = vertex.edges.size() - 1 - i;
            }
        }
        edge.weight += weight;
        edge.changed = ++changes;
        vertex.sort();
    }

    @Override
    public void learn(long vertex, AccessBatch batch, int index, int reach) {
        if (batch.isNew(index)) {
            visit(vertex, 0, new Successors(settings.maxSuccessors()));
        }
        for (int later = batch.firstAfter(index); later < batch.endAfter(index, reach); later++) {
            if (batch.file(later) != vertex) {
                strengthen(vertex, batch.file(later), batch.weight(index, later));
            }
        }
    }

    @Override
    public void read(long id, double leastConfidence, Successors successors) {
        successors.clear();
        Vertex vertex = vertices.get(id);
        if (vertex != null) {
            successors.visits = vertex.visits;
            double leastWeight = leastConfidence * WeightScheme.FULL * vertex.visits;
            for (Edge edge : vertex.edges) {
                if (edge.weight >= leastWeight) {
                    successors.files[successors.size] = edge.to;
                    successors.weights[successors.size] = edge.weight;
                    successors.size++;
                }
            }
        }
    }
}

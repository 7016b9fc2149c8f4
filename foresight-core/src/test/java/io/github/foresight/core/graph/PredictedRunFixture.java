/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A client of a predictor whose graphs count their reads and changes. */
abstract class PredictedRunFixture {

    static final int FILES = 40;
    static final long ELSEWHERE = 1000;
    static final int IDLE_NANOS = 5;
    static final GraphSettings SETTINGS = new GraphSettings(12, 65535, 0);

    /** Counts the reads and changes of vertices. */
    static final class CountingGraph implements SuccessorGraph {
        private final SuccessorGraph graph = new PackedGraph(1 << 18, SETTINGS);
        int reads;
        int changes;

        @Override
        public void visit(long vertex, double leastConfidence, Successors successors) {
            changes++;
            graph.visit(vertex, leastConfidence, successors);
        }

        @Override
        public void strengthen(long from, long to, int weight) {
            changes++;
            graph.strengthen(from, to, weight);
        }

        @Override
        public void learn(long vertex, AccessBatch batch, int index, int reach) {
            changes++;
            graph.learn(vertex, batch, index, reach);
        }

        @Override
        public void read(long vertex, double leastConfidence, Successors successors) {
            reads++;
            graph.read(vertex, leastConfidence, successors);
        }
    }

    final CountingGraph files = new CountingGraph();
    final CountingGraph pairs = new CountingGraph();
    final Predictor predictor = new Predictor(files, pairs, WeightScheme.EXPONENTIAL, 0.05, true, true);
    final ClientHistory client = new ClientHistory(2, IDLE_NANOS);
    final PrefetchGroup group = new PrefetchGroup(6);

    static ClientHistory newClient() {
        return new ClientHistory(2, IDLE_NANOS);
    }

    /**
     * Lets another client access 1, 2, 3, ... a number of times without predictions, so that it has no predicted run.
     */
    void learnOrder(int times) {
        ClientHistory other = newClient();
        for (int access = 0; access < times * FILES; access++) {
            predictor.record(other, access % FILES + 1L, 0);
        }
    }

    List<Long> open(long file, long nanos) {
        return open(file, nanos, group);
    }

    List<Long> open(long file, long nanos, PrefetchGroup group) {
        predictor.record(client, file, nanos, group);
        List<Long> predicted = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            predicted.add(group.file(rank));
        }
        return predicted;
    }

    void openInTurn(long first, long last) {
        for (long file = first; file <= last; file++) {
            open(file, 0);
        }
    }

    void forgetCounts() {
        files.reads = 0;
        files.changes = 0;
        pairs.reads = 0;
        pairs.changes = 0;
    }

    /** Lets other clients access 1 to 40, 101 to 140, ... twice. */
    void learnOrders(int orders) {
        for (int order = 0; order < orders; order++) {
            learn(2, LongStream.rangeClosed(100L * order + 1, 100L * order + 40).toArray());
        }
    }

    static List<Long> following(long file) {
        return LongStream.rangeClosed(file + 1, file + 6).boxed().toList();
    }

    void learn(int times, long... order) {
        for (int time = 0; time < times; time++) {
            ClientHistory other = newClient();
            for (long file : order) {
                predictor.record(other, file, 0);
            }
        }
    }
}

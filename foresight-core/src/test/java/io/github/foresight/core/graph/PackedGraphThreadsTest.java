/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The packed graph with threads that meet at a vertex or a bucket. */
class PackedGraphThreadsTest {

    private static final int THREADS = 4;
    private static final GraphSettings SETTINGS = new GraphSettings(8, 65535, 0);

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private void runTogether(List<Runnable> tasks) throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        tasks.forEach(task -> running.add(executor.submit(task)));
        for (Future<?> task : running) {
            task.get();
        }
    }

    @Test
    void changesOfOneVertex_areAllKept() throws Exception {
        PackedGraph graph = new PackedGraph(1 << 20, SETTINGS);
        int times = 5000;
        Runnable writer = () -> {
            Successors own = new Successors(8);
            for (int time = 0; time < times; time++) {
                graph.visit(time % 3, 0, own);
                if (time % 4 == 0) {
                    graph.strengthen(time % 3, 50, 1);
                }
            }
        };

        runTogether(List.of(writer, writer, writer, writer));

        Successors successors = new Successors(8);
        int visits = 0;
        int weight = 0;
        for (int file = 0; file < 3; file++) {
            graph.read(file, 0, successors);
            visits += successors.visits();
            weight += successors.weight(0);
        }
        assertThat(visits).isEqualTo(THREADS * times);
        assertThat(weight).isEqualTo(THREADS * times / 4);
    }

    @Test
    void vertexThatSeveralMakeAtOnce_isMadeOnce() throws Exception {
        PackedGraph graph = new PackedGraph(1 << 26, SETTINGS);
        int vertices = 20_000;
        Runnable writer = () -> {
            for (int vertex = 0; vertex < vertices; vertex++) {
                graph.strengthen(vertex, 1, 1);
            }
        };

        runTogether(List.of(writer, writer, writer, writer));

        assertThat(graph.evictions()).isZero();
        assertThat(graph.vertices()).isEqualTo(vertices);
    }

    /**
     * Two successors overtake each other at each step. The weight of one is a multiple of seven, the weight of the
     * other is a multiple plus one.
     */
    @Test
    void reader_neverSeesHalfAChange() throws Exception {
        PackedGraph graph = new PackedGraph(1 << 20, SETTINGS);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong reads = new AtomicLong();
        Runnable writer = () -> {
            for (int vertex = 0; vertex < 200; vertex++) {
                graph.strengthen(vertex, 71, 1);
                for (int step = 0; step < 4000; step++) {
                    graph.strengthen(vertex, 70, 7);
                    graph.strengthen(vertex, 71, 7);
                }
            }
            isOver.set(true);
        };
        Runnable reader = () -> {
            Successors successors = new Successors(8);
            for (int vertex = 0; !isOver.get(); vertex = graph.vertices() > vertex + 1 ? vertex + 1 : vertex) {
                for (int time = 0; time < 1000; time++) {
                    graph.read(vertex, 0, successors);
                    for (int rank = 0; rank < successors.size(); rank++) {
                        assertThat(successors.weight(rank) % 7).isEqualTo((int) successors.file(rank) - 70);
                    }
                    assertThat(successors.size() < 2 || successors.file(0) != successors.file(1))
                            .isTrue();
                    reads.incrementAndGet();
                }
            }
        };

        runTogether(List.of(writer, reader, reader));

        assertThat(reads).hasPositiveValue();
    }

    /** All vertices share a bucket and evict one another all the time; each leads only to itself. */
    @Test
    void readerOfAnEvictedVertex_neverSeesAnothersSuccessors() throws Exception {
        PackedGraph oneBucket = new PackedGraph(1, SETTINGS);
        AtomicLong found = new AtomicLong();
        List<Runnable> tasks = new ArrayList<>();
        IntStream.range(0, THREADS)
                .forEach(first -> tasks.add(() -> {
                    Successors successors = new Successors(8);
                    for (int step = first; step < 400_000; step++) {
                        long vertex = 1L + step % 11;
                        if (step % 3 == 0) {
                            oneBucket.strengthen(vertex, vertex, 1);
                        } else {
                            oneBucket.read(vertex, 0, successors);
                            for (int rank = 0; rank < successors.size(); rank++) {
                                assertThat(successors.file(rank)).isEqualTo(vertex);
                                found.incrementAndGet();
                            }
                        }
                    }
                }));

        runTogether(tasks);

        assertThat(found).hasPositiveValue();
        assertThat(oneBucket.evictions()).isPositive();
        assertThat(oneBucket.vertices()).isEqualTo(7);
    }

    @Test
    void graphThatIsCopiedAndClearedMeanwhile_countsItsVerticesRightly() throws Exception {
        PackedGraph graph = new PackedGraph(1 << 16, SETTINGS);
        AtomicBoolean isOver = new AtomicBoolean();
        Runnable writer = () -> {
            for (int step = 0; step < 300_000; step++) {
                long vertex = 1L + step % 1000;
                graph.strengthen(vertex, vertex, 1);
            }
            isOver.set(true);
        };
        Runnable copier = () -> {
            while (!isOver.get()) {
                copy(graph);
                graph.clear();
            }
        };

        runTogether(List.of(writer, copier, copier));

        AtomicLong left = new AtomicLong();
        copyTo(graph, (vertex, successors) -> left.incrementAndGet());
        assertThat(graph.vertices()).isEqualTo(left.get());
    }

    private static void copy(PackedGraph graph) {
        copyTo(graph, (vertex, successors) -> {
            assertThat(successors.size()).isLessThanOrEqualTo(1);
            if (successors.size() == 1) {
                assertThat(successors.file(0)).isEqualTo(vertex);
            }
        });
    }

    private static void copyTo(PackedGraph graph, PackedGraph.VertexSink sink) {
        try {
            graph.copyTo(sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

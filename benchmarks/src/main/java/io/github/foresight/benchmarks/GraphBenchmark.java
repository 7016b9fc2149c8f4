/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import io.github.foresight.core.graph.ClientHistory;
import io.github.foresight.core.graph.GraphSettings;
import io.github.foresight.core.graph.PackedGraph;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.SuccessorGraph;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.core.graph.WeightScheme;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * Measures the cost of one open for the NameNode: the graph records the access and predicts the group after it.
 *
 * <p>Clients open files in an order that repeats. One open in ten is of a random file instead. Each thread is a client of its own, at another
 * place in the same order; all threads share the graph.
 *
 * <p>This class uses Java 8's API only, so that it can be compiled for Java 8 as well.
 */
@BenchmarkMode({Mode.SampleTime, Mode.Throughput})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class GraphBenchmark {

    private static final int MAX_WEIGHT = 65535;
    private static final int AGING_VISITS = 255;
    private static final int SUCCESSORS = 12;
    private static final int SUCCESSORS_OF_PAIR = 4;
    private static final int WINDOW = 2;
    private static final int TOGETHER = 32;
    private static final int REPORTED = 12;
    private static final int GROUP_OF_PAPER = 2;
    private static final int GROUP_AS_SHIPPED = 32;
    private static final double USEFUL = 0.25;
    private static final int PROBE_INTERVAL = 6;
    private static final int MEMORY = 1500;
    private static final double THRESHOLD = 0.05;
    private static final int ONE_ELSEWHERE_IN = 10;

    /** The graphs, with every order seen before. */
    @State(Scope.Benchmark)
    public static class Graphs {

        /** The number of files; a megabyte of graph holds seven thousand. */
        @Param({"10000", "1000000"})
        public int files = 0;

        /** The paper's graph with groups of two, or the shipped graph with its additions and the NameNode's largest group. */
        @Param({"paper", "shipped"})
        public String form = "";

        /** {@code shared}: threads share a graph, as in a NameNode; {@code own}: the most that could be gained on this machine. */
        @Param("shared")
        public String graphs = "";

        private final AtomicInteger clients = new AtomicInteger();
        SuccessorGraph ofFiles = new PackedGraph(1, new GraphSettings(1, MAX_WEIGHT, 0));
        SuccessorGraph ofPairs = ofFiles;

        private Graphs ofThread() {
            if (graphs.equals("shared")) {
                return this;
            }
            Graphs own = new Graphs();
            own.files = files;
            own.form = form;
            own.learn();
            return own;
        }

        /** Opens all files twice, as one client. */
        @Setup
        public void learn() {
            ofFiles = graph(SUCCESSORS, files);
            ofPairs = graph(SUCCESSORS_OF_PAIR, 4 * files);
            Client client = new Client();
            client.begin(this, 0);
            for (int open = 0; open < 2 * files; open++) {
                client.open();
            }
        }

        private static SuccessorGraph graph(int successors, int vertices) {
            GraphSettings settings = new GraphSettings(successors, MAX_WEIGHT, AGING_VISITS);
            double bytes = new PackedGraph(1, settings).bytesPerVertex();
            return new PackedGraph(Math.round(1.5 * vertices * bytes), settings);
        }
    }

    /** The history of one client and its place in the order. */
    @State(Scope.Thread)
    public static class Client {
        private final ClientHistory history = new ClientHistory(WINDOW, Long.MAX_VALUE);
        private final Usefulness usefulness = new Usefulness(USEFUL, PROBE_INTERVAL, MEMORY);
        private PrefetchGroup group = new PrefetchGroup(1);
        private SplittableRandom random = new SplittableRandom(0);
        private final long[] together = new long[TOGETHER];
        private final long[] nanos = new long[TOGETHER];
        private int[] order = {};
        private int next;
        private Predictor predictor = new Predictor(
                new PackedGraph(1, new GraphSettings(1, MAX_WEIGHT, 0)), null, WeightScheme.LINEAR, 0, false, false);

        @Setup
        public void start(Graphs graphs) {
            begin(graphs.ofThread(), graphs.clients.incrementAndGet());
        }

        private void begin(Graphs graphs, long seed) {
            random = new SplittableRandom(seed);
            boolean shipped = graphs.form.equals("shipped");
            group = new PrefetchGroup(shipped ? GROUP_AS_SHIPPED : GROUP_OF_PAPER);
            predictor = new Predictor(
                    graphs.ofFiles,
                    shipped ? graphs.ofPairs : null,
                    shipped ? WeightScheme.EXPONENTIAL : WeightScheme.LINEAR,
                    THRESHOLD,
                    shipped,
                    shipped);
            order = new Random(2).ints(graphs.files, 0, graphs.files).toArray();
            next = random.nextInt(order.length);
        }

        PrefetchGroup open() {
            predictor.record(history, nextFile(), 0, usefulness, group);
            return group;
        }

        ClientHistory openUnpredicted() {
            predictor.record(history, nextFile(), 0);
            return history;
        }

        ClientHistory openTogether(int count) {
            for (int i = 0; i < count; i++) {
                together[i] = nextFile();
            }
            predictor.record(history, together, nanos, count);
            return history;
        }

        private long nextFile() {
            next = next + 1 == order.length ? 0 : next + 1;
            return (random.nextInt(ONE_ELSEWHERE_IN) == 0 ? random.nextInt(order.length) : order[next]) + 1L;
        }
    }

    /** Records an open without prediction: of a client that wants none, or an open that a client reports later. */
    @Benchmark
    public ClientHistory record(Client client, Graphs graphs) {
        return client.openUnpredicted();
    }

    /** Records opens that a client reports together; the figure is of one open. */
    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public ClientHistory recordTogether(Client client, Graphs graphs) {
        return client.openTogether(TOGETHER);
    }

    /** Records an open, and predicts. */
    @Benchmark
    public PrefetchGroup recordAndPredict(Client client, Graphs graphs) {
        return client.open();
    }

    /**
     * Records twelve reported opens with an open that predicts; the figure is of one open. {@code bench metadata} has this share of opens that
     * reach the NameNode, for orders seen before.
     */
    @Benchmark
    @OperationsPerInvocation(REPORTED + 1)
    public PrefetchGroup reportAndPredict(Client client, Graphs graphs) {
        client.openTogether(REPORTED);
        return client.open();
    }

    /** A cache line that two threads change in turn. */
    @State(Scope.Group)
    public static class Line {
        private final AtomicInteger turn = new AtomicInteger();

        int hand(int from, int to, Control control) {
            boolean handed = false;
            while (!control.stopMeasurement && !handed) {
                handed = turn.compareAndSet(from, to);
            }
            return to;
        }
    }

    /**
     * Hands a cache line to another processor: the least cost of anything that threads share. On virtual processors it may take four times
     * as long in one minute as in another.
     */
    @Benchmark
    @Group("handOver")
    public int handThere(Line line, Control control) {
        return line.hand(0, 1, control);
    }

    /** Hands the cache line back. */
    @Benchmark
    @Group("handOver")
    public int handBack(Line line, Control control) {
        return line.hand(1, 0, control);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import io.github.foresight.core.balance.BalanceSettings;
import io.github.foresight.core.balance.FileReplicas;
import io.github.foresight.core.balance.NodeLoads;
import io.github.foresight.core.balance.ReplicaOrder;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of the replica order for the NameNode, for a file of 16 blocks. Stock HDFS shuffles DataNodes that are equally near; the
 * shuffle is measured beside it.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ReplicaOrderBenchmark {

    private static final int BLOCKS = 16;
    private static final int FILES = 4096;
    private static final long BLOCK_BYTES = 128L << 20;
    private static final int NEAR = 2;

    /** A cluster of DataNodes named as HDFS names them, and loads that all threads share. */
    @State(Scope.Benchmark)
    public static class Cluster {

        @Param({"12", "1000"})
        public int dataNodes = 0;

        @Param("3")
        public int replication = 0;

        /** The number of blocks in a row that start at different DataNodes. */
        @Param({"2", "3", "4"})
        public int distinctBlocks = 0;

        /** The most blocks of a request that are spread evenly. */
        @Param({"0", "32"})
        public int evenBlocks = 0;

        private final AtomicInteger clients = new AtomicInteger();
        private String[] uuids = {};
        private NodeLoads<String> loads =
                new NodeLoads<>(BalanceSettings.builder().build());
        private ReplicaOrder<String> order =
                new ReplicaOrder<>(loads, BalanceSettings.builder().build());

        @Setup
        public void start() {
            BalanceSettings settings = BalanceSettings.builder()
                    .distinctBlocks(distinctBlocks)
                    .evenBlocks(evenBlocks)
                    .build();
            loads = new NodeLoads<>(settings);
            order = new ReplicaOrder<>(loads, settings);
            Random random = new Random(1);
            uuids = new String[dataNodes];
            long now = System.nanoTime();
            for (int i = 0; i < dataNodes; i++) {
                uuids[i] = new UUID(random.nextLong(), random.nextLong()).toString();
                loads.heartbeat(uuids[i], random.nextInt(20), now);
            }
            loads.sweep(now);
        }

        private int[] place(Random random) {
            return random.ints(0, dataNodes).distinct().limit(replication).toArray();
        }
    }

    /** An RPC handler thread, and the files that its clients open. */
    @State(Scope.Thread)
    public static class Handler {
        private final int[][] placements = new int[FILES * BLOCKS][];
        private FileReplicas<String> replicas = new FileReplicas<>();
        private Random random = new Random(0);
        private int next;

        @Setup
        public void start(Cluster cluster) {
            random = new Random(cluster.clients.incrementAndGet());
            replicas = new FileReplicas<>();
            for (int i = 0; i < placements.length; i++) {
                placements[i] = cluster.place(random);
            }
        }

        private int nextFile() {
            next = (next + 1) % FILES;
            return next * BLOCKS;
        }
    }

    /** Orders the replicas of all blocks of a file, all equally near; includes filling and reading the request. */
    @Benchmark
    public int arrange(Handler handler, Cluster cluster) {
        int file = handler.nextFile();
        FileReplicas<String> replicas = handler.replicas;
        replicas.begin(file, 0);
        for (int block = 0; block < BLOCKS; block++) {
            replicas.block(file + block, BLOCK_BYTES);
            for (int node : handler.placements[file + block]) {
                replicas.replica(cluster.uuids[node], NEAR);
            }
        }
        cluster.order.arrange(replicas, System.nanoTime());
        int read = 0;
        for (int block = 0; block < BLOCKS; block++) {
            for (int place = 0; place < cluster.replication; place++) {
                read = 31 * read + replicas.at(block, place);
            }
        }
        return read;
    }

    /** Shuffles the replicas of each block of the same file, as stock HDFS does. */
    @Benchmark
    public int shuffle(Handler handler, Cluster cluster) {
        int file = handler.nextFile();
        int read = 0;
        for (int block = 0; block < BLOCKS; block++) {
            int[] nodes = handler.placements[file + block];
            for (int place = nodes.length - 1; place > 0; place--) {
                int other = handler.random.nextInt(place + 1);
                int node = nodes[place];
                nodes[place] = nodes[other];
                nodes[other] = node;
            }
            for (int node : nodes) {
                read = 31 * read + node;
            }
        }
        return read;
    }
}

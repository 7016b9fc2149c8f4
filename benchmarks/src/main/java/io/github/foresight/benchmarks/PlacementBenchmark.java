/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import io.github.foresight.placement.NewFilesPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BenchmarkNodes;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;
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
 * Measures the time in which HDFS's own placement policy and the orthogonal one choose the DataNodes of a new block. Each block is the
 * first of a new file, which no policy remembers. The look-up in the namesystem, once a file, is not included.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class PlacementBenchmark {

    private static final int FILES = 4096;
    private static final int NODES_PER_RACK_MAX = 100;
    private static final int RACKS_LEAST = 10;
    private static final long BLOCK_BYTES = 128L << 20;
    private static final BlockStoragePolicy HOT =
            BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();

    /** A cluster and the requests to its policy. */
    @State(Scope.Thread)
    public static class Cluster {

        @Param({"100", "5000"})
        public int dataNodes = 0;

        @Param({"none", "half"})
        public String full = "";

        @Param({"2", "3"})
        public int replication = 0;

        @Param({"stock", "orthogonal"})
        public String policy = "";

        @Param({"none", "datanode"})
        public String writer = "";

        private @Nullable BlockPlacementPolicy chosen;
        private final String[] paths = new String[FILES];
        private final List<DatanodeDescriptor> writers = new ArrayList<>();
        private int next;

        @Setup
        public void setUp() {
            BenchmarkNodes nodes = new BenchmarkNodes(dataNodes, Math.max(RACKS_LEAST, dataNodes / NODES_PER_RACK_MAX));
            if (full.equals("half")) {
                nodes.fillHalf();
            }
            chosen = policy.equals("stock") ? nodes.stock() : nodes.ready(NewFilesPolicy.create());
            Random random = new Random(7);
            for (int i = 0; i < FILES; i++) {
                paths[i] = "/warehouse/events.db/day=" + i / 24 + "/hour=" + i % 24 + "/part-" + i;
                writers.add(nodes.nodes().get(random.nextInt(dataNodes)));
            }
        }

        BlockPlacementPolicy chosen() {
            if (chosen == null) {
                throw new IllegalStateException("not set up");
            }
            return chosen;
        }

        int next() {
            next = (next + 1) % FILES;
            return next;
        }

        @Nullable
        Node writer(int file) {
            return writer.equals("none") ? null : writers.get(file);
        }
    }

    /** The refresh of the policy's DataNodes, which runs outside of the RPC handlers. */
    @State(Scope.Thread)
    public static class Reading {

        @Param({"100", "5000"})
        public int dataNodes = 0;

        private Runnable refresh = () -> {};

        @Setup
        public void setUp() {
            refresh = NewFilesPolicy.refresh(
                    new BenchmarkNodes(dataNodes, Math.max(RACKS_LEAST, dataNodes / NODES_PER_RACK_MAX)).topology());
        }
    }

    @Benchmark
    public void refresh(Reading reading) {
        reading.refresh.run();
    }

    @Benchmark
    public DatanodeStorageInfo[] chooseTarget(Cluster cluster) {
        int file = cluster.next();
        return cluster.chosen()
                .chooseTarget(
                        cluster.paths[file],
                        cluster.replication,
                        cluster.writer(file),
                        new ArrayList<>(),
                        false,
                        new HashSet<>(),
                        BLOCK_BYTES,
                        HOT,
                        EnumSet.noneOf(AddBlockFlag.class));
    }
}

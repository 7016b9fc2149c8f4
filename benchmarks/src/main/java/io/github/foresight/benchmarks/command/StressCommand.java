/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.TIMES_AS_FAST;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.StressWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Readers of cold files that come at a rate, whether or not those before them are done, and one in four of which stops early.
 *
 * <p>One cluster, with files as HDFS places them; each DataNode has a disk of limited speed. Each round measures all sides with the same
 * readers, one side after the other. The NameNode and the DataNodes start anew with the side's installation. One client reads
 * {@value #WARM_UP_FILES} small files from memory {@value #WARM_UP_PASSES} times, so that all JVMs have compiled their code. Then it does a
 * pass for each rate, with files of its own. The page cache is emptied before each pass.
 */
@Command(
        name = "stress",
        description = "Readers of cold files that come at a rate, and the slowest of them.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class StressCommand extends SidesBenchmark {

    static final Column MEDIAN = new Column(
            "p50",
            "ms",
            0,
            TIMES_AS_FAST,
            "median time from the moment when a reader should have come to its last byte");
    static final Column P95 = new Column("p95", "ms", 0, TIMES_AS_FAST, "95th percentile of these times");
    static final Column P99 = new Column("p99", "ms", 0, TIMES_AS_FAST, "99th percentile of these times");
    static final Column FIRST =
            new Column("first p95", "ms", 0, TIMES_AS_FAST, "95th percentile of the times to a reader's first MiB");
    static final Column FROM_DISK = new Column(
            "from disk", "of bytes", 2, NONE, "bytes that all DataNodes read from their disks, for each byte read");

    /** The least median speed, as a multiple of stock's. */
    private static final double TARGET = 1.0;

    private static final String FOLDER = "/stress";
    private static final String WARM_UP_FOLDER = "/warm-up";
    private static final int WARM_UP_FILES = 100;
    private static final int WARM_UP_PASSES = 8;
    private static final long WARM_UP_BYTES = 1 << 20;
    private static final int WARM_UP_RATE = 60;
    private static final long MIB = 1 << 20;

    /** Clients of stock HDFS that are measured as well. */
    enum Contender {
        HEDGED("stock HDFS, hedged reads"),
        BLOCKS_AT_ONCE("stock HDFS, client fetches 4 blocks at once");

        private final String side;

        Contender(String side) {
            this.side = side;
        }
    }

    @Option(
            names = "--size",
            defaultValue = "32m",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file, whole MiB (${DEFAULT-VALUE}).")
    @AtLeast(MIB)
    private long size;

    @Option(
            names = "--arrivals",
            split = ",",
            defaultValue = "2,4,8",
            description = "Readers a second on the average, each rate with a pass of its own (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private List<Integer> rates = List.of();

    @Option(names = "--time", defaultValue = "10", description = "Seconds in which readers come (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int seconds;

    @Option(names = "--readers", defaultValue = "64", description = "The most readers at once (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int readers;

    @Option(
            names = "--also",
            split = ",",
            description = "Clients of stock HDFS that are measured as well: ${COMPLETION-CANDIDATES}.")
    private Set<Contender> also = EnumSet.noneOf(Contender.class);

    @Option(
            names = "--hedged",
            defaultValue = "20",
            description = "Milliseconds after which HEDGED asks a second DataNode (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int hedgedMillis;

    public StressCommand() {
        super(120);
    }

    @Override
    public List<Column> columns() {
        return List.of(MEDIAN, P95, P99, FIRST, FROM_DISK);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().requireMultiple("--size", size, MIB);
        return withTarget(inTurn("foresight-stress", conditions -> conditions
                .verified("The first and the last bytes of each MiB were as written.")
                .saying("Files of " + (size >> 20) + " MiB " + placed().describe()
                        + "; one reader in four stops after a quarter; all readers are in one JVM.")));
    }

    @Override
    List<Side> sides(Release release) throws IOException {
        List<Side> sides = new ArrayList<>(List.of(Side.stock()));
        if (also.contains(Contender.HEDGED)) {
            // Threads for two DataNodes for each reader.
            sides.add(Side.stock(
                    Contender.HEDGED.side,
                    Installation.STOCK
                            .with("dfs.client.hedged.read.threshold.millis", String.valueOf(hedgedMillis))
                            .with("dfs.client.hedged.read.threadpool.size", String.valueOf(2 * readers))));
        }
        if (also.contains(Contender.BLOCKS_AT_ONCE)) {
            sides.add(Side.blockPrefetch(Contender.BLOCKS_AT_ONCE.side, 4, placed().blockSize()));
        }
        sides.add(Side.foresight(release));
        return sides;
    }

    @Override
    Side.Turn begin(Stage stage) throws IOException {
        Passes passes = new Passes(stage.on(), stage.release(), stage.throttle());
        passes.write();
        return passes::run;
    }

    static BenchReport withTarget(BenchReport report) {
        return report.target(
                "half of the readers are done at least as early as on stock HDFS",
                TARGET,
                result -> result.side().equals(Baseline.FORESIGHT),
                result -> result.ratio(MEDIAN) >= TARGET);
    }

    private Workload workload(int rate) {
        return Workload.of(rate + " readers a second");
    }

    private static String folder(int rate) {
        return FOLDER + "/rate-" + rate;
    }

    /** The files of a pass, of which each reader takes another; more than readers come, in nearly all passes. */
    private int files(int rate) {
        int expected = rate * seconds;
        return expected + (int) (3 * Math.sqrt(expected)) + 1;
    }

    /** The passes on one cluster. */
    private final class Passes {
        private final ProcessCluster on;
        private final Release release;
        private final DiskThrottle throttle;

        Passes(ProcessCluster on, Release release, DiskThrottle throttle) {
            this.on = on;
            this.release = release;
            this.throttle = throttle;
        }

        private ClientProcess launch(Side side) throws IOException {
            return side.launch(on, release.toolsJar(), StressWorkload.class, readers);
        }

        void write() throws IOException {
            ClientProcess client = launch(Side.stock());
            try {
                for (int rate : rates) {
                    client.send("write " + folder(rate) + " " + files(rate) + " " + size);
                    client.awaitLine("DONE", "writing files");
                }
                client.send("write " + WARM_UP_FOLDER + " " + WARM_UP_FILES + " " + WARM_UP_BYTES);
                client.awaitLine("DONE", "writing files");
            } finally {
                client.destroy();
            }
        }

        private String[] read(ClientProcess client, String folder, int count, long bytes, int rate, int time, int seed)
                throws IOException {
            client.send("read " + folder + " " + count + " " + bytes + " " + rate + " " + time + " " + seed);
            return client.awaitLine("DONE", "readers").split(" ", -1);
        }

        /** All passes of one side. */
        List<Measurement> run(Side side, int round) throws IOException, InterruptedException {
            side.install(on);
            List<Measurement> measured = new ArrayList<>();
            ClientProcess client = launch(side);
            try {
                for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
                    read(client, WARM_UP_FOLDER, WARM_UP_FILES, WARM_UP_BYTES, WARM_UP_RATE, WARM_UP_FILES, pass);
                }
                for (int rate : rates) {
                    measured.add(run(client, side.name(), rate, round));
                }
                return measured;
            } finally {
                client.destroy();
            }
        }

        private Measurement run(ClientProcess client, String side, int rate, int round)
                throws IOException, InterruptedException {
            PageCache.drop();
            long before = DiskLimits.reads(throttle, placed().dataNodes()).bytes();
            String[] words = read(client, folder(rate), files(rate), size, rate, seconds, round);
            double bytes = Long.parseLong(words[2]);
            Measurement pass = Measurement.of(workload(rate), side, 1, round)
                    .with(MEDIAN, Double.parseDouble(words[3]))
                    .with(P95, Double.parseDouble(words[4]))
                    .with(P99, Double.parseDouble(words[5]))
                    .with(FIRST, Double.parseDouble(words[6]));
            long read = DiskLimits.reads(throttle, placed().dataNodes()).bytes() - before;
            System.out.printf(
                    Locale.ROOT,
                    "Round %d of %d, %s, %s: %s readers, p50 %s ms, p99 %s ms%n",
                    round,
                    rounds(),
                    workload(rate).words(),
                    side,
                    words[1],
                    words[3],
                    words[5]);
            return throttle.unavailableReason() == null ? pass.with(FROM_DISK, read / bytes) : pass;
        }
    }
}

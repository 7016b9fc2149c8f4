/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;
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
import io.github.foresight.benchmarks.workload.SysbenchRequests.Mode;
import io.github.foresight.benchmarks.workload.SysbenchWorkload;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The reads of {@code sysbench fileio}, the tool of SSPF's evaluation (section IV, Tables III and IV), done in one JVM through HDFS's client:
 * sequential and random, with several numbers of threads.
 *
 * <p>One cluster, with files as HDFS places them, a set for each number of threads; each DataNode has a disk of limited speed. Each round
 * measures all sides one after the other. The NameNode and the DataNodes start anew with the side's installation. One client then reads a
 * file with blocks on every DataNode from memory for a while, so that all JVMs have compiled their code, and does all
 * passes: random before sequential, so that no pass finds prefetched blocks of an earlier pass. The page cache is emptied before each.
 */
@Command(
        name = "sysbench",
        description = "The reads of 'sysbench fileio', cold, with several numbers of threads.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SysbenchCommand extends SidesBenchmark {

    static final Column THROUGHPUT = new Column("throughput", "MiB/s", 2, OF_STOCK, "bytes of all requests per second");
    static final Column LATENCY = new Column(
            "latency", "ms", 2, TIMES_AS_FAST, "95th percentile of the milliseconds from a request to its last byte");
    static final Column FROM_DISK = new Column(
            "from disk",
            "of bytes",
            2,
            NONE,
            "bytes that all DataNodes read from their disks, for each byte requested");

    /** The side whose client asks a second DataNode where the first is slow. */
    static final String HEDGED = "stock HDFS, hedged reads";

    /** The least throughput, as a multiple of stock's. */
    private static final double TARGET = 1.0;

    private static final String FOLDER = "/sysbench";
    private static final String WARM_UP_FOLDER = "/warm-up";
    private static final long WARM_UP_BLOCK = 1 << 20;
    private static final long WARM_UP_BLOCKS = 64;
    private static final int WARM_UP_THREADS = 2;

    /** The order of the passes. */
    private static final List<Mode> ORDER = List.of(Mode.RNDRD, Mode.SEQRD);

    /** The mount's class, which cannot be loaded here: FUSE is on its own class path only. */
    private static final String MOUNT = SysbenchWorkload.class.getPackageName() + ".HdfsMount";

    private static final double MIB = 1 << 20;

    @Option(
            names = "--file-test-mode",
            split = ",",
            defaultValue = "rndrd,seqrd",
            description = "Which tests of sysbench: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private Set<Mode> modes = Set.of();

    @Option(
            names = "--file-total-size",
            defaultValue = "1g",
            converter = ClusterOptions.Size.class,
            description = "Bytes of all files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long totalSize;

    @Option(names = "--file-num", defaultValue = "1", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--file-block-size",
            defaultValue = "16k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of a request (${DEFAULT-VALUE}).")
    @AtLeast(Long.BYTES)
    private long request;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2,4,8",
            description = "Numbers of threads, each with a pass of its own (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private List<Integer> threads = List.of();

    @Option(
            names = "--time",
            defaultValue = "10",
            description = "Seconds of a pass; seqrd ends earlier at the end of the last file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "20",
            description =
                    "Seconds of each test from memory before the passes, in which all JVMs compile their code (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int warmUpSeconds;

    @Option(
            names = "--hedged",
            defaultValue = "0",
            description =
                    "Measure stock HDFS with hedged reads as well: after so many milliseconds a second DataNode is asked; 0: not measured"
                            + " (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int hedgedMillis;

    @Option(
            names = "--mounted",
            description = "Run sysbench itself, on HDFS mounted by FUSE; needs root, /dev/fuse, libfuse2 and sysbench.")
    private boolean mounted;

    public SysbenchCommand() {
        super(120);
    }

    @Override
    public List<Column> columns() {
        return List.of(THROUGHPUT, LATENCY, FROM_DISK);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().requireMultiple("--file-block-size", request, Long.BYTES);
        cluster().require("--file-total-size", totalSize, files * request);
        return withTarget(inTurn("foresight-sysbench", conditions -> (mounted
                        ? conditions.saying("sysbench itself reads a mount of HDFS by FUSE; it compares no bytes.")
                        : conditions.verified("The first and the last bytes of each request were as written."))
                .saying("Files " + placed().describe() + "; requests of " + request
                        + " bytes by position; all threads share one stream a file.")));
    }

    @Override
    List<Side> sides(Release release) throws IOException {
        List<Side> sides = new ArrayList<>(List.of(Side.stock(), Side.foresight(release)));
        if (hedgedMillis > 0) {
            sides.add(1, Side.stock(HEDGED, hedged()));
        }
        return sides;
    }

    /** With threads for two DataNodes for each reader. */
    private Installation hedged() {
        return Installation.STOCK
                .with("dfs.client.hedged.read.threshold.millis", String.valueOf(hedgedMillis))
                .with("dfs.client.hedged.read.threadpool.size", String.valueOf(2 * Collections.max(threads)));
    }

    @Override
    Side.Turn begin(Stage stage) throws IOException {
        Passes passes = new Passes(stage.on(), stage.release(), stage.throttle());
        passes.write();
        return passes::run;
    }

    static BenchReport withTarget(BenchReport report) {
        return report.target(
                "throughput is at least stock's",
                TARGET,
                result -> result.side().equals(Baseline.FORESIGHT),
                result -> result.ratio(THROUGHPUT) >= TARGET);
    }

    private Workload workload(Mode mode, int count) {
        return Workload.of(mode.name().toLowerCase(Locale.ROOT) + ", " + files + (files == 1 ? " file" : " files")
                + ", " + (totalSize >> 20) + " MiB, " + count + (count == 1 ? " thread" : " threads"));
    }

    /** The bytes of each file of the warm-up, at least those of a request. */
    private long warmUpBytes() {
        return Math.max(request, WARM_UP_BLOCKS * WARM_UP_BLOCK / files);
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

        private SysbenchInProcess inProcess(Side side) throws IOException {
            return new SysbenchInProcess(side.launch(on, release.toolsJar(), SysbenchWorkload.class, files, request));
        }

        private SysbenchClient launch(Side side) throws IOException {
            if (!mounted) {
                return inProcess(side);
            }
            Path folder = Files.createDirectories(on.workDir().resolve("mount"));
            List<Path> jars = new ArrayList<>(cluster().applicationJars());
            jars.add(release.toolsJar());
            return new SysbenchOnMount(side.launch(on, jars, MOUNT, folder), folder, files, request);
        }

        void write() throws IOException {
            try (SysbenchInProcess client = inProcess(Side.stock())) {
                for (int count : threads) {
                    client.write(folder(count), totalSize / files, placed().blockSize());
                }
                client.write(WARM_UP_FOLDER, warmUpBytes(), WARM_UP_BLOCK);
            }
        }

        private String folder(int count) {
            return FOLDER + "/threads-" + count;
        }

        /** All passes of one side. */
        List<Measurement> run(Side side, int round) throws IOException, InterruptedException {
            side.install(on);
            List<Measurement> measured = new ArrayList<>();
            try (SysbenchClient client = launch(side)) {
                for (Mode mode : ORDER) {
                    client.read(WARM_UP_FOLDER, warmUpBytes(), mode, WARM_UP_THREADS, warmUpSeconds, 0);
                }
                for (Mode mode : ORDER) {
                    for (int count : modes.contains(mode) ? threads : List.<Integer>of()) {
                        measured.add(run(client, side.name(), mode, count, round));
                    }
                }
                return measured;
            }
        }

        private Measurement run(SysbenchClient client, String side, Mode mode, int count, int round)
                throws IOException, InterruptedException {
            PageCache.drop();
            long before = DiskLimits.reads(throttle, placed().dataNodes()).bytes();
            SysbenchClient.Pass read = client.read(folder(count), totalSize / files, mode, count, seconds, round);
            double requested = read.requests() * (double) request;
            double throughput = requested / MIB / read.seconds();
            Measurement pass = Measurement.of(workload(mode, count), side, 1, round)
                    .with(THROUGHPUT, throughput)
                    .with(LATENCY, read.latencyMillis());
            long fromDisk = DiskLimits.reads(throttle, placed().dataNodes()).bytes() - before;
            System.out.printf(
                    Locale.ROOT,
                    "Round %d of %d, %s, %s: %.2f MiB/s%n",
                    round,
                    rounds(),
                    workload(mode, count).words(),
                    side,
                    throughput);
            return throttle.unavailableReason() == null ? pass.with(FROM_DISK, fromDisk / requested) : pass;
        }
    }
}

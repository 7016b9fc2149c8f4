/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_RIVAL;
import static io.github.foresight.benchmarks.report.ReportPictures.DYNAMIC;
import static io.github.foresight.benchmarks.report.ReportPictures.FIXED;
import static io.github.foresight.benchmarks.report.ReportPictures.READS;
import static io.github.foresight.benchmarks.report.ReportPictures.REQUESTS;
import static io.github.foresight.benchmarks.report.ReportPictures.RIVAL;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.ReportPictures;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.WindowFilesWorkload;
import io.github.foresight.benchmarks.workload.WindowWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Times one reader of small pieces of large files: the work of NBJLOFS's evaluation (section 4, Fig. 9 to 12). The sides are stock HDFS,
 * spatial read-ahead, fixed windows of several widths, and the dynamic window.
 *
 * <p>Each number of DataNodes has a cluster of its own, with files in the orthogonal layout, or as HDFS places them; each DataNode has a disk of limited speed. Each
 * round starts the DataNodes with stock configuration for stock's passes, and with Foresight for the others. Each pass has its own client. The
 * client reads a little first, to load its code; then the page cache is emptied.
 */
@Command(
        name = "window",
        description = "Small reads of large files by position, with windows of several widths.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class WindowCommand extends Benchmark {

    static final Column IN_MEMORY = new Column(
            "in memory",
            "of reads",
            2,
            NONE,
            "share of the reads that the client sent to the replica node, within a window");
    static final Column DISK_READS = new Column("disk reads", "", 0, NONE, "requests of all DataNodes to their disks");
    static final Column REFUSALS = new Column("refused", "", 0, NONE, "prefetch requests that a DataNode refused");
    static final Column TRAIL = new Column("on trail", "", 0, NONE, "reads in memory that follow the window's trail");
    static final Column MISSES = new Column("misses", "", 0, NONE, "reads outside of all windows");

    /** The least reads per second at random, as a multiple of stock's. */
    private static final double READS_TARGET = 2.0;

    /** The most prefetch requests, as a part of the rival's. */
    private static final double REQUESTS_TARGET = 0.25;

    private static final String FOLDER = "/window";
    private static final String WARM_UP_FOLDER = "/warm-up";

    /** Enough for the JVMs to compile the code of the daemons and of the client, as on a cluster in use. */
    private static final int WARM_UP_READS = 4000;

    private static final long WARM_UP_BYTES = 16L << 20;
    private static final int COUNTS = 5;

    @Option(names = "--files", defaultValue = "5", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--size",
            defaultValue = "100m",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--block",
            defaultValue = "1m",
            converter = ClusterOptions.Size.class,
            description = "Bytes of a block, at least those of a read (${DEFAULT-VALUE}).")
    private long block;

    @Option(names = "--replication", defaultValue = "2", description = "Replicas of each block (${DEFAULT-VALUE}).")
    @AtLeast(2)
    private int replication;

    @Option(
            names = "--placement",
            defaultValue = "ORTHOGONAL",
            description =
                    "Who chooses the DataNodes of a block: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). ORTHOGONAL: one"
                            + " DataNode holds a replica of each block of a file.")
    private WindowFilesWorkload.Placement placement = WindowFilesWorkload.Placement.ORTHOGONAL;

    @Option(
            names = "--object",
            defaultValue = "128k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of an object (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long object;

    @Option(
            names = "--read",
            defaultValue = "16k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of a read (${DEFAULT-VALUE}).")
    @AtLeast(Long.BYTES)
    private long read;

    @Option(names = "--reads", defaultValue = "4000", description = "Reads of a pass (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int reads;

    @Option(
            names = "--cache",
            split = ",",
            defaultValue = "40m",
            converter = ClusterOptions.Size.class,
            description =
                    "Memory of each DataNode for windows (${DEFAULT-VALUE}); each of several has passes of its own. The kernel's"
                            + " page cache is not limited, with Foresight or without.")
    @AtLeast(0)
    private List<Long> caches = List.of();

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "5,10,15,20,25",
            description = "Widths of the fixed windows, in objects (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private List<Integer> sizes = List.of();

    @Option(
            names = "--rival",
            split = ",",
            defaultValue = "10",
            description =
                    "Widths of the rival's read-ahead, in objects (${DEFAULT-VALUE}). A fixed window is compared with the rival"
                            + " of its width if there is one, otherwise with the first rival.")
    @AtLeast(1)
    private List<Integer> rivals = List.of();

    @Option(
            names = "--datanodes",
            split = ",",
            defaultValue = "4,6",
            description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    @AtLeast(2)
    private List<Integer> dataNodes = List.of();

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private DiskLimits disks = new DiskLimits(120);

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(READS, REQUESTS, IN_MEMORY, DISK_READS, REFUSALS, TRAIL, MISSES);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().require("--block", block, read);
        cluster().require("--size", size, read);
        Path directory = cluster().newTemporaryDirectory("foresight-window");
        try {
            return withTargets(run(directory));
        } finally {
            FileTree.delete(directory);
        }
    }

    static BenchReport withTargets(BenchReport report) {
        return report.target(
                        "dynamic windows at random make at least 2.0 times stock's reads per second",
                        READS_TARGET,
                        result -> result.side().equals(DYNAMIC)
                                && result.workload().words().startsWith("random"),
                        result -> result.ratio(READS) >= READS_TARGET)
                .target(
                        "dynamic windows make at most 0.25 of the rival's requests",
                        REQUESTS_TARGET,
                        result -> result.side().equals(DYNAMIC),
                        result -> result.ratio(REQUESTS) <= REQUESTS_TARGET);
    }

    /** Compares requests with the rival of the same width, or with the first rival, and reads per second with stock HDFS. */
    static Baseline baseline(List<Integer> rivals) {
        return (column, side) -> {
            if (column.comparison() != OF_RIVAL) {
                return List.of(Baseline.STOCK);
            }
            for (int width : rivals) {
                if (side.equals(FIXED + width) || side.equals(RIVAL + width)) {
                    return List.of(RIVAL + width);
                }
            }
            return rivals.isEmpty() ? List.of() : List.of(RIVAL + rivals.get(0));
        };
    }

    /** The workload of a pattern on a number of DataNodes. */
    static Workload workload(WindowWorkload.Pattern pattern, int dataNodes, long cacheBytes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(ReportPictures.DATA_NODES, String.valueOf(dataNodes));
        parameters.put(ReportPictures.PATTERN, pattern.name());
        parameters.put(ReportPictures.CACHE_MEBIBYTES, String.valueOf(cacheBytes >> 20));
        boolean whole = cacheBytes % (1 << 20) == 0;
        String memory = whole ? (cacheBytes >> 20) + " MiB" : cacheBytes + " bytes";
        return new Workload(
                pattern.name().toLowerCase(Locale.ROOT) + ", " + dataNodes + " DataNodes, " + memory + " for windows",
                parameters);
    }

    private Release release(long cache) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("foresight.datanode.window.capacity", String.valueOf(cache));
        // Whole prefetched blocks have a memory of their own; none of them fits into a single byte.
        keys.put("foresight.datanode.cache.capacity", "1");
        keys.put("foresight.client.window.object", String.valueOf(object));
        return new Release(cluster().home(), settings.over(keys));
    }

    private BenchReport run(Path directory) throws IOException, InterruptedException {
        DiskThrottle any = disks.throttle(directory);
        System.out.println(disks.describe(any));
        List<Measurement> measured = new ArrayList<>();
        for (int nodes : dataNodes) {
            DiskThrottle throttle = disks.throttle(directory);
            try (ProcessCluster on = start(directory, nodes, throttle)) {
                write(on, FOLDER, files, size);
                write(on, WARM_UP_FOLDER, files, WARM_UP_BYTES);
                for (int round = 0; round < rounds.count(); round++) {
                    System.out.println(nodes + " DataNodes, round " + (round + 1) + " of " + rounds.count());
                    new Round(on, nodes, throttle, measured).run(round);
                }
            }
        }
        RunConditions conditions = disks.conditions(any)
                .saying(reads + " reads of " + read
                        + " bytes in a pass; the first and the last bytes of each are compared.")
                .saying("Files of " + (size >> 20) + " MiB in blocks of " + (block >> 20) + " MiB, replication "
                        + replication + ", DataNodes chosen by " + placement + ".");
        return report(conditions, measured, baseline(rivals));
    }

    private ProcessCluster start(Path directory, int nodes, DiskThrottle throttle)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(Files.createDirectories(directory.resolve("datanodes" + nodes)))
                .dataNodes(nodes)
                .daemonHeap("256m")
                .conf("dfs.replication", String.valueOf(replication))
                .conf("dfs.blocksize", String.valueOf(block))
                .conf("dfs.client.read.prefetch.size", String.valueOf(size))
                .conf("dfs.namenode.fs-limits.min-block-size", "0")
                .conf("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5")
                .conf("dfs.client.block.write.locateFollowingBlock.retries", "12")
                .throttle(throttle)
                .start();
    }

    private void write(ProcessCluster on, String folder, int count, long bytes)
            throws IOException, InterruptedException {
        List<String> command = on.clientCommand(
                on.clientConf("writer", Installation.STOCK),
                Installation.STOCK,
                List.of(toolsJar()),
                WindowFilesWorkload.class.getName());
        command.addAll(List.of(
                folder,
                String.valueOf(count),
                String.valueOf(bytes),
                String.valueOf(block),
                String.valueOf(replication),
                placement.name()));
        ClientProcess.run(
                command, on.workDir().resolve("writer.log"), Duration.ofMinutes(20), "writing files block by block");
    }

    private Path toolsJar() {
        return release(0).toolsJar();
    }

    /** Measures all sides once, on one cluster. */
    private final class Round {
        private final ProcessCluster on;
        private final int nodes;
        private final DiskThrottle throttle;
        private final List<Measurement> measured;

        Round(ProcessCluster on, int nodes, DiskThrottle throttle, List<Measurement> measured) {
            this.on = on;
            this.nodes = nodes;
            this.throttle = throttle;
            this.measured = measured;
        }

        void run(int seed) throws IOException, InterruptedException {
            if (seed % 2 == 0) {
                stock(seed);
                foresight(seed);
            } else {
                foresight(seed);
                stock(seed);
            }
        }

        private void stock(int seed) throws IOException, InterruptedException {
            on.restartDataNodes(Installation.STOCK);
            // Stock HDFS has no windows: its passes are the baseline of each size of memory.
            side(Baseline.STOCK, caches, Installation.STOCK, 0, seed);
        }

        private void foresight(int seed) throws IOException, InterruptedException {
            for (long cache : caches) {
                foresight(seed, cache);
            }
        }

        private void foresight(int seed, long cache) throws IOException, InterruptedException {
            Release release = release(cache);
            on.restartDataNodes(release.dataNode());
            for (int width : rivals) {
                side(RIVAL + width, List.of(cache), Installation.STOCK, width, seed);
            }
            for (int width : sizes) {
                Installation fixed = release.client()
                        .with("foresight.client.window.objects.first", String.valueOf(width))
                        .with("foresight.client.window.objects.max", String.valueOf(width));
                side(FIXED + width, List.of(cache), fixed, 0, seed);
            }
            side(DYNAMIC, List.of(cache), release.client(), 0, seed);
        }

        /** Does a pass of each pattern, and records it with the workload of each given size of memory. */
        private void side(String side, List<Long> sizesOfMemory, Installation client, int rivalObjects, int seed)
                throws IOException, InterruptedException {
            for (WindowWorkload.Pattern pattern : WindowWorkload.Pattern.values()) {
                ClientProcess process = ClientProcess.launch(
                        command(side, client, rivalObjects),
                        on.workDir().resolve("client.log"),
                        Duration.ofSeconds(300 + reads));
                try {
                    process.awaitLine("READY", "a client's start");
                    read(process, WARM_UP_FOLDER, WARM_UP_BYTES, pattern, WARM_UP_READS, 0);
                    Measurement pass = measure(process, side, pattern, seed);
                    for (long cache : sizesOfMemory) {
                        measured.add(pass.withWorkload(workload(pattern, nodes, cache)));
                    }
                } finally {
                    process.destroy();
                }
            }
        }

        private List<String> command(String name, Installation client, int rivalObjects) throws IOException {
            Path conf = on.clientConf(name.replace(' ', '-'), client);
            List<String> command = on.clientCommand(conf, client, List.of(toolsJar()), WindowWorkload.class.getName());
            command.addAll(List.of(
                    String.valueOf(files),
                    String.valueOf(read),
                    String.valueOf(object),
                    String.valueOf(rivalObjects),
                    conf.toString()));
            return command;
        }

        private String[] read(
                ClientProcess process, String folder, long bytes, WindowWorkload.Pattern pattern, int count, int seed)
                throws IOException {
            process.send(folder + " " + bytes + " " + pattern + " " + count + " " + seed);
            return process.awaitLine("DONE", "reading by position").split(" ", -1);
        }

        private Measurement measure(ClientProcess process, String side, WindowWorkload.Pattern pattern, int seed)
                throws IOException, InterruptedException {
            PageCache.drop();
            DiskReads before = diskReads();
            String[] words = read(process, FOLDER, size, pattern, reads, seed);
            long[] counts = new long[COUNTS];
            for (int i = 0; i < COUNTS; i++) {
                counts[i] = Long.parseLong(words[i + 2]);
            }
            double readsPerSecond = reads / Double.parseDouble(words[1]);
            System.out.printf(
                    Locale.ROOT,
                    "  %-10s %-10s %8.0f reads/s, %d requests%n",
                    pattern,
                    side,
                    readsPerSecond,
                    counts[0]);
            Measurement pass = Measurement.of(workload(pattern, nodes, 0), side, 1, seed + 1)
                    .with(READS, readsPerSecond);
            if (throttle.unavailableReason() == null) {
                pass = pass.with(DISK_READS, diskReads().since(before).requests());
            }
            if (!side.equals(Baseline.STOCK)) {
                pass = pass.with(REQUESTS, counts[0]).with(REFUSALS, counts[1]);
            }
            boolean windows = side.startsWith(FIXED) || side.equals(DYNAMIC);
            return windows
                    ? pass.with(IN_MEMORY, (double) (counts[2] + counts[3]) / reads)
                            .with(TRAIL, counts[3])
                            .with(MISSES, counts[4])
                    : pass;
        }

        private DiskReads diskReads() throws IOException {
            return DiskLimits.reads(throttle, on.dataNodes().size());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.command.WindowReport.Pass;
import io.github.foresight.benchmarks.command.WindowReport.Side;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How fast one reader gets small pieces out of large files, with windows of several widths, with spatial read-ahead, and with stock
 * HDFS: the work of NBJLOFS's evaluation (section 4, Fig. 9 to 12).
 *
 * <p>One cluster for each number of DataNodes, with orthogonally laid out files; each DataNode has a disk of limited speed. For each
 * round the DataNodes are started as stock ones for stock's passes and with Foresight for the others. Each pass has a client of its own,
 * which reads a little first to have code loaded; then the page cache is emptied.
 */
@Command(
        name = "window",
        description = "Small reads of large files by position, with windows of several widths.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class WindowCommand implements Callable<Integer> {

    private static final String FOLDER = "/window";
    private static final String WARM_UP_FOLDER = "/warm-up";

    /** So many that the daemons' code and the client's is compiled by then, as it is on a cluster in use. */
    private static final int WARM_UP_READS = 4000;

    private static final long WARM_UP_BYTES = 16L << 20;
    private static final int COUNTS = 5;

    @Option(names = "--files", defaultValue = "5", description = "Files (${DEFAULT-VALUE}).")
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
            description = "Bytes of a block (${DEFAULT-VALUE}).")
    private long block;

    @Option(
            names = "--object",
            defaultValue = "128k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of an object (${DEFAULT-VALUE}).")
    private long object;

    @Option(
            names = "--read",
            defaultValue = "16k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of a read (${DEFAULT-VALUE}).")
    private long read;

    @Option(names = "--reads", defaultValue = "4000", description = "Reads of a pass (${DEFAULT-VALUE}).")
    private int reads;

    @Option(
            names = "--cache",
            split = ",",
            defaultValue = "40m",
            converter = ClusterOptions.Size.class,
            description =
                    "Memory that each DataNode may hold for what was read ahead, all of it windows (${DEFAULT-VALUE}); of several"
                            + " each has passes of its own. What the kernel keeps besides is not limited, with Foresight or without.")
    private List<Long> caches = List.of();

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "5,10,15,20,25",
            description = "Fixed widths of windows, in objects, beside the dynamic one (${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--rival",
            split = ",",
            defaultValue = "10",
            description =
                    "Widths of the rival's read-ahead, in objects (${DEFAULT-VALUE}). A fixed window is compared with the rival"
                            + " of its width if there is one; other windows with the first.")
    private List<Integer> rivals = List.of();

    @Option(
            names = "--datanodes",
            split = ",",
            defaultValue = "4,6",
            description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    private List<Integer> dataNodes = List.of();

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds, each with all sides (${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private DiskLimits disks = new DiskLimits();

    @Mixin
    private KeySettings settings = new KeySettings();

    @Option(names = "--csv", description = "Write the medians to this file as a table.")
    private @Nullable Path csv;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--files", files, 1);
        cluster.require("--read", read, Long.BYTES);
        cluster.require("--block", block, read);
        cluster.require("--size", size, 2 * block);
        cluster.require("--object", object, 1);
        cluster.require("--reads", reads, 1);
        cluster.require("--rounds", rounds, 1);
        disks.require(cluster);
        for (long cache : caches) {
            cluster.require("--cache", cache, 0);
        }
        for (int width : sizes) {
            cluster.require("--sizes", width, 1);
        }
        for (int width : rivals) {
            cluster.require("--rival", width, 1);
        }
        for (int nodes : dataNodes) {
            cluster.require("--datanodes", nodes, 2);
        }
        Path directory = cluster.newTemporaryDirectory("foresight-window");
        WindowReport report;
        try {
            report = run(directory);
        } finally {
            FileTree.delete(directory);
        }
        System.out.print(report.table());
        Path json = cluster.json();
        if (json != null) {
            report.writeJson(json);
        }
        if (csv != null) {
            Files.writeString(csv, report.csv());
        }
        return 0;
    }

    private Release release(long cache) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("foresight.datanode.window.capacity", String.valueOf(cache));
        // What is read ahead in whole blocks has a memory of its own: none of them fits into it here.
        keys.put("foresight.datanode.cache.capacity", "1");
        keys.put("foresight.client.window.object", String.valueOf(object));
        return new Release(cluster.home(), settings.over(keys));
    }

    private WindowReport run(Path directory) throws IOException, InterruptedException {
        DiskThrottle any = disks.throttle(directory);
        System.out.println(disks.describe(any));
        WindowReport report = new WindowReport(
                reads, Math.toIntExact(read), cluster.hadoopVersion(), any.unavailableReason(), PageCache.canDrop());
        for (int nodes : dataNodes) {
            DiskThrottle throttle = disks.throttle(directory);
            try (ProcessCluster on = start(directory, nodes, throttle)) {
                write(on, FOLDER, files, size);
                write(on, WARM_UP_FOLDER, files, WARM_UP_BYTES);
                for (int round = 0; round < rounds; round++) {
                    System.out.println(nodes + " DataNodes, round " + (round + 1) + " of " + rounds);
                    new Round(on, nodes, throttle, report).run(round);
                }
            }
        }
        return report;
    }

    private ProcessCluster start(Path directory, int nodes, DiskThrottle throttle)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(Files.createDirectories(directory.resolve("datanodes" + nodes)))
                .dataNodes(nodes)
                .daemonHeap("256m")
                .conf("dfs.replication", "2")
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
        command.addAll(List.of(folder, String.valueOf(count), String.valueOf(bytes), String.valueOf(block)));
        ClientProcess.run(
                command, on.workDir().resolve("writer.log"), Duration.ofMinutes(20), "writing files block by block");
    }

    private Path toolsJar() {
        return release(0).toolsJar();
    }

    /** All sides once, on one cluster. */
    private final class Round {
        private final ProcessCluster on;
        private final int nodes;
        private final DiskThrottle throttle;
        private final WindowReport report;

        Round(ProcessCluster on, int nodes, DiskThrottle throttle, WindowReport report) {
            this.on = on;
            this.nodes = nodes;
            this.throttle = throttle;
            this.report = report;
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
            side(new Side(WindowReport.STOCK, 0), Installation.STOCK, 0, seed);
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
                side(new Side(WindowReport.RIVAL + width, cache), Installation.STOCK, width, seed);
            }
            for (int width : sizes) {
                Installation fixed = release.client()
                        .with("foresight.client.window.objects.first", String.valueOf(width))
                        .with("foresight.client.window.objects.max", String.valueOf(width));
                side(new Side(WindowReport.FIXED + width, cache), fixed, 0, seed);
            }
            side(new Side(WindowReport.DYNAMIC, cache), release.client(), 0, seed);
        }

        private void side(Side side, Installation client, int rivalObjects, int seed)
                throws IOException, InterruptedException {
            for (WindowWorkload.Pattern pattern : WindowWorkload.Pattern.values()) {
                ClientProcess process = ClientProcess.launch(
                        command(side.name, client, rivalObjects),
                        on.workDir().resolve("client.log"),
                        Duration.ofSeconds(300 + reads));
                try {
                    process.awaitLine("READY", "a client's start");
                    read(process, WARM_UP_FOLDER, WARM_UP_BYTES, pattern, WARM_UP_READS, 0);
                    report.add(measure(process, side, pattern, seed));
                } finally {
                    process.destroy();
                }
            }
        }

        private List<String> command(String name, Installation client, int rivalObjects) throws IOException {
            Path conf = on.clientConf(name, client);
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

        private Pass measure(ClientProcess process, Side side, WindowWorkload.Pattern pattern, int seed)
                throws IOException, InterruptedException {
            PageCache.drop();
            DiskReads before = diskReads();
            String[] words = read(process, FOLDER, size, pattern, reads, seed);
            long[] counts = new long[COUNTS];
            for (int i = 0; i < COUNTS; i++) {
                counts[i] = Long.parseLong(words[i + 2]);
            }
            double seconds = Double.parseDouble(words[1]);
            System.out.printf(
                    Locale.ROOT,
                    "  %-10s %-10s %8.0f reads/s, %d requests%n",
                    pattern,
                    side.name,
                    reads / seconds,
                    counts[0]);
            return new Pass(
                    nodes, pattern.name(), side, seconds, counts, diskReads().since(before));
        }

        private DiskReads diskReads() throws IOException {
            DiskReads sum = new DiskReads(0, 0);
            for (int i = 0; i < on.dataNodes().size(); i++) {
                sum = sum.plus(throttle.reads(i));
            }
            return sum;
        }
    }
}

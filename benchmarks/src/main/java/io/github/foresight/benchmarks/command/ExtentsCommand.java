/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.TIMES_AS_FAST;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.ReadWorkload;
import io.github.foresight.benchmarks.workload.StreamsWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.LoopDisk;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Counts the extents of blocks that are written at the same time, and times writing and reading them; in the manner of MiF's Table I.
 *
 * <p>One DataNode has a loop device as its disk. The sides are stock HDFS and Foresight with each kind of preallocation. Each file system
 * and each age has a new disk. Each measurement restarts the DataNode first, and deletes its files at the end.
 */
@Command(
        name = "extents",
        description = "Extents of blocks written at the same time, with each kind of preallocation.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ExtentsCommand extends Benchmark {

    static final Column EXTENTS = new Column(
            "extents per block", "", 2, NONE, "mean number of pieces in which the file system keeps a whole block");
    static final Column EXTENTS_MAX = new Column("most", "", 0, NONE, "extents of the block that has most");
    static final Column WRITE = new Column("write", "s", 1, TIMES_AS_FAST, "time of all writers, until the last close");
    static final Column CPU =
            new Column("CPU", "s", 1, NONE, "processor time of the DataNode while blocks are written");

    private static final Pattern FOUND = Pattern.compile(": (\\d+) extents? found");
    private static final String OFF = "off";
    private static final String FOLDER = "/extents";
    private static final int FILES_AT_ONCE = 200;
    private static final long SETTLE_MILLIS = 200;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    @Option(names = "--fs", split = ",", defaultValue = "ext4,xfs", description = "File systems (${DEFAULT-VALUE}).")
    private List<String> fileSystems = List.of();

    @Option(
            names = "--age",
            split = ",",
            defaultValue = "fresh,aged,aged-blocks",
            description =
                    "Disks: fresh; aged, 80 %% full after churn of files of 64 KiB to 4 MiB; or aged-blocks, 80 %% full after"
                            + " churn of files of 64 KiB to 64 MiB (${DEFAULT-VALUE}).")
    private List<String> ages = List.of();

    @Option(
            names = "--streams",
            split = ",",
            defaultValue = "16,64",
            description = "Writers at once (${DEFAULT-VALUE}).")
    private List<Integer> streams = List.of();

    @Option(
            names = "--sync",
            split = ",",
            defaultValue = "PLAIN,HFLUSH,HSYNC",
            description = "Call after each write of 64 KiB: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private List<StreamsWorkload.Sync> syncs = List.of();

    @Option(
            names = "--mode",
            split = ",",
            defaultValue = "off,static,on-demand",
            description = "Sides: off, which is stock HDFS, and Foresight's kinds of preallocation (${DEFAULT-VALUE}).")
    private List<String> modes = List.of();

    @Option(
            names = "--block-size",
            defaultValue = "48m",
            converter = ClusterOptions.Size.class,
            description = "Size of blocks (${DEFAULT-VALUE}).")
    @AtLeast(1 << 20)
    private long blockSize;

    @Option(names = "--blocks", defaultValue = "2", description = "Blocks that each stream writes (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int blocks;

    @Option(
            names = "--disk-size",
            defaultValue = "96g",
            converter = ClusterOptions.Size.class,
            description =
                    "Size of the disk, a sparse file; the blocks should take little of its free space (${DEFAULT-VALUE}).")
    private long diskSize;

    @Option(
            names = "--iops",
            defaultValue = "200",
            description = "Reads that the disk does in a second, 0 for unlimited (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int readsPerSecond;

    @Option(
            names = "--read-ahead",
            split = ",",
            defaultValue = "128,4096",
            description = "The disk's read-ahead in KiB; all blocks are read once with each (${DEFAULT-VALUE}).")
    @AtLeast(4)
    private List<Integer> readAheads = List.of();

    @Mixin
    private RoundsOption rounds = new RoundsOption(1);

    @Option(names = "--no-read", description = "Write only.")
    private boolean writeOnly;

    @Mixin
    private KeySettings settings = new KeySettings();

    /** File system, age and writers of some measurements. */
    private record Situation(String fileSystem, String age, int streams, StreamsWorkload.Sync sync) {

        Workload workload() {
            String call = sync.name().toLowerCase(Locale.ROOT);
            return new Workload(
                    age + " " + fileSystem + ", " + streams + " streams, " + call,
                    Map.of("fileSystem", fileSystem, "age", age, "streams", String.valueOf(streams), "sync", call));
        }
    }

    @Override
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>(List.of(EXTENTS, EXTENTS_MAX, WRITE, CPU));
        // A help text knows no arguments.
        for (int kib : readAheads.isEmpty() ? List.of(128, 4096) : readAheads) {
            columns.add(read(kib));
            columns.add(diskReads(kib));
        }
        return columns;
    }

    static Column read(int readAheadKib) {
        return new Column(
                "read " + readAheadKib + "K",
                "s",
                1,
                TIMES_AS_FAST,
                "time to read all blocks cold, with a read-ahead of " + readAheadKib + " KiB");
    }

    static Column diskReads(int readAheadKib) {
        return new Column("disk reads " + readAheadKib + "K", "", 0, NONE, "requests to the disk for that");
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-extents");
        List<Measurement> measured = new ArrayList<>();
        String notThrottled = null;
        try {
            for (String fileSystem : fileSystems) {
                for (String age : ages) {
                    notThrottled = onDisk(directory, fileSystem, age, measured);
                }
            }
        } finally {
            FileTree.delete(directory);
        }
        RunConditions conditions = RunConditions.NONE
                .saying(blocks + " blocks of " + (blockSize >> 20) + " MiB a stream, in writes of 64 KiB.")
                .throttled(notThrottled, readsPerSecond > 0)
                .cold(PageCache.canDrop());
        return report(conditions, measured, Baseline.stock());
    }

    /** Measures all situations on one disk; returns the reason why it is not limited, or null where it is. */
    private @Nullable String onDisk(Path directory, String fileSystem, String age, List<Measurement> measured)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(directory.resolve(fileSystem + "-" + age));
        try (LoopDisk disk = LoopDisk.create(folder, fileSystem, diskSize, readAheads.get(0))) {
            if (!age.equals("fresh")) {
                System.out.println("Ageing " + fileSystem);
                disk.age(churn(age));
            }
            DiskThrottle throttle = DiskThrottle.forDataIn(disk.mount(), 0, readsPerSecond);
            String notThrottled = throttle.unavailableReason();
            if (notThrottled != null) {
                System.out.println("Disk: NOT limited: " + notThrottled);
            }
            Installation stock = at(Installation.STOCK, disk);
            try (ProcessCluster hdfs = ProcessCluster.builder()
                    .hadoopClasspath(cluster().hadoopClasspath())
                    .workDir(Files.createDirectories(folder.resolve("cluster")))
                    .dataNodes(1)
                    .conf("dfs.replication", "1")
                    .conf("dfs.block.scanner.volume.bytes.per.second", "0")
                    .conf("dfs.datanode.handler.count", "32")
                    .conf("dfs.datanode.max.transfer.threads", "1024")
                    .dataNodeInstallation(stock)
                    .throttle(throttle)
                    .start()) {
                for (int count : streams) {
                    for (StreamsWorkload.Sync sync : syncs) {
                        Situation situation = new Situation(fileSystem, age, count, sync);
                        for (int round = 1; round <= rounds.count(); round++) {
                            for (String mode : inTurn(round)) {
                                hdfs.restartDataNodes(mode.equals(OFF) ? stock : at(foresight(mode), disk));
                                Measurement empty = Measurement.of(
                                        situation.workload(), mode.equals(OFF) ? Baseline.STOCK : mode, 1, round);
                                Measurement result = run(hdfs, situation, empty, disk, throttle);
                                System.out.println(empty.workload().words() + ", " + mode + ": " + result.figures());
                                measured.add(result);
                            }
                        }
                    }
                }
            }
            return notThrottled;
        }
    }

    private List<String> inTurn(int round) {
        List<String> turn = new ArrayList<>(modes);
        if (round % 2 == 0) {
            Collections.reverse(turn);
        }
        return turn;
    }

    private static LoopDisk.Churn churn(String age) {
        switch (age) {
            case "aged":
                return LoopDisk.Churn.SMALL_FILES;
            case "aged-blocks":
                return LoopDisk.Churn.BLOCKS;
            default:
                throw new IllegalArgumentException("--age is " + age + "; accepted are fresh, aged and aged-blocks");
        }
    }

    private Installation foresight(String mode) throws IOException {
        Map<String, String> own = Map.of(
                "foresight.datanode.prefetch.enabled", "false",
                "foresight.datanode.packs.enabled", "false",
                "foresight.datanode.preallocate.free.min", "64m",
                "foresight.datanode.preallocate.mode", mode);
        return new Release(cluster().home(), settings.over(own)).dataNode();
    }

    private static Installation at(Installation installation, LoopDisk disk) {
        return installation.with(
                "dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    }

    private Measurement run(
            ProcessCluster hdfs, Situation situation, Measurement empty, LoopDisk disk, DiskThrottle throttle)
            throws IOException, InterruptedException {
        Daemon dataNode = hdfs.dataNodes().get(0);
        Path conf = hdfs.clientConf("stock", Installation.STOCK);
        Path log = hdfs.workDir().resolve("clients.log");
        Release release = new Release(cluster().home());
        List<String> write = hdfs.clientCommand(
                conf, Installation.STOCK, List.of(release.toolsJar()), StreamsWorkload.class.getName());
        write.addAll(List.of(
                FOLDER,
                String.valueOf(situation.streams()),
                String.valueOf(blocks * blockSize),
                String.valueOf(blockSize),
                situation.sync().name()));
        Duration cpuBefore = dataNode.cpuTime();
        double writeSeconds = seconds(write, log, "writing");
        double cpuSeconds = dataNode.cpuTime().minus(cpuBefore).toMillis() / 1000.0;
        PageCache.drop();
        Measurement result = withExtents(empty, disk).with(WRITE, writeSeconds).with(CPU, cpuSeconds);
        for (int kib : writeOnly ? List.<Integer>of() : readAheads) {
            List<String> read = hdfs.clientCommand(
                    conf, Installation.STOCK, List.of(release.toolsJar()), ReadWorkload.class.getName());
            read.add(FOLDER + "/warm");
            for (int i = 0; i < situation.streams(); i++) {
                read.add(FOLDER + "/stream" + i);
            }
            disk.readAhead(kib);
            PageCache.drop();
            DiskReads before = throttle.reads(0);
            double readSeconds = seconds(read, log, "reading");
            result = result.with(read(kib), readSeconds);
            if (throttle.unavailableReason() == null) {
                result = result.with(
                        diskReads(kib), throttle.reads(0).since(before).requests());
            }
        }
        delete(hdfs, conf, log, disk);
        return result;
    }

    private static double seconds(List<String> command, Path log, String doing)
            throws IOException, InterruptedException {
        ClientProcess client = ClientProcess.launch(command, log, LIMIT);
        try {
            client.awaitLine("READY", doing);
            client.signal();
            String line = client.awaitLine("SECONDS", doing);
            client.awaitSuccess(doing);
            return Double.parseDouble(line.substring(line.indexOf(' ') + 1));
        } finally {
            client.destroy();
        }
    }

    /** Deletes the files, and waits until the DataNode has deleted their blocks. */
    private static void delete(ProcessCluster hdfs, Path conf, Path log, LoopDisk disk)
            throws IOException, InterruptedException {
        List<String> command = hdfs.clientCommand(conf, Installation.STOCK, List.of(), "org.apache.hadoop.fs.FsShell");
        command.addAll(List.of("-rm", "-r", "-f", "-skipTrash", FOLDER));
        ClientProcess.run(command, log, LIMIT, "deleting");
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!blockFiles(disk).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("blocks of a deleted file are still there: " + blockFiles(disk));
            }
            Thread.sleep(SETTLE_MILLIS);
        }
        disk.trim();
    }

    /** The block files of the DataNode, which may delete some at the same time. */
    private static List<Path> blockFiles(LoopDisk disk) throws IOException {
        List<Path> blocks = new ArrayList<>();
        Files.walkFileTree(disk.mount().resolve("data"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().matches("blk_\\d+")) {
                    blocks.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return blocks;
    }

    private Measurement withExtents(Measurement empty, LoopDisk disk) throws IOException, InterruptedException {
        List<Path> whole = new ArrayList<>();
        for (Path file : blockFiles(disk)) {
            if (Files.size(file) == blockSize) {
                whole.add(file);
            }
        }
        int sum = 0;
        int max = 0;
        int counted = 0;
        for (int at = 0; at < whole.size(); at += FILES_AT_ONCE) {
            List<String> command = new ArrayList<>(List.of("filefrag"));
            whole.subList(at, Math.min(whole.size(), at + FILES_AT_ONCE)).forEach(file -> command.add(file.toString()));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            Matcher found = FOUND.matcher(output);
            while (found.find()) {
                int count = Integer.parseInt(found.group(1));
                sum += count;
                max = Math.max(max, count);
                counted++;
            }
        }
        if (counted == 0 || counted != whole.size()) {
            throw new IOException("filefrag lists " + counted + " of " + whole.size() + " blocks");
        }
        return empty.with(EXTENTS, (double) sum / counted).with(EXTENTS_MAX, max);
    }
}

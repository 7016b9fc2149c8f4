/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.command.ExtentsReport.Extents;
import io.github.foresight.benchmarks.command.ExtentsReport.Reading;
import io.github.foresight.benchmarks.command.ExtentsReport.Result;
import io.github.foresight.benchmarks.command.ExtentsReport.Situation;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
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
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * In how many pieces blocks come to lie that are written at the same time, and what that does to writing and reading.
 *
 * <p>One DataNode on a disk of its own, a loop device; stock HDFS ("off"), and Foresight with each kind of preallocation. Every run
 * begins with a DataNode that was just started, on a disk made anew for each situation's file system and age; what was written is
 * deleted after it.
 */
@Command(
        name = "extents",
        description = "Pieces of blocks written at the same time, with each kind of preallocation.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ExtentsCommand implements Callable<Integer> {

    private static final Pattern EXTENTS = Pattern.compile(": (\\d+) extents? found");
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
                    "Disks: fresh; aged, which is 80 %% full after churn of files of 64 KiB to 4 MiB; or aged-blocks, the"
                            + " same of files of 64 KiB to 64 MiB (${DEFAULT-VALUE}).")
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
            description = "What follows each write (${DEFAULT-VALUE}).")
    private List<StreamsWorkload.Sync> syncs = List.of();

    @Option(
            names = "--mode",
            split = ",",
            defaultValue = "off,static,on-demand",
            description = "Kinds of preallocation (${DEFAULT-VALUE}).")
    private List<String> modes = List.of();

    @Option(
            names = "--block-size",
            defaultValue = "48m",
            converter = ClusterOptions.Size.class,
            description = "Size of blocks (${DEFAULT-VALUE}).")
    private long blockSize;

    @Option(names = "--blocks", defaultValue = "2", description = "Blocks that each stream writes (${DEFAULT-VALUE}).")
    private int blocks;

    @Option(
            names = "--disk-size",
            defaultValue = "96g",
            converter = ClusterOptions.Size.class,
            description =
                    "Size of the disk, sparse; what is written should be little of what is free (${DEFAULT-VALUE}).")
    private long diskSize;

    @Option(
            names = "--iops",
            defaultValue = "200",
            description = "Reads that the disk does in a second, 0 for unlimited (${DEFAULT-VALUE}).")
    private int readsPerSecond;

    @Option(
            names = "--read-ahead",
            split = ",",
            defaultValue = "128,4096",
            description = "The disk's read-ahead in KiB; everything is read with each (${DEFAULT-VALUE}).")
    private List<Integer> readAheads = List.of();

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description =
                    "Rounds, each with all modes, in turn from the first to the last and back (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--csv", description = "Write the medians to this file as well, a line for each row.")
    private @Nullable Path csv;

    @Option(names = "--no-read", description = "Write only.")
    private boolean writeOnly;

    @Mixin
    private KeySettings settings = new KeySettings();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--blocks", blocks, 1);
        cluster.require("--iops", readsPerSecond, 0);
        cluster.require("--rounds", rounds, 1);
        for (int kib : readAheads) {
            cluster.require("--read-ahead", kib, 4);
        }
        cluster.require("--block-size", blockSize, 1 << 20);
        Path directory = cluster.newTemporaryDirectory("foresight-extents");
        ExtentsReport report = new ExtentsReport(cluster.hadoopVersion(), blockSize, blocks * blockSize);
        try {
            for (String fileSystem : fileSystems) {
                for (String age : ages) {
                    onDisk(directory, fileSystem, age, report);
                }
            }
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

    private void onDisk(Path directory, String fileSystem, String age, ExtentsReport report)
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
                    .hadoopClasspath(cluster.hadoopClasspath())
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
                        Situation situation = new Situation(
                                fileSystem, age, count, sync.name().toLowerCase(Locale.ROOT));
                        for (int round = 0; round < rounds; round++) {
                            for (String mode : inTurn(round)) {
                                hdfs.restartDataNodes(mode.equals("off") ? stock : at(foresight(mode), disk));
                                Result result = run(hdfs, situation, sync, mode, disk, throttle);
                                System.out.println(result);
                                report.add(result);
                            }
                        }
                    }
                }
            }
        }
    }

    private List<String> inTurn(int round) {
        List<String> turn = new ArrayList<>(modes);
        if (round % 2 == 1) {
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
        return new Release(cluster.home(), settings.over(own)).dataNode();
    }

    private static Installation at(Installation installation, LoopDisk disk) {
        return installation.with(
                "dfs.datanode.data.dir", disk.mount().resolve("data").toUri().toString());
    }

    private Result run(
            ProcessCluster hdfs,
            Situation situation,
            StreamsWorkload.Sync sync,
            String mode,
            LoopDisk disk,
            DiskThrottle throttle)
            throws IOException, InterruptedException {
        Daemon dataNode = hdfs.dataNodes().get(0);
        Path conf = hdfs.clientConf("stock", Installation.STOCK);
        Path log = hdfs.workDir().resolve("clients.log");
        Release release = new Release(cluster.home());
        List<String> write = hdfs.clientCommand(
                conf, Installation.STOCK, List.of(release.toolsJar()), StreamsWorkload.class.getName());
        write.addAll(List.of(
                FOLDER,
                String.valueOf(situation.streams),
                String.valueOf(blocks * blockSize),
                String.valueOf(blockSize),
                sync.name()));
        Duration cpuBefore = dataNode.cpuTime();
        double writeSeconds = seconds(write, log, "writing");
        double cpuSeconds = dataNode.cpuTime().minus(cpuBefore).toMillis() / 1000.0;
        PageCache.drop();
        Extents extents = extents(disk);
        List<Reading> readings = new ArrayList<>();
        for (int kib : writeOnly ? List.<Integer>of() : readAheads) {
            List<String> read = hdfs.clientCommand(
                    conf, Installation.STOCK, List.of(release.toolsJar()), ReadWorkload.class.getName());
            read.add(FOLDER + "/warm");
            for (int i = 0; i < situation.streams; i++) {
                read.add(FOLDER + "/stream" + i);
            }
            disk.readAhead(kib);
            PageCache.drop();
            DiskReads before = throttle.reads(0);
            double readSeconds = seconds(read, log, "reading");
            readings.add(new Reading(
                    kib, readSeconds, throttle.reads(0).since(before).requests()));
        }
        delete(hdfs, conf, log, disk);
        return new Result(situation, mode, extents, writeSeconds, cpuSeconds, readings);
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

    /** Deletes what was written, and waits until the DataNode has. */
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

    /** The DataNode may be deleting some meanwhile. */
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

    private Extents extents(LoopDisk disk) throws IOException, InterruptedException {
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
            Matcher found = EXTENTS.matcher(output);
            while (found.find()) {
                int count = Integer.parseInt(found.group(1));
                sum += count;
                max = Math.max(max, count);
                counted++;
            }
        }
        if (counted == 0 || counted != whole.size()) {
            throw new IOException("filefrag told of " + counted + " of " + whole.size() + " blocks");
        }
        return new Extents(counted, sum, max);
    }
}

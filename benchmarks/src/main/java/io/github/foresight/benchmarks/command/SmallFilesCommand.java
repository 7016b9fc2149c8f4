/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.benchmarks.command.SmallFilesReport.Pass;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.FileLengths;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.LoopDisk;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How fast one reader gets through many small files that nobody has in memory, in an order that was seen once before.
 *
 * <p>Two clusters, one stock and one with all that is shipped; each DataNode has a disk of limited speed. One client reads the
 * files once, so that their order can be learned. Then, for each round and side, the DataNodes are started anew, other files are read to
 * have the daemons' code loaded, the page cache is emptied, and another client reads the files.
 */
@Command(
        name = "small-files",
        description = "Cold reads of small files by one reader in an order that was seen before.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SmallFilesCommand implements Callable<Integer> {

    private static final String FOLDER = "/small-files";
    private static final String WARM_UP_FOLDER = "/warm-up";
    private static final int WARM_UP_FILES = 40;
    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final long DISK_BYTES = 16L << 30;
    private static final int READ_AHEAD_KIB = 4096;
    private static final int STOCK = 0;
    private static final int FORESIGHT = 1;

    @Option(names = "--files", defaultValue = "4000", description = "Files (${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            defaultValue = "64k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--log-normal", description = "Lengths as they occur: log-normal, with --size as their median.")
    private boolean logNormal;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds, each with both sides (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--datanodes", defaultValue = "4", description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    private int dataNodes;

    @Mixin
    private DiskLimits disks = new DiskLimits();

    @Option(
            names = "--fs",
            description =
                    "Gives each cluster a disk of its own, a loop device, with this file system, ext4 or xfs; else"
                            + " the work directory's is used.")
    private @Nullable String fileSystem;

    @Option(names = "--inodes-warm", description = "Empty the page cache only, and keep inodes and folders in memory.")
    private boolean inodesWarm;

    @Option(
            names = "--stock-client",
            description = "Read with a client that has nothing of Foresight's; the NameNode hints DataNodes for it.")
    private boolean stockClient;

    @Mixin
    private KeySettings settings = new KeySettings();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--files", files, 1);
        cluster.require("--size", size, 1);
        cluster.require("--rounds", rounds, 1);
        cluster.require("--datanodes", dataNodes, 1);
        disks.require(cluster);
        Path directory = cluster.newTemporaryDirectory("foresight-small-files");
        SmallFilesReport report;
        Path stock = Files.createDirectories(directory.resolve("stock"));
        Path foresight = Files.createDirectories(directory.resolve("foresight"));
        Map<String, String> keys =
                settings.over(stockClient ? Map.of("foresight.namenode.hint.enabled", "true") : Map.of());
        try (LoopDisk stockDisk = disk(stock);
                LoopDisk foresightDisk = disk(foresight)) {
            Path[] folders = {cluster(stock, stockDisk), cluster(foresight, foresightDisk)};
            report = run(new Release(cluster.home(), keys), folders);
        } finally {
            FileTree.delete(directory);
        }
        System.out.print(report.table());
        Path json = cluster.json();
        if (json != null) {
            report.writeJson(json);
        }
        return 0;
    }

    private @Nullable LoopDisk disk(Path folder) throws IOException, InterruptedException {
        return fileSystem == null ? null : LoopDisk.create(folder, fileSystem, DISK_BYTES, READ_AHEAD_KIB);
    }

    private static Path cluster(Path folder, @Nullable LoopDisk disk) throws IOException {
        return disk == null ? folder : Files.createDirectories(disk.mount().resolve("cluster"));
    }

    private SmallFilesReport run(Release release, Path[] folders) throws IOException, InterruptedException {
        System.out.println("Two clusters of a NameNode and " + dataNodes + " DataNodes, Hadoop "
                + cluster.hadoopVersion() + ", under " + folders[STOCK] + " and " + folders[FORESIGHT]);
        DiskThrottle[] throttles = {disks.throttle(folders[STOCK]), disks.throttle(folders[FORESIGHT])};
        System.out.println(disks.describe(throttles[STOCK]));
        SmallFilesReport report = new SmallFilesReport(
                files,
                Math.toIntExact(size),
                cluster.hadoopVersion(),
                throttles[STOCK].unavailableReason(),
                PageCache.canDrop());
        try (ProcessCluster stock = start(folders[STOCK], Installation.STOCK, Installation.STOCK, throttles[STOCK]);
                ProcessCluster foresight =
                        start(folders[FORESIGHT], release.nameNode(), release.dataNode(), throttles[FORESIGHT])) {
            ProcessCluster[] clusters = {stock, foresight};
            for (ProcessCluster each : clusters) {
                new SmallFileSet(FOLDER, files, lengths(), SmallFiles.Naming.LETTERS).writeTo(each, release);
                new SmallFileSet(WARM_UP_FOLDER, WARM_UP_FILES, lengths(), SmallFiles.Naming.LETTERS)
                        .writeTo(each, release);
            }
            try (OpenClients learning = clients(release, clusters, FOLDER, files);
                    OpenClients warmingUp = clients(release, clusters, WARM_UP_FOLDER, WARM_UP_FILES);
                    OpenClients reading = clients(release, clusters, FOLDER, files)) {
                for (int side = 0; side < 2; side++) {
                    System.out.println("Reading for the first time, " + name(side));
                    read(learning, side);
                }
                PassMeter[] meters = {new PassMeter(stock), new PassMeter(foresight)};
                for (int round = 0; round < rounds; round++) {
                    Pass[] passes = new Pass[2];
                    for (int turn = 0; turn < 2; turn++) {
                        int side = (round + turn) % 2;
                        System.out.println("Round " + (round + 1) + " of " + rounds + ", " + name(side));
                        clusters[side].restartDataNodes(side == STOCK ? Installation.STOCK : release.dataNode());
                        read(warmingUp, side);
                        read(warmingUp, side);
                        passes[side] = measure(reading, side, clusters[side], meters[side], throttles[side]);
                    }
                    report.add(passes[STOCK], passes[FORESIGHT]);
                }
            }
        }
        return report;
    }

    private FileLengths lengths() {
        int bytes = Math.toIntExact(size);
        return logNormal ? FileLengths.logNormal(bytes) : FileLengths.equal(bytes);
    }

    private static String name(int side) {
        return side == STOCK ? "stock HDFS" : "Foresight";
    }

    /** The block scanner would read blocks meanwhile, of either side as many as it has time for. */
    private ProcessCluster start(Path folder, Installation nameNode, Installation dataNode, DiskThrottle throttle)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(folder)
                .dataNodes(dataNodes)
                .conf("dfs.replication", "1")
                .conf("dfs.block.scanner.volume.bytes.per.second", "0")
                .nameNodeInstallation(nameNode)
                .dataNodeInstallation(dataNode)
                .throttle(throttle)
                .start();
    }

    private OpenClients clients(Release release, ProcessCluster[] clusters, String folder, int count)
            throws IOException {
        ProcessCluster any = clusters[STOCK];
        Path stockConf = any.clientConf("stock", Installation.STOCK);
        List<String> command = any.clientCommand(
                stockConf, release.client(), List.of(release.toolsJar()), OpenWorkload.class.getName());
        command.addAll(List.of(
                folder,
                lengths().toString(),
                String.valueOf(count),
                String.valueOf(count),
                OpenOrders.Kind.OWN.name(),
                OpenWorkload.Depth.WHOLE.name(),
                stockConf.toString(),
                clusters[FORESIGHT]
                        .clientConf("foresight", stockClient ? Installation.STOCK : release.client())
                        .toString()));
        Duration limit = Duration.ofSeconds(600 + (long) (2 * rounds + 2) * (60 + files));
        return OpenClients.launch(1, command, any.workDir().resolve("clients.log"), limit);
    }

    private static void read(OpenClients client, int side) throws IOException {
        client.prepare(side, 0, 0, 0, 1);
        client.open();
    }

    private Pass measure(OpenClients reading, int side, ProcessCluster on, PassMeter meter, DiskThrottle throttle)
            throws IOException, InterruptedException {
        reading.prepare(side, 0, 0, 0, 1);
        meter.settle();
        long prefetched = sum(on, "PrefetchedBytes");
        long wasted = sum(on, "WastedBytes");
        if (inodesWarm) {
            PageCache.dropPages();
        } else {
            PageCache.drop();
        }
        DiskReads before = reads(throttle, on);
        meter.begin(reading);
        meter.open(reading);
        MetadataPass pass = meter.end(reading);
        return new Pass(
                pass.seconds,
                pass.roundTrips,
                reads(throttle, on).since(before),
                sum(on, "PrefetchedBytes") - prefetched,
                sum(on, "WastedBytes") - wasted);
    }

    private static DiskReads reads(DiskThrottle throttle, ProcessCluster on) throws IOException {
        DiskReads sum = new DiskReads(0, 0);
        for (int i = 0; i < on.dataNodes().size(); i++) {
            sum = sum.plus(throttle.reads(i));
        }
        return sum;
    }

    private static long sum(ProcessCluster on, String counter) throws IOException {
        long sum = 0;
        for (Daemon dataNode : on.dataNodes()) {
            JsonNode bean = dataNode.bean(BEAN);
            sum += bean.path(counter).asLong();
        }
        return sum;
    }
}

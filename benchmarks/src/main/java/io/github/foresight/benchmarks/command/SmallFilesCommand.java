/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Times one reader of many small files that are in no memory, in an order that was seen once before.
 *
 * <p>One cluster is stock HDFS, the other is Foresight as shipped; each DataNode has a disk of limited speed. One client reads the files
 * once, and Foresight learns their order. Each round then measures each side. It restarts the DataNodes, reads other files so that the
 * daemons load their code, empties the page cache, and reads the files with another client.
 */
@Command(
        name = "small-files",
        description = "Cold reads of small files by one reader in an order that was seen before.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SmallFilesCommand extends Benchmark {

    static final Column FILES = new Column("files", "1/s", 1, OF_STOCK, "files that the reader reads per second");
    static final Column DISK_READS = new Column("disk reads", "", 0, NONE, "requests of all DataNodes to their disks");
    static final Column READS_PER_FILE = new Column("reads/file", "", 2, NONE, "requests to the disks for each file");
    static final Column KIB_PER_FILE =
            new Column("from disk", "KiB/file", 1, NONE, "bytes from the disks for each file");
    static final Column TRIPS =
            new Column("trips/file", "", 3, NONE, "calls of getBlockLocations to the NameNode for each file");
    static final Column PREFETCHED = new Column("prefetched", "MiB", 1, NONE, "bytes that DataNodes prefetched");
    static final Column WASTED =
            new Column("wasted", "MiB", 1, NONE, "prefetched bytes that left the cache before a client read them");

    /** The least files per second, as a multiple of stock's. */
    private static final double TARGET = 2.0;

    private static final double KIB = 1 << 10;
    private static final double MIB = 1 << 20;
    private static final String FOLDER = "/small-files";
    private static final String WARM_UP_FOLDER = "/warm-up";
    private static final int WARM_UP_FILES = 40;
    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final long DISK_BYTES = 16L << 30;
    private static final int READ_AHEAD_KIB = 4096;
    private static final int STOCK = 0;
    private static final int FORESIGHT = 1;

    @Option(names = "--files", defaultValue = "4000", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--size",
            defaultValue = "64k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long size;

    @Option(
            names = "--log-normal",
            description = "Log-normal lengths with --size as their median, like the lengths of real files.")
    private boolean logNormal;

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(4);

    @Mixin
    private DiskLimits disks = new DiskLimits(120);

    @Option(
            names = "--fs",
            description =
                    "Gives each cluster a loop device as its disk, with this file system, ext4 or xfs; the default is the disk of"
                            + " the work directory.")
    private @Nullable String fileSystem;

    @Option(names = "--inodes-warm", description = "Empty the page cache only, and keep inodes and folders in memory.")
    private boolean inodesWarm;

    @Option(names = "--stock-client", description = "Read with the stock client; the NameNode hints DataNodes for it.")
    private boolean stockClient;

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(FILES, DISK_READS, READS_PER_FILE, KIB_PER_FILE, TRIPS, PREFETCHED, WASTED);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-small-files");
        Path stock = Files.createDirectories(directory.resolve("stock"));
        Path foresight = Files.createDirectories(directory.resolve("foresight"));
        Map<String, String> keys =
                settings.over(stockClient ? Map.of("foresight.namenode.hint.enabled", "true") : Map.of());
        try (LoopDisk stockDisk = disk(stock);
                LoopDisk foresightDisk = disk(foresight)) {
            Path[] folders = {cluster(stock, stockDisk), cluster(foresight, foresightDisk)};
            return withTarget(run(new Release(cluster().home(), keys), folders));
        } finally {
            FileTree.delete(directory);
        }
    }

    static BenchReport withTarget(BenchReport report) {
        return report.target(
                "Foresight reads at least 2.0 times as many files in a second as stock HDFS",
                TARGET,
                result -> result.side().equals(Baseline.FORESIGHT),
                result -> result.ratio(FILES) >= TARGET);
    }

    private @Nullable LoopDisk disk(Path folder) throws IOException, InterruptedException {
        return fileSystem == null ? null : LoopDisk.create(folder, fileSystem, DISK_BYTES, READ_AHEAD_KIB);
    }

    private static Path cluster(Path folder, @Nullable LoopDisk disk) throws IOException {
        return disk == null ? folder : Files.createDirectories(disk.mount().resolve("cluster"));
    }

    private BenchReport run(Release release, Path[] folders) throws IOException, InterruptedException {
        System.out.println("Two clusters of a NameNode and " + dataNodes.count() + " DataNodes, Hadoop "
                + cluster().hadoopVersion() + ", under " + folders[STOCK] + " and " + folders[FORESIGHT]);
        DiskThrottle[] throttles = {disks.throttle(folders[STOCK]), disks.throttle(folders[FORESIGHT])};
        System.out.println(disks.describe(throttles[STOCK]));
        List<Measurement> measured = new ArrayList<>();
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
                for (int round = 0; round < rounds.count(); round++) {
                    for (int turn = 0; turn < 2; turn++) {
                        int side = (round + turn) % 2;
                        System.out.println("Round " + (round + 1) + " of " + rounds.count() + ", " + name(side));
                        clusters[side].restartDataNodes(side == STOCK ? Installation.STOCK : release.dataNode());
                        read(warmingUp, side);
                        read(warmingUp, side);
                        Measurement empty = Measurement.of(workload(), name(side), 1, round + 1);
                        measured.add(measure(empty, reading, clusters[side], meters[side], throttles[side]));
                    }
                }
            }
        }
        RunConditions conditions =
                disks.conditions(throttles[STOCK]).verified("All bytes are compared with the bytes that were written.");
        return report(conditions, measured, Baseline.stock());
    }

    private Workload workload() {
        return Workload.of("one reader of " + files + " files of " + (logNormal ? "about " : "") + size + " bytes");
    }

    private FileLengths lengths() {
        int bytes = Math.toIntExact(size);
        return logNormal ? FileLengths.logNormal(bytes) : FileLengths.equal(bytes);
    }

    private static String name(int side) {
        return side == STOCK ? Baseline.STOCK : Baseline.FORESIGHT;
    }

    /** Starts a cluster without block scanner, which would read blocks during a measurement. */
    private ProcessCluster start(Path folder, Installation nameNode, Installation dataNode, DiskThrottle throttle)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(folder)
                .dataNodes(dataNodes.count())
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
        Duration limit = Duration.ofSeconds(600 + (long) (2 * rounds.count() + 2) * (60 + files));
        return OpenClients.launch(1, command, any.workDir().resolve("clients.log"), limit);
    }

    private static void read(OpenClients client, int side) throws IOException {
        client.prepare(side, 0, 0, 0, 1);
        client.open();
    }

    private Measurement measure(
            Measurement empty, OpenClients reading, ProcessCluster on, PassMeter meter, DiskThrottle throttle)
            throws IOException, InterruptedException {
        reading.prepare(empty.side().equals(Baseline.STOCK) ? STOCK : FORESIGHT, 0, 0, 0, 1);
        meter.settle();
        long prefetched = sum(on, "PrefetchedBytes");
        long wasted = sum(on, "WastedBytes");
        if (inodesWarm) {
            PageCache.dropPages();
        } else {
            PageCache.drop();
        }
        DiskReads before = DiskLimits.reads(throttle, dataNodes.count());
        meter.begin(reading);
        meter.open(reading);
        OpenPass pass = meter.end(reading);
        DiskReads reads = DiskLimits.reads(throttle, dataNodes.count()).since(before);
        Measurement measured =
                empty.with(FILES, files / pass.seconds()).with(TRIPS, (double) pass.roundTrips() / files);
        if (throttle.unavailableReason() == null) {
            measured = measured.with(DISK_READS, reads.requests())
                    .with(READS_PER_FILE, (double) reads.requests() / files)
                    .with(KIB_PER_FILE, reads.bytes() / KIB / files);
        }
        return empty.side().equals(Baseline.STOCK)
                ? measured
                : measured.with(PREFETCHED, (sum(on, "PrefetchedBytes") - prefetched) / MIB)
                        .with(WASTED, (sum(on, "WastedBytes") - wasted) / MIB);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.tools.bench.SmallFilesReport.Pass;
import io.github.foresight.tools.cluster.Daemon;
import io.github.foresight.tools.cluster.DiskReads;
import io.github.foresight.tools.cluster.DiskThrottle;
import io.github.foresight.tools.cluster.FileTree;
import io.github.foresight.tools.cluster.Installation;
import io.github.foresight.tools.cluster.PageCache;
import io.github.foresight.tools.cluster.ProcessCluster;
import io.github.foresight.tools.run.ClusterOptions;
import io.github.foresight.tools.run.Release;
import io.github.foresight.tools.workload.OpenOrders;
import io.github.foresight.tools.workload.OpenWorkload;
import io.github.foresight.tools.workload.SmallFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
    private static final int STOCK = 0;
    private static final int FORESIGHT = 1;

    @Option(names = "--files", defaultValue = "600", description = "Files (${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            defaultValue = "64k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds, each with both sides (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--datanodes", defaultValue = "4", description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    private int dataNodes;

    @Option(
            names = "--rate",
            defaultValue = "60",
            description = "Speed of each DataNode's disk in MiB/s, 0 for unlimited (${DEFAULT-VALUE}).")
    private int rateMib;

    @Option(
            names = "--iops",
            defaultValue = "120",
            description = "Reads that each DataNode's disk does in a second, 0 for unlimited (${DEFAULT-VALUE}).")
    private int readsPerSecond;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A key of Foresight's to set in all its processes; may be given more than once.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--files", files, 1);
        cluster.require("--size", size, 1);
        cluster.require("--rounds", rounds, 1);
        cluster.require("--datanodes", dataNodes, 1);
        cluster.require("--rate", rateMib, 0);
        cluster.require("--iops", readsPerSecond, 0);
        Path directory = cluster.newDirectory("foresight-small-files");
        SmallFilesReport report;
        try {
            report = run(new Release(cluster.home(), settings), directory);
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

    private SmallFilesReport run(Release release, Path directory) throws IOException, InterruptedException {
        System.out.println("Two clusters of a NameNode and " + dataNodes + " DataNodes under " + directory + ", Hadoop "
                + cluster.hadoopVersion());
        DiskThrottle[] throttles = {throttle(directory), throttle(directory)};
        String notThrottled = throttles[STOCK].unavailableReason();
        System.out.println(
                notThrottled == null
                        ? "Disks: " + rateMib + " MiB/s and " + readsPerSecond
                                + " reads/s for each DataNode (0: not limited)"
                        : "Disks: NOT limited: " + notThrottled);
        SmallFilesReport report = new SmallFilesReport(
                files, Math.toIntExact(size), cluster.hadoopVersion(), notThrottled, PageCache.canDrop());
        try (ProcessCluster stock =
                        start(directory, "stock", Installation.STOCK, Installation.STOCK, throttles[STOCK]);
                ProcessCluster foresight =
                        start(directory, "foresight", release.nameNode(), release.dataNode(), throttles[FORESIGHT])) {
            ProcessCluster[] clusters = {stock, foresight};
            for (ProcessCluster each : clusters) {
                new SmallFileSet(FOLDER, files, Math.toIntExact(size), SmallFiles.Naming.LETTERS)
                        .writeTo(each, release);
                new SmallFileSet(WARM_UP_FOLDER, WARM_UP_FILES, Math.toIntExact(size), SmallFiles.Naming.LETTERS)
                        .writeTo(each, release);
            }
            try (OpenClients learning = clients(release, clusters, FOLDER, files);
                    OpenClients warmingUp = clients(release, clusters, WARM_UP_FOLDER, WARM_UP_FILES);
                    OpenClients reading = clients(release, clusters, FOLDER, files)) {
                for (int side = 0; side < 2; side++) {
                    System.out.println("Reading for the first time, " + name(side));
                    read(learning, side);
                }
                PassMeter[] meters = {new PassMeter(stock.nameNode()), new PassMeter(foresight.nameNode())};
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

    private static String name(int side) {
        return side == STOCK ? "stock HDFS" : "Foresight";
    }

    private DiskThrottle throttle(Path directory) {
        return DiskThrottle.forDataIn(directory, (long) rateMib << 20, readsPerSecond);
    }

    private ProcessCluster start(
            Path directory, String name, Installation nameNode, Installation dataNode, DiskThrottle throttle)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(Files.createDirectories(directory.resolve(name)))
                .dataNodes(dataNodes)
                .conf("dfs.replication", "1")
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
                String.valueOf(size),
                String.valueOf(count),
                String.valueOf(count),
                OpenOrders.Kind.OWN.name(),
                OpenWorkload.Depth.WHOLE.name(),
                stockConf.toString(),
                clusters[FORESIGHT].clientConf("foresight", release.client()).toString()));
        Duration limit = Duration.ofSeconds(600 + (long) (2 * rounds + 2) * (60 + files));
        return OpenClients.launch(1, command, any.workDir().resolve("clients.log"), limit);
    }

    private static void read(OpenClients client, int side) throws IOException {
        client.prepare(side, 0, 0, 0);
        client.open();
    }

    private static Pass measure(
            OpenClients reading, int side, ProcessCluster on, PassMeter meter, DiskThrottle throttle)
            throws IOException, InterruptedException {
        reading.prepare(side, 0, 0, 0);
        meter.settle();
        long prefetched = sum(on, "PrefetchedBytes");
        long wasted = sum(on, "WastedBytes");
        PageCache.drop();
        DiskReads before = reads(throttle, on);
        MetadataPass pass = meter.measure(reading);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.run.TrialsOption;
import io.github.foresight.benchmarks.workload.OverheadWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of Foresight for unhinted reads and for writes, with all data in the page cache.
 *
 * <p>Three clusters of a NameNode and a DataNode run at the same time. Two clusters are stock HDFS: their difference is the noise of this
 * machine. The third has Foresight in its DataNode. The stock client reads from it, without hints. Foresight's client reads from it too; it
 * hints whole reads, but neither positioned reads nor small files.
 *
 * <p>Each of the four clients is a JVM of its own, as an application is. They do the same work by turns, in a random order. As many rounds come
 * first and are not measured, so that the code is compiled. Two JVMs that run the same program may differ by more than the cost, for as long as
 * they live. Each trial therefore has new clients and clusters, started in another order.
 */
@Command(
        name = "overhead",
        description =
                "The cost of unhinted reads and of writes, with everything in the page cache. Foresight's client is compared"
                        + " with the stock client on the same cluster. Only its whole reads are hinted.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class OverheadCommand extends Benchmark {

    static final Column TIME = new Column("time", "ms", 1, OF_STOCK, "time of the work");

    /** A cluster and a client. */
    enum Side {
        STOCK(Baseline.STOCK, false, false),
        STOCK_AGAIN(Baseline.STOCK_AGAIN, false, false),
        UNHINTED("Foresight, stock client", true, false),
        HINTED("Foresight, its client", true, true);

        final String title;
        final boolean dataNodeReadsAhead;
        final boolean clientHints;

        Side(String title, boolean dataNodeReadsAhead, boolean clientHints) {
            this.title = title;
            this.dataNodeReadsAhead = dataNodeReadsAhead;
            this.clientHints = clientHints;
        }

        /** The side that owns the cluster of this side: Foresight's client shares the cluster of the stock client. */
        Side clusterOf() {
            return this == HINTED ? UNHINTED : this;
        }
    }

    private static final long BLOCK_BYTES = 64L << 20;

    @Option(
            names = "--size",
            defaultValue = "512m",
            converter = ClusterOptions.Size.class,
            description =
                    "Bytes of the large file (${DEFAULT-VALUE}). Six times as much must be free, best in memory: with"
                            + " --work-dir /dev/shm no disk disturbs the figures.")
    @AtLeast(1 << 20)
    private long size;

    @Mixin
    private TrialsOption trials = new TrialsOption(6);

    @Mixin
    private RoundsOption rounds = new RoundsOption(12);

    @Override
    public List<Column> columns() {
        return List.of(TIME);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        List<Measurement> measured = new ArrayList<>();
        for (int trial = 0; trial < trials.count(); trial++) {
            System.out.println(trials.name(trial) + ": three clusters of a NameNode and a DataNode, Hadoop "
                    + cluster().hadoopVersion());
            Path directory = cluster().newTemporaryDirectory("foresight-overhead");
            try {
                measure(new Release(cluster().home()), directory, measured, trial);
            } finally {
                FileTree.delete(directory);
            }
        }
        List<String> titles =
                Arrays.stream(Side.values()).map(side -> side.title).toList();
        measured.sort(Comparator.comparing(each -> titles.indexOf(each.side())));
        return report(RunConditions.NONE, measured, baseline());
    }

    /** Compares a client with the stock client on the same cluster, and a cluster with the first stock cluster. */
    static Baseline baseline() {
        return (column, side) -> List.of(side.equals(Side.HINTED.title) ? Side.UNHINTED.title : Side.STOCK.title);
    }

    /**
     * The measurement of one turn.
     *
     * @param trial from 0 on
     * @param round from 0 on
     * @param line {@code TIME seconds}
     */
    static Measurement measurement(int trial, Side side, OverheadWorkload.Work work, int round, String line) {
        String seconds = line.substring("TIME ".length());
        return Measurement.of(Workload.of(work.name().toLowerCase(Locale.ROOT)), side.title, trial + 1, round + 1)
                .with(TIME, 1000 * Double.parseDouble(seconds));
    }

    private void measure(Release release, Path directory, List<Measurement> measured, int trial)
            throws IOException, InterruptedException {
        List<Side> sides = new ArrayList<>(List.of(Side.values()));
        Collections.rotate(sides, trial);
        Map<Side, ProcessCluster> clusters = new EnumMap<>(Side.class);
        Map<Side, ClientProcess> clients = new EnumMap<>(Side.class);
        try {
            for (Side side : sides) {
                ProcessCluster started = clusters.get(side.clusterOf());
                if (started == null) {
                    started = start(
                            directory.resolve(side.clusterOf().name()),
                            side.dataNodeReadsAhead ? release.dataNode() : Installation.STOCK);
                    clusters.put(side.clusterOf(), started);
                }
                clients.put(side, launch(release, started, side, directory));
            }
            takeTurns(clients, measured, trial);
        } finally {
            clients.values().forEach(ClientProcess::destroy);
            stopAll(clusters.values());
        }
    }

    private ClientProcess launch(Release release, ProcessCluster on, Side side, Path directory) throws IOException {
        Installation installation = side.clientHints ? release.client() : Installation.STOCK;
        List<String> command = on.clientCommand(
                on.clientConf(side.name(), installation),
                installation,
                List.of(release.toolsJar()),
                OverheadWorkload.class.getName());
        command.addAll(
                List.of(String.valueOf(size), String.valueOf(BLOCK_BYTES), on.uri() + "/overhead-" + side.name()));
        return ClientProcess.launch(
                command,
                directory.resolve(side.name() + ".log"),
                Duration.ofSeconds(300 + 2L * rounds.count() * (20 + (size >> 20) / 10)));
    }

    private void takeTurns(Map<Side, ClientProcess> clients, List<Measurement> measured, int trial)
            throws IOException, InterruptedException {
        for (Map.Entry<Side, ClientProcess> client : clients.entrySet()) {
            client.getValue().awaitLine("READY", "writing the files of " + client.getKey().title);
        }
        Random random = new Random(trial);
        List<Map.Entry<Side, ClientProcess>> order = new ArrayList<>(clients.entrySet());
        for (OverheadWorkload.Work work : OverheadWorkload.Work.values()) {
            for (int round = -rounds.count(); round < rounds.count(); round++) {
                Collections.shuffle(order, random);
                for (Map.Entry<Side, ClientProcess> client : order) {
                    Side side = client.getKey();
                    client.getValue().send(work.name());
                    String line = client.getValue().awaitLine("TIME", work + " of " + side.title);
                    if (round >= 0) {
                        measured.add(measurement(trial, side, work, round, line));
                    }
                }
            }
        }
        for (Map.Entry<Side, ClientProcess> client : clients.entrySet()) {
            client.getValue().endInput();
            client.getValue().awaitEnd("closing the file system of " + client.getKey().title);
        }
    }

    private static void stopAll(Collection<ProcessCluster> clusters) throws IOException {
        IOException failure = null;
        for (ProcessCluster cluster : clusters) {
            try {
                cluster.close();
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private ProcessCluster start(Path folder, Installation dataNode) throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(Files.createDirectories(folder))
                .dataNodes(1)
                .conf("dfs.replication", "1")
                .dataNodeInstallation(dataNode)
                .start();
    }
}

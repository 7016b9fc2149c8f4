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
import io.github.foresight.benchmarks.workload.AlternatingWorkload;
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
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of Foresight for unhinted reads and for writes, with all data in the page cache.
 *
 * <p>Three clusters of a NameNode and a DataNode run at the same time, and one process does the same work on each in turn. Two clusters are
 * stock HDFS: their difference is the noise of this machine. The third has Foresight in its DataNode. The stock client reads from it,
 * without hints. Foresight's client reads from it too; it hints whole reads, but neither positioned reads nor small files.
 *
 * <p>Two JVMs that run the same program may differ by more than the cost, for as long as they live. Each trial therefore has new
 * clusters, started in another order.
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
     * Reads a line {@code TIME work cluster round seconds}.
     *
     * @param sides of the clusters in this trial, in their order
     */
    static Measurement measurement(int trial, List<Side> sides, String line) {
        String[] words = line.split(" ", -1);
        Side side = sides.get(Integer.parseInt(words[2]));
        return Measurement.of(
                        Workload.of(words[1].toLowerCase(Locale.ROOT)),
                        side.title,
                        trial + 1,
                        Integer.parseInt(words[3]) + 1)
                .with(TIME, 1000 * Double.parseDouble(words[4]));
    }

    private void measure(Release release, Path directory, List<Measurement> measured, int trial)
            throws IOException, InterruptedException {
        List<Side> sides = new ArrayList<>(List.of(Side.values()));
        Collections.rotate(sides, trial);
        Map<Side, ProcessCluster> clusters = new EnumMap<>(Side.class);
        try {
            List<String> folders = new ArrayList<>();
            for (Side side : sides) {
                ProcessCluster started = clusters.get(side.clusterOf());
                if (started == null) {
                    started = start(
                            directory.resolve(side.clusterOf().name()),
                            side.dataNodeReadsAhead ? release.dataNode() : Installation.STOCK);
                    clusters.put(side.clusterOf(), started);
                }
                folders.add(started.clientConf(side.name(), side.clientHints ? release.client() : Installation.STOCK)
                        .toString());
            }
            ProcessCluster any = clusters.values().iterator().next();
            List<String> command = any.clientCommand(
                    any.clientConf("process", Installation.STOCK),
                    release.client(),
                    List.of(release.toolsJar()),
                    AlternatingWorkload.class.getName());
            command.addAll(List.of(String.valueOf(size), String.valueOf(BLOCK_BYTES), String.valueOf(rounds.count())));
            command.addAll(folders);
            run(command, directory.resolve("client.log"), line -> measured.add(measurement(trial, sides, line)));
        } finally {
            stopAll(clusters.values());
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

    private void run(List<String> command, Path log, Consumer<String> times) throws IOException, InterruptedException {
        ClientProcess process = ClientProcess.launch(
                command, log, Duration.ofSeconds(300 + 2L * rounds.count() * (20 + (size >> 20) / 10)));
        try {
            String last = "";
            for (String line = process.readLine(); line != null; line = process.readLine()) {
                if (line.startsWith("TIME ")) {
                    times.accept(line);
                }
                last = line;
            }
            process.awaitSuccess("the workload");
            if (!last.equals("END")) {
                throw process.failure("the workload");
            }
        } finally {
            process.destroy();
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

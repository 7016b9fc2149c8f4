/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.command.OverheadReport.Side;
import io.github.foresight.benchmarks.run.ClusterOptions;
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
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What Foresight costs where it does nothing: reads that are not hinted, and writes, with everything in the page cache.
 *
 * <p>Three clusters of a NameNode and a DataNode run at once, and one process does the same work on each in turn: two stock
 * ones, which tell how far equal clusters differ on this machine, and one with Foresight in its DataNode. That one is read by the
 * stock client, so that nothing is hinted, and by Foresight's client, which hints neither positioned reads nor small files. Two
 * JVMs that run the same program may differ for as long as they live by more than what is measured here, so all of it is done
 * in several trials with new clusters, started in another order each time.
 */
@Command(
        name = "overhead",
        description = "The cost of reads that are not hinted and of writes, with everything in the page cache.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class OverheadCommand implements Callable<Integer> {

    private static final String PROVIDER_KEY = "dfs.client.failover.proxy.provider.mycluster";
    private static final long BLOCK_BYTES = 64L << 20;

    @Option(
            names = "--size",
            defaultValue = "512m",
            converter = ClusterOptions.Size.class,
            description =
                    "Bytes of the large file (${DEFAULT-VALUE}). Six times as much must be free, best in memory: with"
                            + " --work-dir /dev/shm no disk disturbs the figures.")
    private long size;

    @Option(names = "--trials", defaultValue = "6", description = "How often new clusters are made (${DEFAULT-VALUE}).")
    private int trials;

    @Option(names = "--rounds", defaultValue = "12", description = "Measured rounds of each trial (${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--size", size, 1 << 20);
        cluster.require("--trials", trials, 1);
        cluster.require("--rounds", rounds, 1);
        Path home = cluster.home();
        OverheadReport report = new OverheadReport(trials, rounds, cluster.hadoopVersion());
        for (int trial = 0; trial < trials; trial++) {
            System.out.println("Trial " + (trial + 1) + " of " + trials
                    + ": three clusters of a NameNode and a DataNode, Hadoop " + cluster.hadoopVersion());
            Path directory = cluster.newTemporaryDirectory("foresight-overhead");
            try {
                measure(home, cluster.hadoopClasspath(), directory, report, trial);
            } finally {
                FileTree.delete(directory);
            }
        }
        System.out.print(report.table());
        Path json = cluster.json();
        if (json != null) {
            report.writeJson(json);
        }
        return 0;
    }

    private void measure(Path home, String classpath, Path directory, OverheadReport report, int trial)
            throws IOException, InterruptedException {
        Installation dataNode = Installation.of(
                home.resolve("lib/foresight-datanode.jar"), home.resolve("conf/foresight-datanode.xml"));
        Installation client = Installation.of(
                        home.resolve("lib/foresight-client.jar"), home.resolve("conf/foresight-client.xml"))
                .renaming(PROVIDER_KEY, "dfs.client.failover.proxy.provider." + ProcessCluster.host());
        List<Side> sides = new ArrayList<>(List.of(Side.values()));
        Collections.rotate(sides, trial);
        Map<Side, ProcessCluster> clusters = new EnumMap<>(Side.class);
        try {
            List<String> folders = new ArrayList<>();
            for (Side side : sides) {
                ProcessCluster cluster = clusters.get(side.clusterOf());
                if (cluster == null) {
                    cluster = cluster(
                            classpath,
                            directory.resolve(side.clusterOf().name()),
                            side.dataNodeReadsAhead ? dataNode : Installation.STOCK);
                    clusters.put(side.clusterOf(), cluster);
                }
                folders.add(cluster.clientConf(side.name(), side.clientHints ? client : Installation.STOCK)
                        .toString());
            }
            ProcessCluster any = clusters.values().iterator().next();
            List<String> command = any.clientCommand(
                    any.clientConf("process", Installation.STOCK),
                    client,
                    List.of(home.resolve("lib/foresight-benchmarks.jar")),
                    AlternatingWorkload.class.getName());
            command.addAll(List.of(String.valueOf(size), String.valueOf(BLOCK_BYTES), String.valueOf(rounds)));
            command.addAll(folders);
            run(command, directory.resolve("client.log"), line -> report.add(trial, sides, line));
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
        ClientProcess process =
                ClientProcess.launch(command, log, Duration.ofSeconds(300 + (long) rounds * (20 + (size >> 20) / 10)));
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

    private static ProcessCluster cluster(String classpath, Path folder, Installation dataNode)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(classpath)
                .workDir(Files.createDirectories(folder))
                .dataNodes(1)
                .conf("dfs.replication", "1")
                .dataNodeInstallation(dataNode)
                .start();
    }
}

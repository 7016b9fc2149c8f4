/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How often the NameNode is asked when many small files are opened, and how long that takes.
 *
 * <p>Two clusters run at once, one stock and one with all that is shipped, as it is shipped, and others beside them if that is
 * asked for. Client processes open the same files in the same orders on each in turn, a part of a pass at a time. In each round Foresight's NameNode first forgets what it knows;
 * then the orders come for the first time, and then again, each by another process than before.
 */
@Command(
        name = "metadata",
        description = "Opens of small files in orders that were seen before: NameNode round trips per open, and time.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MetadataCommand implements Callable<Integer> {

    private static final String FOLDER = "/metadata";
    private static final String CLIENT_HEAP = "256m";

    @Option(names = "--files", defaultValue = "5000", description = "Files (${DEFAULT-VALUE}).")
    private int files;

    @Option(names = "--clients", defaultValue = "8", description = "Client processes (${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--opens",
            defaultValue = "20000",
            description = "Opens of all clients in a pass (${DEFAULT-VALUE}).")
    private int opens;

    @Option(
            names = "--orders",
            defaultValue = "SHARED",
            description =
                    "shared: runs of 50 files in one order for all, each client with its own order of runs; own: each client"
                            + " with its own order; random: never the same order twice (${DEFAULT-VALUE}).")
    private OpenOrders.Kind orders = OpenOrders.Kind.SHARED;

    @Option(names = "--open-only", description = "Read nothing of what is opened; else 16 bytes are read.")
    private boolean openOnly;

    @Option(names = "--bytes", defaultValue = "4096", description = "Bytes of each file (${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--trials",
            defaultValue = "1",
            description =
                    "How often all is started anew, each time in another order, for what is started later is often"
                            + " slower by some per cent (${DEFAULT-VALUE}).")
    private int trials;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds of each trial (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-ups",
            defaultValue = "40",
            description = "Rounds before those, until the processes' code is compiled (${DEFAULT-VALUE}).")
    private int warmUps;

    @Option(
            names = "--parts",
            defaultValue = "8",
            description =
                    "Parts of a pass, each done on one cluster and then on the other, for the machine's speed changes"
                            + " (${DEFAULT-VALUE}).")
    private int parts;

    @Option(names = "--datanodes", defaultValue = "2", description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    private int dataNodes;

    @Option(
            names = "--also",
            split = ",",
            description =
                    "Further clusters to measure beside: control (stock again), and those of which the NameNode, the"
                            + " DataNodes or the clients alone are Foresight's. Of: ${COMPLETION-CANDIDATES}.")
    private List<MetadataSide> also = List.of();

    @Mixin
    private KeySettings settings = new KeySettings();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--files", files, 1);
        cluster.require("--clients", clients, 1);
        cluster.require("--opens", opens, clients);
        cluster.require("--bytes", bytes, 1);
        cluster.require("--trials", trials, 1);
        cluster.require("--rounds", rounds, 1);
        cluster.require("--warm-ups", warmUps, 0);
        cluster.require("--parts", parts, 1);
        cluster.require("--datanodes", dataNodes, 1);
        Release release = new Release(cluster.home(), settings.over(Map.of()));
        MetadataReport report = new MetadataReport(orders, opensOfClient() * clients, cluster.hadoopVersion());
        Path directory = cluster.newTemporaryDirectory("foresight-metadata");
        try {
            for (int trial = 0; trial < trials; trial++) {
                measure(trial, release, Files.createDirectories(directory.resolve("trial" + trial)), report);
            }
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

    private int opensOfClient() {
        return opens / clients;
    }

    private void measure(int trial, Release release, Path directory, MetadataReport report)
            throws IOException, InterruptedException {
        List<MetadataSide> sides = new ArrayList<>(sides());
        Collections.rotate(sides, trial);
        System.out.println("Trial " + (trial + 1) + " of " + trials + ": " + sides.size()
                + " clusters of a NameNode and " + dataNodes + " DataNodes under " + directory + ", Hadoop "
                + cluster.hadoopVersion());
        List<MetadataContestant> contestants = new ArrayList<>();
        try {
            for (MetadataSide side : sides) {
                contestants.add(start(side, release, directory));
            }
            System.out.println("Warming up");
            for (int round = 0; round < warmUps; round++) {
                warmUp(contestants, round);
            }
            for (MetadataContestant contestant : contestants) {
                contestant.settle();
            }
            for (int round = 0; round < rounds; round++) {
                MetadataReport.Round measured = round(trial, contestants, warmUps + round);
                report.add(measured);
                System.out.printf(
                        Locale.ROOT,
                        "Round %d of %d: %.3f times stock's time%n",
                        round + 1,
                        rounds,
                        measured.ratio(MetadataSide.FORESIGHT, pass -> pass.seconds));
            }
        } finally {
            for (MetadataContestant contestant : contestants) {
                contestant.close();
            }
            FileTree.delete(directory);
        }
    }

    private List<MetadataSide> sides() {
        Set<MetadataSide> sides = EnumSet.of(MetadataSide.STOCK, MetadataSide.FORESIGHT);
        sides.addAll(also);
        return List.copyOf(sides);
    }

    private MetadataContestant start(MetadataSide side, Release release, Path directory)
            throws IOException, InterruptedException {
        Path log = directory.resolve("clients.log");
        ProcessCluster started = ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(Files.createDirectories(directory.resolve(side.name().toLowerCase(Locale.ROOT))))
                .dataNodes(dataNodes)
                .conf("dfs.replication", "1")
                .nameNodeInstallation(side.nameNode(release))
                .dataNodeInstallation(side.dataNode(release))
                .start();
        try {
            new SmallFileSet(FOLDER, files, bytes, SmallFiles.Naming.LETTERS).writeTo(started, release);
            OpenClients processes =
                    OpenClients.launch(clients, command(started, side.client(release), release), log, limit());
            try {
                return new MetadataContestant(side, started, processes, log);
            } catch (IOException | InterruptedException e) {
                processes.close();
                throw e;
            }
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
    }

    /**
     * Of a process that opens files, with a heap of one size. HDFS's client alone stays just below the classes at which a JVM first
     * collects garbage for their sake, and then makes its heap smaller; any application is above, and so is a client with Foresight.
     */
    private List<String> command(ProcessCluster of, Installation client, Release release) throws IOException {
        Path conf = of.clientConf("reading", client);
        List<String> command =
                of.clientCommand(conf, client, List.of(release.toolsJar()), OpenWorkload.class.getName());
        command.addAll(2, List.of("-Xms" + CLIENT_HEAP, "-Xmx" + CLIENT_HEAP));
        OpenWorkload.Depth depth = openOnly ? OpenWorkload.Depth.OPEN : OpenWorkload.Depth.BEGINNING;
        command.addAll(List.of(
                FOLDER,
                String.valueOf(bytes),
                String.valueOf(files),
                String.valueOf(opensOfClient()),
                orders.name(),
                depth.name(),
                conf.toString()));
        return command;
    }

    private static void warmUp(List<MetadataContestant> contestants, int round)
            throws IOException, InterruptedException {
        for (MetadataContestant contestant : contestants) {
            contestant.forget();
        }
        for (int pass = 0; pass < 2; pass++) {
            for (MetadataContestant contestant : contestants) {
                contestant.warmUp(round, pass);
            }
        }
    }

    private MetadataReport.Round round(int trial, List<MetadataContestant> contestants, int round)
            throws IOException, InterruptedException {
        for (MetadataContestant contestant : contestants) {
            contestant.forget();
        }
        Map<MetadataSide, MetadataPass> first = pass(contestants, round, 0);
        return new MetadataReport.Round(trial, first, pass(contestants, round, 1));
    }

    private Map<MetadataSide, MetadataPass> pass(List<MetadataContestant> contestants, int round, int pass)
            throws IOException, InterruptedException {
        for (MetadataContestant contestant : contestants) {
            contestant.begin(round, pass, parts);
        }
        for (int part = 0; part < parts; part++) {
            for (MetadataContestant contestant : inTurn(contestants, round + part)) {
                contestant.open();
            }
        }
        Map<MetadataSide, MetadataPass> passes = new EnumMap<>(MetadataSide.class);
        for (MetadataContestant contestant : contestants) {
            passes.put(contestant.side, contestant.end());
        }
        return passes;
    }

    /** All, each at another place from turn to turn, and as often before any other as after it. */
    private static List<MetadataContestant> inTurn(List<MetadataContestant> contestants, int turn) {
        List<MetadataContestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, turn / 2);
        if (turn % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    private Duration limit() {
        return Duration.ofSeconds((long) (sides().size() + 1) * (150 + (warmUps + rounds) * (20 + opens / 200)));
    }
}

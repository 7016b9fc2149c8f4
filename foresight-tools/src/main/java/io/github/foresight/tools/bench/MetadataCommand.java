/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import io.github.foresight.tools.cluster.ClientProcess;
import io.github.foresight.tools.cluster.FileTree;
import io.github.foresight.tools.cluster.Installation;
import io.github.foresight.tools.cluster.ProcessCluster;
import io.github.foresight.tools.run.ClusterOptions;
import io.github.foresight.tools.run.KeySettings;
import io.github.foresight.tools.run.Release;
import io.github.foresight.tools.workload.OpenOrders;
import io.github.foresight.tools.workload.OpenWorkload;
import io.github.foresight.tools.workload.SmallFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How often the NameNode is asked when many small files are opened, and how long that takes.
 *
 * <p>Two clusters run at once, one stock and one with all that is shipped, as it is shipped. Client processes open the same files
 * in the same orders on each in turn, a part of a pass at a time. In each round Foresight's NameNode first forgets what it knows;
 * then the orders come for the first time, and then again, each by another process than before.
 */
@Command(
        name = "metadata",
        description = "Opens of small files in orders that were seen before: NameNode round trips per open, and time.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MetadataCommand implements Callable<Integer> {

    private static final String FOLDER = "/metadata";
    private static final int STOCK = 0;
    private static final int FORESIGHT = 1;
    private static final String ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";

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

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-ups",
            defaultValue = "10",
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
        cluster.require("--rounds", rounds, 1);
        cluster.require("--warm-ups", warmUps, 0);
        cluster.require("--parts", parts, 1);
        cluster.require("--datanodes", dataNodes, 1);
        Release release = new Release(cluster.home(), settings.over(Map.of()));
        MetadataReport report = new MetadataReport(orders, opensOfClient() * clients, cluster.hadoopVersion());
        Path directory = cluster.newDirectory("foresight-metadata");
        try {
            run(release, directory, report);
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

    private void run(Release release, Path directory, MetadataReport report) throws IOException, InterruptedException {
        System.out.println("Two clusters of a NameNode and " + dataNodes + " DataNodes under " + directory + ", Hadoop "
                + cluster.hadoopVersion());
        try (ProcessCluster stock = cluster(directory, "stock", Installation.STOCK, Installation.STOCK);
                ProcessCluster foresight = cluster(directory, "foresight", release.nameNode(), release.dataNode())) {
            SmallFileSet set = new SmallFileSet(FOLDER, files, bytes, SmallFiles.Naming.LETTERS);
            set.writeTo(stock, release);
            set.writeTo(foresight, release);
            Path log = directory.resolve("clients.log");
            try (OpenClients stockClients =
                            OpenClients.launch(clients, command(stock, Installation.STOCK, release), log, limit());
                    OpenClients foresightClients =
                            OpenClients.launch(clients, command(foresight, release.client(), release), log, limit())) {
                OpenClients[] processes = {stockClients, foresightClients};
                PassMeter[] meters = {new PassMeter(stock), new PassMeter(foresight)};
                System.out.println("Warming up");
                for (int round = 0; round < warmUps; round++) {
                    forget(foresight, directory);
                    warmUp(processes, round);
                }
                for (PassMeter meter : meters) {
                    meter.settle();
                }
                for (int round = 0; round < rounds; round++) {
                    System.out.println("Round " + (round + 1) + " of " + rounds);
                    forget(foresight, directory);
                    report.add(round(processes, meters, warmUps + round));
                }
            }
        }
    }

    /** Of a process that opens files; compiled as in a short life, for a second compiler would be most of what is measured. */
    private List<String> command(ProcessCluster of, Installation client, Release release) throws IOException {
        Path conf = of.clientConf("reading", client);
        List<String> command =
                of.clientCommand(conf, client, List.of(release.toolsJar()), OpenWorkload.class.getName());
        command.add(1, "-XX:TieredStopAtLevel=1");
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

    private static void warmUp(OpenClients[] processes, int round) throws IOException {
        for (int pass = 0; pass < 2; pass++) {
            for (OpenClients clients : processes) {
                clients.prepare(0, round, pass, pass, 1);
                clients.open();
            }
        }
    }

    private MetadataReport.Round round(OpenClients[] processes, PassMeter[] meters, int round)
            throws IOException, InterruptedException {
        MetadataPass[][] passes = new MetadataPass[2][2];
        for (int pass = 0; pass < 2; pass++) {
            for (int side = STOCK; side <= FORESIGHT; side++) {
                processes[side].prepare(0, round, pass, pass, parts);
                meters[side].begin(processes[side]);
            }
            for (int turn = 0; turn < 2 * parts; turn++) {
                // Each is as often the first of two.
                int side = (round + (turn + 1) / 2) % 2 == 0 ? STOCK : FORESIGHT;
                meters[side].open(processes[side]);
            }
            for (int side = STOCK; side <= FORESIGHT; side++) {
                passes[pass][side] = meters[side].end(processes[side]);
            }
        }
        return new MetadataReport.Round(passes[0][STOCK], passes[0][FORESIGHT], passes[1][STOCK], passes[1][FORESIGHT]);
    }

    private Duration limit() {
        return Duration.ofSeconds(300 + (warmUps + rounds) * (60 + opens / 100));
    }

    private ProcessCluster cluster(Path directory, String name, Installation nameNode, Installation dataNode)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(Files.createDirectories(directory.resolve(name)))
                .dataNodes(dataNodes)
                .conf("dfs.replication", "1")
                .nameNodeInstallation(nameNode)
                .dataNodeInstallation(dataNode)
                .start();
    }

    private void forget(ProcessCluster foresight, Path directory) throws IOException, InterruptedException {
        List<String> command = foresight.clientCommand(
                foresight.clientConf("admin", Installation.STOCK), Installation.STOCK, List.of(), ADMIN);
        command.addAll(List.of("-refresh", foresight.uri().substring("hdfs://".length()), "foresight", "clear"));
        ClientProcess.run(
                command,
                directory.resolve("clients.log"),
                Duration.ofSeconds(60),
                "'dfsadmin -refresh foresight clear'");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.command.NameNodeReport.Operation;
import io.github.foresight.benchmarks.command.NameNodeReport.Run;
import io.github.foresight.benchmarks.command.NameNodeReport.Side;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.benchmarks.workload.ThroughputWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Daemon;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What the NameNode's plugin costs clients that have nothing of it: Hadoop's own {@code NNThroughputBenchmark} over RPC, which opens
 * files, asks for their status, or creates, deletes and renames files from many threads.
 *
 * <p>Four NameNodes run at once, each with a DataNode, so that files have blocks with places: two stock ones, which tell how far
 * equal NameNodes differ on this machine, one with the plugin and all of it switched off, one with the plugin as it is shipped. One
 * process asks each of them in turn. Two JVMs that run the same program may differ for as long as they live, so the NameNodes are
 * started anew, in other roles, for each of several trials.
 */
@Command(
        name = "namenode",
        description = "Hadoop's NNThroughputBenchmark against a NameNode with the plugin and one without.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class NameNodeCommand implements Callable<Integer> {

    private static final String FOLDER = "/nnThroughputBenchmark/open";
    private static final String OPS_PER_SECOND = "Ops per sec:";
    private static final int FILE_BYTES = 16;
    private static final int MIN_WARM_UP = 2;
    private static final List<String> FEATURES =
            List.of("learn", "prefetch", "siblings", "invalidate", "lease", "balance", "bundle", "reuse");

    /** The client's own complaints to standard error, what the benchmark finds to standard output. */
    private static final String LOG4J = "log4j.rootLogger=ERROR,complaints\n"
            + "log4j.appender.complaints=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.complaints.target=System.err\n"
            + "log4j.appender.complaints.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.complaints.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n\n"
            + "log4j.logger.org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark=INFO,results\n"
            + "log4j.appender.results=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.results.target=System.out\n"
            + "log4j.appender.results.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.results.layout.ConversionPattern=%m%n\n";

    @Option(
            names = "--operations",
            split = ",",
            defaultValue = "OPEN,FILE_STATUS",
            description = "What is done: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private List<Operation> operations = List.of();

    @Option(
            names = "--files",
            defaultValue = "20000",
            description = "Files, and operations of one run (${DEFAULT-VALUE}).")
    private int files;

    @Option(names = "--threads", defaultValue = "8", description = "Threads that ask at once (${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--trials",
            defaultValue = "3",
            description = "How often NameNodes are started anew (${DEFAULT-VALUE}).")
    private int trials;

    @Option(names = "--rounds", defaultValue = "12", description = "Measured rounds of each trial (${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--threads", threads, 1);
        cluster.require("--files", files, 2L * threads);
        cluster.require("--trials", trials, 1);
        cluster.require("--rounds", rounds, 1);
        NameNodeReport report = new NameNodeReport(trials, rounds, cluster.hadoopVersion());
        Path directory = cluster.newTemporaryDirectory("foresight-namenode");
        try {
            run(new Release(cluster.home()), directory, report);
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

    private void run(Release release, Path directory, NameNodeReport report) throws IOException, InterruptedException {
        List<ProcessCluster> clusters = new ArrayList<>();
        try {
            for (int i = 0; i < Side.values().length; i++) {
                ProcessCluster started = start(directory.resolve("cluster" + i));
                clusters.add(started);
                new SmallFileSet(FOLDER, files, FILE_BYTES, SmallFiles.Naming.THROUGHPUT).writeTo(started, release);
            }
            for (int trial = 0; trial < trials; trial++) {
                System.out.println("Trial " + (trial + 1) + " of " + trials + ": starting the NameNodes anew");
                measure(release, roles(release, clusters, trial), report, trial);
            }
        } finally {
            for (ProcessCluster started : clusters) {
                started.close();
            }
        }
    }

    private ProcessCluster start(Path folder) throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
                .workDir(Files.createDirectories(folder))
                .dataNodes(1)
                .conf("dfs.replication", "1")
                .conf("dfs.namenode.safemode.extension", "0")
                .start();
    }

    private static Map<Side, ProcessCluster> roles(Release release, List<ProcessCluster> clusters, int trial)
            throws IOException, InterruptedException {
        Map<Side, ProcessCluster> roles = new EnumMap<>(Side.class);
        List<Side> sides = List.of(Side.values());
        for (int i = 0; i < sides.size(); i++) {
            ProcessCluster started = clusters.get((i + trial) % clusters.size());
            started.restartNameNode(installation(release, sides.get(i)));
            roles.put(sides.get(i), started);
        }
        return roles;
    }

    private static Installation installation(Release release, Side side) throws IOException {
        switch (side) {
            case FORESIGHT:
                return release.nameNode();
            case IDLE:
                Installation idle = release.nameNode();
                for (String feature : FEATURES) {
                    idle = idle.with("foresight.namenode." + feature + ".enabled", "false");
                }
                return idle;
            default:
                return Installation.STOCK;
        }
    }

    private void measure(Release release, Map<Side, ProcessCluster> roles, NameNodeReport report, int trial)
            throws IOException, InterruptedException {
        ProcessCluster any = roles.values().iterator().next();
        Path folder = any.workDir();
        Path conf = any.clientConf(
                "throughput",
                Installation.STOCK.with("hadoop.tmp.dir", folder.resolve("tmp").toString()));
        Files.writeString(conf.resolve("log4j.properties"), LOG4J);
        List<String> command = any.clientCommand(
                conf, Installation.STOCK, List.of(release.toolsJar()), ThroughputWorkload.class.getName());
        command.add(String.valueOf(threads));
        ClientProcess asking = ClientProcess.launch(command, folder.resolve("throughput.log"), limit());
        try {
            Random random = new Random(trial);
            List<Side> order = new ArrayList<>(roles.keySet());
            int warmUp = Math.max(MIN_WARM_UP, rounds / 2);
            for (Operation operation : operations) {
                System.out.println("Trial " + (trial + 1) + " of " + trials + ": " + operation.title);
                for (int round = -warmUp; round < rounds; round++) {
                    Collections.shuffle(order, random);
                    for (Side side : order) {
                        Run run = ask(asking, Objects.requireNonNull(roles.get(side)), operation);
                        if (round >= 0) {
                            report.add(operation, side, trial, round, run);
                        }
                    }
                }
            }
        } finally {
            asking.destroy();
        }
    }

    /** A run, and another of next to no operations to know what was not theirs of the NameNode's processor time. */
    private Run ask(ClientProcess asking, ProcessCluster asked, Operation operation) throws IOException {
        Run run = ask(asking, asked, operation, files);
        Run rest = ask(asking, asked, operation, threads);
        double cpuMicros = run.cpuMicrosPerOp * files - rest.cpuMicrosPerOp * threads;
        return new Run(run.opsPerSecond, cpuMicros / (files - threads));
    }

    private static Run ask(ClientProcess asking, ProcessCluster asked, Operation operation, int count)
            throws IOException {
        String doing = "Hadoop's benchmark (" + operation.title + ')';
        asking.send(asked.uri() + ' ' + operation.title + ' ' + count);
        asking.awaitLine("READY", doing);
        Daemon nameNode = asked.nameNode();
        Duration before = nameNode.cpuTime();
        asking.signal();
        double opsPerSecond = -1;
        for (String line = asking.readLine(); !"DONE".equals(line); line = asking.readLine()) {
            if (line == null) {
                throw asking.failure(doing);
            }
            int at = line.indexOf(OPS_PER_SECOND);
            if (at >= 0) {
                opsPerSecond = Double.parseDouble(
                        line.substring(at + OPS_PER_SECOND.length()).trim());
            }
        }
        if (opsPerSecond < 0) {
            throw new IOException(doing + " told no operations per second");
        }
        return new Run(opsPerSecond, nameNode.cpuTime().minus(before).toNanos() / 1e3 / count);
    }

    private Duration limit() {
        return Duration.ofSeconds(300 + 16L * (rounds + 4) * (2 + files / 500));
    }
}

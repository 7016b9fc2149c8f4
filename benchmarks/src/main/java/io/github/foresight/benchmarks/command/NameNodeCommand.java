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
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.run.TrialsOption;
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
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of the NameNode's plugin for stock clients, with Hadoop's own {@code NNThroughputBenchmark} over RPC. It opens files,
 * asks for their status, or creates, deletes and renames files from many threads.
 *
 * <p>Four NameNodes run at the same time, each with a DataNode, so that files have blocks with locations:
 *
 * <ul>
 *   <li>two stock NameNodes, whose difference is the noise of this machine;
 *   <li>a NameNode with the plugin and all its features off;
 *   <li>a NameNode with the plugin as shipped.
 * </ul>
 *
 * <p>One process asks each NameNode in turn. Two JVMs that run the same program may differ for as long as they live. Each trial therefore
 * restarts the NameNodes in other roles.
 */
@Command(
        name = "namenode",
        description =
                "Hadoop's NNThroughputBenchmark against a NameNode with the plugin and one without. The baseline is the mean"
                        + " of two stock NameNodes.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class NameNodeCommand extends Benchmark {

    static final Column OPS =
            new Column("ops", "1/s", 0, OF_STOCK, "operations per second, as Hadoop's benchmark prints it");
    static final Column CPU =
            new Column("CPU", "us/op", 1, OF_STOCK, "processor time of the NameNode for each operation");

    /** The least operations per second, as a multiple of stock's. */
    private static final double TARGET = 0.97;

    /** The sides, in the order of the table. */
    static final List<String> SIDES =
            List.of(Baseline.STOCK, Baseline.STOCK_AGAIN, "plugin, all switched off", "plugin, as shipped");

    private static final int IDLE = 2;
    private static final int SHIPPED = 3;

    /** An operation of Hadoop's benchmark. */
    enum Operation {
        OPEN("open"),
        FILE_STATUS("fileStatus"),
        CREATE("create"),
        DELETE("delete"),
        RENAME("rename");

        final String title;

        Operation(String title) {
            this.title = title;
        }
    }

    /** A run of Hadoop's benchmark. Immutable. */
    private record Run(double opsPerSecond, double cpuMicrosPerOp) {}

    private static final String FOLDER = "/nnThroughputBenchmark/open";
    private static final String OPS_PER_SECOND = "Ops per sec:";
    private static final int FILE_BYTES = 16;
    private static final int MIN_WARM_UP = 2;
    private static final List<String> FEATURES =
            List.of("learn", "prefetch", "siblings", "invalidate", "lease", "balance", "bundle", "reuse");

    /** Sends the client's errors to standard error, and the results of the benchmark to standard output. */
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
            description = "Operations: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private List<Operation> operations = List.of();

    @Option(
            names = "--files",
            defaultValue = "20000",
            description = "Files, and operations of one run; at least two for each thread (${DEFAULT-VALUE}).")
    private int files;

    @Option(names = "--threads", defaultValue = "8", description = "Threads that ask at once (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int threads;

    @Mixin
    private TrialsOption trials = new TrialsOption(3);

    @Mixin
    private RoundsOption rounds = new RoundsOption(12);

    @Override
    public List<Column> columns() {
        return List.of(OPS, CPU);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().require("--files", files, 2L * threads);
        List<Measurement> measured = new ArrayList<>();
        Path directory = cluster().newTemporaryDirectory("foresight-namenode");
        try {
            run(new Release(cluster().home()), directory, measured);
        } finally {
            FileTree.delete(directory);
        }
        measured.sort(Comparator.comparing(each -> SIDES.indexOf(each.side())));
        return withTarget(report(RunConditions.NONE, measured, Baseline.bothStocks()));
    }

    static BenchReport withTarget(BenchReport report) {
        return report.target(
                "the plugin as shipped leaves at least 0.97 of stock's operations per second",
                TARGET,
                result -> result.side().equals(SIDES.get(SHIPPED)),
                result -> result.ratio(OPS) >= TARGET);
    }

    private void run(Release release, Path directory, List<Measurement> measured)
            throws IOException, InterruptedException {
        List<ProcessCluster> clusters = new ArrayList<>();
        try {
            for (int i = 0; i < SIDES.size(); i++) {
                ProcessCluster started = start(directory.resolve("cluster" + i));
                clusters.add(started);
                new SmallFileSet(FOLDER, files, FILE_BYTES, SmallFiles.Naming.THROUGHPUT).writeTo(started, release);
            }
            for (int trial = 0; trial < trials.count(); trial++) {
                System.out.println(trials.name(trial) + ": starting the NameNodes anew");
                measure(release, roles(release, clusters, trial), measured, trial);
            }
        } finally {
            for (ProcessCluster started : clusters) {
                started.close();
            }
        }
    }

    private ProcessCluster start(Path folder) throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(Files.createDirectories(folder))
                .dataNodes(1)
                .conf("dfs.replication", "1")
                .conf("dfs.namenode.safemode.extension", "0")
                .start();
    }

    /** Restarts the NameNodes: the cluster of each side, in the order of the sides. */
    private static List<ProcessCluster> roles(Release release, List<ProcessCluster> clusters, int trial)
            throws IOException, InterruptedException {
        List<ProcessCluster> roles = new ArrayList<>(clusters);
        Collections.rotate(roles, -trial);
        for (int side = 0; side < roles.size(); side++) {
            roles.get(side).restartNameNode(installation(release, side));
        }
        return roles;
    }

    private static Installation installation(Release release, int side) throws IOException {
        switch (side) {
            case SHIPPED:
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

    private void measure(Release release, List<ProcessCluster> roles, List<Measurement> measured, int trial)
            throws IOException, InterruptedException {
        ProcessCluster any = roles.get(0);
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
            List<String> order = new ArrayList<>(SIDES);
            int warmUp = Math.max(MIN_WARM_UP, rounds.count() / 2);
            for (Operation operation : operations) {
                System.out.println(trials.name(trial) + ": " + operation.title);
                for (int round = -warmUp; round < rounds.count(); round++) {
                    Collections.shuffle(order, random);
                    for (String side : order) {
                        Run run = ask(asking, roles.get(SIDES.indexOf(side)), operation);
                        if (round >= 0) {
                            measured.add(Measurement.of(Workload.of(operation.title), side, trial + 1, round + 1)
                                    .with(OPS, run.opsPerSecond)
                                    .with(CPU, run.cpuMicrosPerOp));
                        }
                    }
                }
            }
        } finally {
            asking.destroy();
        }
    }

    /** Does a run, and takes off the processor time that a run with hardly any operations takes. */
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
            throw new IOException(doing + " printed no operations per second");
        }
        return new Run(opsPerSecond, nameNode.cpuTime().minus(before).toNanos() / 1e3 / count);
    }

    private Duration limit() {
        return Duration.ofSeconds(300 + 16L * (rounds.count() + 4) * (2 + files / 500));
    }
}

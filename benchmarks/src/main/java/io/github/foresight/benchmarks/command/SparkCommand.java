/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;
import static io.github.foresight.benchmarks.report.Comparison.TIMES_AS_FAST;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.SparkWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Counts the requests to the NameNode of a Spark SQL query over many Parquet files.
 *
 * <p>One cluster is stock HDFS, the other is Foresight as shipped. Spark comes from Maven with its own shaded Hadoop client. Each query runs
 * in a fresh JVM, so that Foresight knows the order of the files from queries before, and no layout.
 */
@Command(
        name = "spark",
        description = "Requests to the NameNode of a Spark SQL query over Parquet files, each in a fresh JVM.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SparkCommand extends Benchmark {

    static final Column REQUESTS =
            new Column("requests/file", "", 2, OF_STOCK, "requests of all kinds to the NameNode for each file");
    static final Column OPENS = new Column("opens/file", "", 2, NONE, "of these, getBlockLocations");
    static final Column STATUSES = new Column("statuses/file", "", 2, NONE, "of these, getFileInfo");
    static final Column SECONDS = new Column("query", "s", 2, TIMES_AS_FAST, "seconds of the query in its fresh JVM");

    /** The most requests for each file. */
    private static final double TARGET = 0.25;

    /** The NameNode publishes its metrics once a second. */
    private static final long METRICS_MILLIS = 2_500;

    private static final String FOLDER = "/parquet";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Option(names = "--files", defaultValue = "200", description = "Parquet files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(names = "--rows", defaultValue = "5000", description = "Rows of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int rows;

    @Option(
            names = "--learn",
            defaultValue = "2",
            description = "Queries before the first measured one (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int learned;

    @Option(
            names = "--spark-version",
            defaultValue = "4.0.1",
            description = "Version of spark-sql_2.13 from Maven (${DEFAULT-VALUE}).")
    private String sparkVersion = "";

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(3);

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(REQUESTS, OPENS, STATUSES, SECONDS);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-spark");
        Release release = new Release(cluster().home(), settings.over(Map.of()));
        List<Measurement> measured = new ArrayList<>();
        try (ProcessCluster stock = start(directory.resolve("stock"), Installation.STOCK, Installation.STOCK);
                ProcessCluster foresight =
                        start(directory.resolve("foresight"), release.nameNode(), release.dataNode())) {
            List<Side> sides = List.of(
                    new Side(Baseline.STOCK, stock, Installation.STOCK, release),
                    new Side(Baseline.FORESIGHT, foresight, release.client(), release));
            for (Side side : sides) {
                side.write();
            }
            for (int round = 1 - learned; round <= rounds.count(); round++) {
                System.out.println(round < 1 ? "Query before the rounds" : "Round " + round + " of " + rounds.count());
                for (Side side : sides) {
                    Measurement query = side.query(round);
                    if (round >= 1) {
                        measured.add(query);
                    }
                }
            }
            if (!sides.get(0).answer.equals(sides.get(1).answer)) {
                throw new IOException("the two clusters give different rows");
            }
        } finally {
            FileTree.delete(directory);
        }
        return report(
                        RunConditions.NONE
                                .verified("All queries of both sides give the same rows.")
                                .saying("Spark " + sparkVersion
                                        + " with its own Hadoop client, two threads; data from memory."),
                        measured,
                        Baseline.stock())
                .target(
                        "a file costs at most 0.25 requests",
                        TARGET,
                        result -> result.side().equals(Baseline.FORESIGHT),
                        result -> result.median(REQUESTS) <= TARGET);
    }

    private ProcessCluster start(Path folder, Installation nameNode, Installation dataNode)
            throws IOException, InterruptedException {
        return ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(Files.createDirectories(folder))
                .dataNodes(dataNodes.count())
                .conf("dfs.replication", String.valueOf(dataNodes.count()))
                .nameNodeInstallation(nameNode)
                .dataNodeInstallation(dataNode)
                .start();
    }

    /**
     * Requests of clients by method, without the daemons' own.
     *
     * @param bean of the RPC server's detailed metrics, which has further counters of the same requests for the time from their
     *     arrival ({@code Overall}) and for answers that came later ({@code Deferred})
     */
    static Map<String, Long> requestsIn(JsonNode bean) {
        Map<String, Long> requests = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : bean.properties()) {
            String method = field.getKey().replaceFirst("NumOps$", "");
            boolean repeated = method.startsWith("Overall") || method.startsWith("Deferred");
            boolean daemons = method.matches("SendHeartbeat|BlockReport|BlockReceivedAndDeleted|SendLifeline"
                    + "|RegisterDatanode|VersionRequest|CommitBlockSynchronization");
            if (!method.equals(field.getKey()) && !daemons && !repeated) {
                requests.put(method, field.getValue().asLong());
            }
        }
        return requests;
    }

    /** One cluster and the Spark that reads it. */
    private final class Side {
        private final String name;
        private final ProcessCluster on;
        private final Installation installation;
        private final Release release;
        private String answer = "";

        Side(String name, ProcessCluster on, Installation installation, Release release) {
            this.name = name;
            this.on = on;
            this.installation = installation;
            this.release = release;
        }

        void write() throws IOException, InterruptedException {
            spark("write", folder(), String.valueOf(files), String.valueOf(rows));
        }

        private String folder() {
            return on.uri() + FOLDER;
        }

        Measurement query(int round) throws IOException, InterruptedException {
            Map<String, Long> before = requests();
            String[] words = spark("query", folder()).split(" ", 3);
            Map<String, Long> after = requests();
            if (!answer.isEmpty() && !answer.equals(words[2])) {
                throw new IOException("a query of " + name + " has given other rows than the queries before");
            }
            answer = words[2];
            long all = 0;
            for (Map.Entry<String, Long> method : after.entrySet()) {
                all += method.getValue() - before.getOrDefault(method.getKey(), 0L);
            }
            return Measurement.of(Workload.of("a query over " + files + " Parquet files"), name, 1, Math.max(1, round))
                    .with(REQUESTS, (double) all / files)
                    .with(OPENS, perFile(before, after, "GetBlockLocations"))
                    .with(STATUSES, perFile(before, after, "GetFileInfo"))
                    .with(SECONDS, Double.parseDouble(words[1]));
        }

        private double perFile(Map<String, Long> before, Map<String, Long> after, String method) {
            return (after.getOrDefault(method, 0L) - before.getOrDefault(method, 0L)) / (double) files;
        }

        private Map<String, Long> requests() throws IOException, InterruptedException {
            Thread.sleep(METRICS_MILLIS);
            return requestsIn(on.nameNode().bean("Hadoop:service=NameNode,name=RpcDetailedActivityForPort*"));
        }

        /** Runs Spark to its end, and returns the line that it prints. */
        private String spark(String... arguments) throws IOException, InterruptedException {
            Path temporary = Files.createDirectories(on.workDir().resolve("spark"));
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
            // As Spark's own launcher does, on Java 9 and later.
            for (String opened : List.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.io",
                    "java.net",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "sun.nio.ch",
                    "sun.security.action",
                    "sun.util.calendar")) {
                command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
            }
            command.add("-Dspark.local.dir=" + temporary);
            command.add("-Dspark.sql.warehouse.dir=" + temporary);
            List<Path> classpath = new ArrayList<>(
                    List.of(on.clientConf(installation == Installation.STOCK ? "stock" : "foresight", installation)));
            classpath.addAll(installation.jars());
            command.add("-cp");
            command.add(classpath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))
                    + File.pathSeparator
                    + System.getProperty("foresight.application.classpath", "")
                    + File.pathSeparator
                    + release.toolsJar());
            command.add(SparkWorkload.class.getName());
            command.addAll(List.of(arguments));
            ClientProcess client = ClientProcess.launch(command, on.workDir().resolve("spark.log"), LIMIT);
            try {
                String done = client.awaitLine("DONE", "Spark");
                client.awaitSuccess("Spark");
                return done;
            } finally {
                client.destroy();
            }
        }
    }
}

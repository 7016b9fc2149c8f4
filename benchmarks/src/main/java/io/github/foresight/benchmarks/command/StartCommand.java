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
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.FreshJvmWorkload;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Times processes with a short life: {@code hdfs dfs -cat} of a small file, and the first opens of a fresh JVM.
 *
 * <p>The daemons run Foresight. Clients with and without it take turns, so both find the same daemons and the same data in memory.
 */
@Command(
        name = "start",
        description = "Time and processor time of fresh JVMs that read one small file by the shell, or some files.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class StartCommand extends Benchmark {

    static final Column SECONDS =
            new Column("process", "s", 3, OF_STOCK, "time from the start of a client's JVM to its end");
    static final Column CPU = new Column("CPU", "s", 3, OF_STOCK, "processor time of the client's JVM");

    /** The most time of a process, as a multiple of stock's. */
    private static final double TARGET = 1.05;

    private static final String FOLDER = "/start";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Option(names = "--jvms", defaultValue = "20", description = "JVMs of each side and workload (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int jvms;

    @Option(
            names = "--files",
            defaultValue = "100",
            description = "Files that a JVM reads in the second workload (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(names = "--bytes", defaultValue = "65536", description = "Bytes of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int bytes;

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(3);

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(SECONDS, CPU);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-start");
        Release release = new Release(cluster().home(), settings.over(Map.of()));
        List<Measurement> measured = new ArrayList<>();
        try (ProcessCluster cluster = ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(directory)
                .dataNodes(dataNodes.count())
                .conf("dfs.replication", String.valueOf(dataNodes.count()))
                .nameNodeInstallation(release.nameNode())
                .dataNodeInstallation(release.dataNode())
                .start()) {
            new SmallFileSet(FOLDER, files, bytes, SmallFiles.Naming.LETTERS).writeTo(cluster, release);
            List<Side> sides = List.of(
                    new Side(Baseline.STOCK, Installation.STOCK, cluster, release),
                    new Side(Baseline.FORESIGHT, release.client(), cluster, release));
            for (int round = 0; round <= jvms; round++) {
                for (FreshJvmWorkload.Kind kind : FreshJvmWorkload.Kind.values()) {
                    for (int turn = 0; turn < sides.size(); turn++) {
                        Measurement one =
                                sides.get((turn + round + 1) % sides.size()).run(kind, round);
                        // The first JVMs bring jars and files into memory.
                        if (round > 0) {
                            measured.add(one);
                        }
                    }
                }
            }
        } finally {
            FileTree.delete(directory);
        }
        return report(
                        RunConditions.NONE
                                .verified("Each JVM has compared the bytes that it read with the written bytes.")
                                .saying("Foresight in all daemons on both sides; data from memory."),
                        measured,
                        Baseline.stock())
                .target(
                        "a process takes at most 1.05 times stock's time",
                        TARGET,
                        result -> result.side().equals(Baseline.FORESIGHT),
                        result -> result.ratio(SECONDS) <= TARGET);
    }

    /** The processes of one client. */
    private final class Side {
        private final String name;
        private final List<String> command;
        private final Path log;

        Side(String name, Installation client, ProcessCluster cluster, Release release) throws IOException {
            this.name = name;
            this.command = cluster.clientCommand(
                    cluster.clientConf(client == Installation.STOCK ? "stock" : "foresight", client),
                    client,
                    List.of(release.toolsJar()),
                    FreshJvmWorkload.class.getName());
            this.log = cluster.workDir().resolve("fresh-jvms.log");
        }

        Measurement run(FreshJvmWorkload.Kind kind, int round) throws IOException, InterruptedException {
            List<String> arguments = new ArrayList<>(command);
            arguments.addAll(List.of(kind.name(), FOLDER, String.valueOf(bytes), String.valueOf(files)));
            long begin = System.nanoTime();
            ClientProcess client = ClientProcess.launch(arguments, log, LIMIT);
            try {
                String done = client.awaitLine("DONE", "a fresh JVM");
                client.awaitSuccess("a fresh JVM");
                return Measurement.of(Workload.of(words(kind)), name, 1, Math.max(1, round))
                        .with(SECONDS, (System.nanoTime() - begin) / 1e9)
                        .with(CPU, Double.parseDouble(done.split(" ")[1]));
            } finally {
                client.destroy();
            }
        }

        private String words(FreshJvmWorkload.Kind kind) {
            return kind == FreshJvmWorkload.Kind.SHELL ? "hdfs dfs -cat of one file" : "reading " + files + " files";
        }
    }
}

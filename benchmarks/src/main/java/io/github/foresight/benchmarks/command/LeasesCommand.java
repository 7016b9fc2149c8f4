/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
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
import io.github.foresight.benchmarks.workload.LeaseSessionsWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the cost of leases for a NameNode with many clients: heap and processor time of parked calls, and the time of a change by the
 * holders of the changed file. A file that nobody holds stands for stock HDFS: its changes take only one look-up more.
 */
@Command(
        name = "leases",
        description =
                "Parked calls and recalls: the NameNode's heap and processor time, and the time of changes. The baseline of a"
                        + " change is a file that nobody holds.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class LeasesCommand extends Benchmark {

    static final Column MEDIAN = new Column("median", "us", 0, OF_STOCK, "median time of setPermission");
    static final Column P90 = new Column("90th percentile", "us", 0, OF_STOCK, "90th percentile of the same times");
    static final Column LONGEST = new Column("longest", "us", 0, NONE, "longest of the same times");
    static final Column PARKED = new Column("parked calls", "", 0, NONE, "calls that are parked at the NameNode");
    static final Column HEAP_MIB =
            new Column("heap", "MiB", 1, NONE, "the NameNode's heap for that, after a collection");
    static final Column HEAP =
            new Column("heap/client", "bytes", 0, NONE, "heap for each client, with a layout and a call");
    static final Column CPU =
            new Column("CPU/client", "us", 1, NONE, "the NameNode's processor time for an open and a parked call");

    private static final String UNHELD = "nobody holds the file";
    private static final double MIB = 1 << 20;
    private static final String MEMORY = "java.lang:type=Memory";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Option(
            names = "--clients",
            defaultValue = "10000",
            description = "Clients, each with a call parked at the NameNode (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int clients;

    @Option(
            names = "--files",
            defaultValue = "100",
            description = "Files; the clients hold them in turn (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(names = "--changes", defaultValue = "200", description = "Changes of each kind of file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int changes;

    @Override
    public List<Column> columns() {
        return List.of(MEDIAN, P90, LONGEST, PARKED, HEAP_MIB, HEAP, CPU);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-leases");
        try {
            List<Measurement> measured = measure(new Release(cluster().home()), directory);
            return report(RunConditions.NONE, measured, (column, side) -> List.of(UNHELD));
        } finally {
            FileTree.delete(directory);
        }
    }

    private List<Measurement> measure(Release release, Path directory) throws IOException, InterruptedException {
        try (ProcessCluster started = ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(directory)
                .dataNodes(1)
                .conf("dfs.replication", "1")
                .nameNodeInstallation(release.nameNode().with("foresight.namenode.lease.user.share", "1"))
                .start()) {
            List<String> command = started.clientCommand(
                    started.clientConf("leases", Installation.STOCK),
                    Installation.STOCK,
                    List.of(release.toolsJar()),
                    LeaseSessionsWorkload.class.getName());
            command.addAll(
                    List.of(started.uri(), String.valueOf(clients), String.valueOf(files), String.valueOf(changes)));
            ClientProcess workload = ClientProcess.launch(command, directory.resolve("client.log"), LIMIT);
            try {
                workload.awaitLine("READY", "writing files");
                List<Measurement> measured = new ArrayList<>(List.of(park(started.nameNode(), workload)));
                measured.addAll(change(workload));
                return measured;
            } finally {
                workload.destroy();
            }
        }
    }

    private Measurement park(Daemon nameNode, ClientProcess workload) throws IOException, InterruptedException {
        long heapBefore = heapBytes(nameNode);
        Duration cpuBefore = nameNode.cpuTime();
        workload.signal();
        workload.awaitLine("PARKED", "parking calls");
        Duration cpu = nameNode.cpuTime().minus(cpuBefore);
        long heap = heapBytes(nameNode) - heapBefore;
        long parked = nameNode.bean("Hadoop:service=NameNode,name=Foresight")
                .path("ParkedCalls")
                .asLong();
        return Measurement.of(Workload.of(clients + " clients that hold one layout each"), Baseline.FORESIGHT, 1, 1)
                .with(PARKED, parked)
                .with(HEAP_MIB, heap / MIB)
                .with(HEAP, (double) heap / clients)
                .with(CPU, cpu.toNanos() / 1e3 / clients);
    }

    /** Used bytes of the heap after a collection. */
    private static long heapBytes(Daemon nameNode) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process collection = new ProcessBuilder(jcmd.toString(), String.valueOf(nameNode.pid()), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (collection.waitFor() != 0) {
            throw new IOException(jcmd + " could not make the NameNode collect its garbage");
        }
        return nameNode.bean(MEMORY).path("HeapMemoryUsage").path("used").asLong();
    }

    /** Times the changes of each kind of file; of a kind that comes twice, the first time warms up. */
    private Collection<Measurement> change(ClientProcess workload) throws IOException {
        workload.signal();
        Map<String, Measurement> byKind = new LinkedHashMap<>();
        for (String line = workload.readLine(); !"DONE".equals(line); line = workload.readLine()) {
            if (line == null) {
                throw workload.failure("changing files");
            }
            String[] words = line.split(" ", -1);
            long[] micros = Arrays.stream(words)
                    .skip(1)
                    .mapToLong(Long::parseLong)
                    .sorted()
                    .toArray();
            byKind.put(
                    words[0],
                    Measurement.of(Workload.of("setPermission of a file"), title(words[0]), 1, 1)
                            .with(MEDIAN, micros[micros.length / 2])
                            .with(P90, micros[Math.min(micros.length - 1, micros.length * 9 / 10)])
                            .with(LONGEST, micros[micros.length - 1]));
        }
        return byKind.values();
    }

    private String title(String kind) {
        switch (kind) {
            case "unheld":
                return UNHELD;
            case "single":
                return "one client holds it";
            case "shared":
                return Math.max(1, clients / files) + " clients hold it";
            default:
                return "a client that does not answer holds it";
        }
    }
}

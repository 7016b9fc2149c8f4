/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.run.ClusterOptions;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What leases cost a NameNode with many clients: heap and processor time of parked calls, and how long a change takes, by who holds the
 * changed file. The changes of a file that nobody holds stand for stock's: they take one look at a table more.
 */
@Command(
        name = "leases",
        description = "Parked calls and recalls: the NameNode's heap and processor time, and how long changes take.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class LeasesCommand implements Callable<Integer> {

    private static final String MEMORY = "java.lang:type=Memory";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Option(
            names = "--clients",
            defaultValue = "10000",
            description = "Clients, each with a call parked at the NameNode (${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--files", defaultValue = "100", description = "Files that they hold in turn (${DEFAULT-VALUE}).")
    private int files;

    @Option(names = "--changes", defaultValue = "200", description = "Changes of a kind (${DEFAULT-VALUE}).")
    private int changes;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--clients", clients, 1);
        cluster.require("--files", files, 1);
        cluster.require("--changes", changes, 1);
        Path directory = cluster.newTemporaryDirectory("foresight-leases");
        ObjectNode results = new ObjectMapper().createObjectNode();
        try {
            measure(new Release(cluster.home()), directory, results);
        } finally {
            FileTree.delete(directory);
        }
        Path json = cluster.json();
        if (json != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), results);
        }
        return 0;
    }

    private void measure(Release release, Path directory, ObjectNode results) throws IOException, InterruptedException {
        try (ProcessCluster started = ProcessCluster.builder()
                .hadoopClasspath(cluster.hadoopClasspath())
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
                park(started.nameNode(), workload, results);
                change(workload, results);
            } finally {
                workload.destroy();
            }
        }
    }

    private void park(Daemon nameNode, ClientProcess workload, ObjectNode results)
            throws IOException, InterruptedException {
        long heapBefore = heapBytes(nameNode);
        Duration cpuBefore = nameNode.cpuTime();
        workload.signal();
        workload.awaitLine("PARKED", "parking calls");
        Duration cpu = nameNode.cpuTime().minus(cpuBefore);
        long heap = heapBytes(nameNode) - heapBefore;
        long parked = nameNode.bean("Hadoop:service=NameNode,name=Foresight")
                .path("ParkedCalls")
                .asLong();
        System.out.printf(
                "%d calls are parked, of %d clients that hold one layout each%n"
                        + "  the NameNode's heap after collection: %.1f MiB more, %d bytes a client%n"
                        + "  its processor time: %.1f us a client, for an open and a parked call%n",
                parked, clients, heap / 1048576.0, heap / clients, cpu.toNanos() / 1e3 / clients);
        results.put("clients", clients)
                .put("parkedCalls", parked)
                .put("heapBytesPerClient", heap / clients)
                .put("cpuMicrosPerClient", cpu.toNanos() / 1e3 / clients);
    }

    /** After a collection. */
    private static long heapBytes(Daemon nameNode) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process collection = new ProcessBuilder(jcmd.toString(), String.valueOf(nameNode.pid()), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (collection.waitFor() != 0) {
            throw new IOException(jcmd + " could not have the NameNode collect its garbage");
        }
        return nameNode.bean(MEMORY).path("HeapMemoryUsage").path("used").asLong();
    }

    private void change(ClientProcess workload, ObjectNode results) throws IOException {
        workload.signal();
        System.out.println("Time of setPermission, microseconds: median, 90th percentile, longest");
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
            long median = micros[micros.length / 2];
            long high = micros[Math.min(micros.length - 1, micros.length * 9 / 10)];
            System.out.printf("  %-44s %9d %9d %9d%n", title(words[0]), median, high, micros[micros.length - 1]);
            results.putObject(words[0]).put("medianMicros", median).put("p90Micros", high);
        }
    }

    private String title(String kind) {
        switch (kind) {
            case "unheld":
                return "nobody holds the file";
            case "single":
                return "one client holds it";
            case "shared":
                return Math.max(1, clients / files) + " clients hold it";
            default:
                return "a client that does not answer holds it";
        }
    }
}

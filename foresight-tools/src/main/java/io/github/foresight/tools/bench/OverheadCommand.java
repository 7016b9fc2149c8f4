/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import io.github.foresight.tools.cluster.ClientProcess;
import io.github.foresight.tools.cluster.FileTree;
import io.github.foresight.tools.cluster.Installation;
import io.github.foresight.tools.cluster.ProcessCluster;
import io.github.foresight.tools.workload.AlternatingWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What Foresight costs where it does nothing: reads that are not hinted, and writes, with everything in the page cache.
 *
 * <p>Four clusters of a NameNode and a DataNode run at once, and one client does the same work on each in turn: two stock ones,
 * which tell how far equal clusters differ on this machine, and two with Foresight in their DataNodes, one read by the stock
 * client, so that nothing is hinted, and one by Foresight's client, which hints neither positioned reads nor small files.
 */
@Command(
        name = "overhead",
        description = "The cost of reads that are not hinted and of writes, with everything in the page cache.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class OverheadCommand implements Callable<Integer> {

    private static final String PROVIDER_KEY = "dfs.client.failover.proxy.provider.mycluster";
    private static final long BLOCK_BYTES = 64L << 20;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--size-mib", defaultValue = "512", description = "Size of the large file (${DEFAULT-VALUE}).")
    private int sizeMib;

    @Option(names = "--rounds", defaultValue = "40", description = "Measured rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--hadoop-version",
            defaultValue = "3.4.3",
            description = "Hadoop to run: 3.3.6, 3.4.3 or 3.5.0 (${DEFAULT-VALUE}).")
    private String hadoopVersion = "";

    @Option(
            names = "--work-dir",
            description = "In which directory everything is written; the temporary directory if not given. In memory"
                    + " (/dev/shm, with six times the size free) no disk disturbs the figures.")
    private @Nullable Path workDir;

    @Option(names = "--json", description = "Write the results to this file as well, for machines.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (sizeMib < 1 || rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--size-mib is " + sizeMib + " and --rounds " + rounds + "; accepted are numbers from 1 on");
        }
        String classpath = System.getProperty("foresight.hadoop.classpath", "");
        String home = System.getProperty("foresight.home", "");
        if (classpath.isEmpty() || home.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "start this with bin/foresight, which finds Hadoop");
        }
        Path directory = workDir == null
                ? Files.createTempDirectory("foresight-overhead")
                : Files.createTempDirectory(Files.createDirectories(workDir), "foresight-overhead");
        try {
            OverheadReport report = measure(Path.of(home), classpath, directory);
            System.out.print(report.table());
            if (json != null) {
                report.writeJson(json);
            }
            return 0;
        } finally {
            FileTree.delete(directory);
        }
    }

    private OverheadReport measure(Path home, String classpath, Path directory)
            throws IOException, InterruptedException {
        Installation dataNode = Installation.of(
                home.resolve("lib/foresight-datanode.jar"), home.resolve("conf/foresight-datanode.xml"));
        Installation client = Installation.of(
                        home.resolve("lib/foresight-client.jar"), home.resolve("conf/foresight-client.xml"))
                .renaming(PROVIDER_KEY, "dfs.client.failover.proxy.provider." + ProcessCluster.host());
        System.out.println("Starting four clusters of a NameNode and a DataNode, Hadoop " + hadoopVersion);
        try (ProcessCluster stock = cluster(classpath, directory.resolve("stock"), Installation.STOCK);
                ProcessCluster again = cluster(classpath, directory.resolve("again"), Installation.STOCK);
                ProcessCluster unhinted = cluster(classpath, directory.resolve("unhinted"), dataNode);
                ProcessCluster hinted = cluster(classpath, directory.resolve("hinted"), dataNode)) {
            List<String> command = stock.clientCommand(
                    stock.clientConf("process", Installation.STOCK),
                    client,
                    List.of(home.resolve("lib/foresight-tools.jar")),
                    AlternatingWorkload.class.getName());
            command.addAll(List.of(
                    String.valueOf((long) sizeMib << 20),
                    String.valueOf(BLOCK_BYTES),
                    String.valueOf(rounds),
                    stock.clientConf("stock", Installation.STOCK).toString(),
                    again.clientConf("stock", Installation.STOCK).toString(),
                    unhinted.clientConf("stock", Installation.STOCK).toString(),
                    hinted.clientConf("foresight", client).toString()));
            return run(command, directory.resolve("client.log"));
        }
    }

    private OverheadReport run(List<String> command, Path log) throws IOException, InterruptedException {
        OverheadReport report = new OverheadReport(rounds, hadoopVersion);
        ClientProcess process =
                ClientProcess.launch(command, log, Duration.ofSeconds(300 + (long) rounds * (20 + sizeMib / 10)));
        try {
            String last = "";
            for (String line = process.readLine(); line != null; line = process.readLine()) {
                if (line.startsWith("TIME ")) {
                    report.add(line);
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
        return report;
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

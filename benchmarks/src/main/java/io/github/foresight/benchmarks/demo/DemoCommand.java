/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import io.github.foresight.benchmarks.run.ClusterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code foresight demo}: its options, and what becomes of them. */
@Command(
        name = "demo",
        description =
                "Starts a NameNode and DataNodes, writes data, and reads it cold with stock HDFS and with Foresight.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class DemoCommand implements Callable<Integer> {

    private static final List<String> NEEDED = List.of(
            "lib/foresight-datanode.jar",
            "conf/foresight-datanode.xml",
            "lib/foresight-client.jar",
            "conf/foresight-client.xml",
            "lib/foresight-benchmarks.jar");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--size",
            defaultValue = "1g",
            converter = ClusterOptions.Size.class,
            description = "Bytes per file (${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--block-size",
            defaultValue = "64m",
            converter = ClusterOptions.Size.class,
            description = "HDFS block size (${DEFAULT-VALUE}).")
    private long blockSize;

    @Option(
            names = "--readers",
            defaultValue = "1",
            description = "Readers at once, each of a file of its own (${DEFAULT-VALUE}).")
    private int readers;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds, each with both sides (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--datanodes", defaultValue = "4", description = "DataNodes (${DEFAULT-VALUE}).")
    private int dataNodes;

    @Option(
            names = "--rate",
            defaultValue = "60",
            description = "Speed of each DataNode's disk in MiB/s, 0 for unlimited (${DEFAULT-VALUE}).")
    private int rateMib;

    @Option(
            names = "--cache",
            defaultValue = "512m",
            description = "foresight.datanode.cache.capacity of each DataNode (${DEFAULT-VALUE}).")
    private String cache = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--keep", description = "Leave the cluster up, with Foresight, and say how to talk to it.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--size", size, blockSize);
        cluster.require("--block-size", blockSize, 1 << 20);
        cluster.require("--readers", readers, 1);
        cluster.require("--rounds", rounds, 1);
        cluster.require("--datanodes", dataNodes, 1);
        cluster.require("--rate", rateMib, 0);
        Path home = cluster.home();
        DemoPlan plan =
                new DemoPlan(size, blockSize, readers, rounds, dataNodes, rateMib, cache, cluster.hadoopVersion());
        requireJars(home);
        Path directory = cluster.newDirectory("foresight-demo");
        try (Demo demo = new Demo(plan, cluster.hadoopClasspath(), home, directory)) {
            try {
                demo.run(cluster.json(), keep);
                return 0;
            } catch (IOException e) {
                if (demo.isStopping()) {
                    return 1;
                }
                throw e;
            }
        }
    }

    private void requireJars(Path home) {
        for (String name : NEEDED) {
            if (!Files.isRegularFile(home.resolve(name))) {
                throw new ParameterException(
                        spec.commandLine(), home.resolve(name) + " is missing; unpack the release anew or build it");
            }
        }
    }
}

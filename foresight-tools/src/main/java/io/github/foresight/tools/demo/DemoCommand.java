/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.demo;

import io.github.foresight.tools.conf.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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
            "lib/foresight-tools.jar");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--size",
            defaultValue = "1g",
            converter = Size.class,
            description = "Bytes per file (${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--block-size",
            defaultValue = "64m",
            converter = Size.class,
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

    @Option(
            names = "--hadoop-version",
            defaultValue = "3.4.3",
            description = "Hadoop to run: 3.3.6, 3.4.3 or 3.5.0 (${DEFAULT-VALUE}).")
    private String hadoopVersion = "";

    @Option(
            names = "--work-dir",
            description = "In which directory everything is written; the temporary directory if not given.")
    private @Nullable Path workDir;

    @Option(names = "--json", description = "Write the results to this file as well, for machines.")
    private @Nullable Path json;

    @Option(names = "--keep", description = "Leave the cluster up, with Foresight, and say how to talk to it.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException {
        require("--size", size, blockSize);
        require("--block-size", blockSize, 1 << 20);
        require("--readers", readers, 1);
        require("--rounds", rounds, 1);
        require("--datanodes", dataNodes, 1);
        require("--rate", rateMib, 0);
        String classpath = System.getProperty("foresight.hadoop.classpath", "");
        String home = System.getProperty("foresight.home", "");
        if (classpath.isEmpty() || home.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "start the demo with bin/foresight, which finds Hadoop " + hadoopVersion + " and the jars");
        }
        DemoPlan plan = new DemoPlan(size, blockSize, readers, rounds, dataNodes, rateMib, cache, hadoopVersion);
        requireJars(Path.of(home));
        Path directory = workDir == null
                ? Files.createTempDirectory("foresight-demo")
                : Files.createTempDirectory(Files.createDirectories(workDir), "foresight-demo");
        try (Demo demo = new Demo(plan, classpath, Path.of(home), directory)) {
            try {
                demo.run(json, keep);
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

    private void require(String option, long value, long min) {
        if (value < min) {
            throw new ParameterException(
                    spec.commandLine(), option + " is " + value + "; accepted is a number from " + min + " on");
        }
    }

    /** Sizes as Hadoop writes them. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return ByteSize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}

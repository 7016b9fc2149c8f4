/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.WriteWorkload;
import io.github.foresight.cluster.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code foresight demo}: the same cluster, data and readers with stock HDFS and with Foresight. */
@Command(
        name = "demo",
        description =
                "Starts a NameNode and DataNodes, writes data, and reads it cold with stock HDFS and with Foresight.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class DemoCommand extends Benchmark {

    static final Column READ = new Column(
            "read", "MiB/s", 2, OF_STOCK, "bytes of all files over the time from the first open to the last byte");
    static final Column OF_FULLEST = new Column(
            "of fullest",
            "",
            2,
            NONE,
            "share of the speed with which the disk of the fullest DataNode can read its blocks");
    static final Column DISK_READS =
            new Column("disk reads", "", 0, NONE, "read requests of all DataNodes to their disks");
    static final Column DISK_MIB =
            new Column("from disk", "MiB", 0, NONE, "bytes that all DataNodes read from their disks");
    static final Column PREFETCHED = new Column("prefetched", "MiB", 0, NONE, "bytes that DataNodes prefetched");
    static final Column WASTED =
            new Column("wasted", "MiB", 0, NONE, "prefetched bytes that left the cache before a client read them");
    static final Column SECONDS = new Column("time", "s", 2, NONE, "from the first open to the last byte");

    private static final double FULLEST_TARGET = 0.9;

    private static final List<String> NEEDED = List.of(
            "lib/foresight-namenode.jar",
            "conf/foresight-namenode.xml",
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
            description = "Bytes of each file, at least a block (${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--block-size",
            defaultValue = "64m",
            converter = ClusterOptions.Size.class,
            description = "HDFS block size (${DEFAULT-VALUE}).")
    @AtLeast(1 << 20)
    private long blockSize;

    @Option(
            names = "--replication",
            defaultValue = "1",
            description =
                    "Replicas of each block. HDFS places more than one, and then the NameNode runs Foresight too, and no "
                            + "DataNode is on the readers' host (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int replication;

    @Option(
            names = "--placement",
            defaultValue = "DEALT",
            description =
                    "How the DataNodes of single replicas are chosen: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). DEALT: "
                            + "in turn. HDFS: by its policy. Others: blocks are erasure-coded and HDFS places them.")
    private WriteWorkload.Placement placement = WriteWorkload.Placement.DEALT;

    @Option(
            names = "--readers",
            defaultValue = "1",
            description = "Readers at once, each of a file of its own (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int readers;

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(4);

    @Option(
            names = "--rate",
            defaultValue = "60",
            description = "Speed of each DataNode's disk in MiB/s, 0 for unlimited (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int rateMib;

    @Option(
            names = "--cache",
            defaultValue = "512m",
            description = "foresight.datanode.cache.capacity of each DataNode (${DEFAULT-VALUE}).")
    private String cache = "";

    @Option(
            names = "--daemon-java",
            defaultValue = "${sys:java.home}/bin/java",
            description =
                    "The java command of the daemons, Java 8 or later; that of this command if not given. The readers have the "
                            + "Java of this command.")
    private Path daemonJava = Path.of("");

    @Option(names = "--keep", description = "Leave the cluster up, with Foresight, and print how to use and stop it.")
    private boolean keep;

    private volatile @Nullable Demo running;

    @Override
    public List<Column> columns() {
        return List.of(READ, OF_FULLEST, DISK_READS, DISK_MIB, PREFETCHED, WASTED, SECONDS);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    /** A signal stops the demo's processes; the failures that follow are not reported. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            return super.call();
        } catch (IOException e) {
            Demo demo = running;
            if (demo != null && demo.isStopping()) {
                return 1;
            }
            throw e;
        }
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().require("--size", size, blockSize);
        cluster().require("--datanodes", dataNodes.count(), replication);
        requireJars(cluster().home());
        if (!Files.isExecutable(daemonJava)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--daemon-java is '" + daemonJava + "'; accepted is an executable java command");
        }
        DemoPlan plan = new DemoPlan(
                size,
                blockSize,
                replication,
                placement,
                readers,
                rounds.count(),
                dataNodes.count(),
                rateMib,
                daemonJava,
                cache,
                cluster().hadoopVersion());
        Path directory = cluster().newDirectory("foresight-demo");
        try (Demo demo = new Demo(plan, cluster().hadoopClasspath(), cluster().home(), directory)) {
            running = demo;
            List<Measurement> measured = demo.run();
            if (keep) {
                demo.keepUp();
            }
            return withTarget(report(conditions(plan, demo.notThrottled()), measured, Baseline.stock()), plan);
        }
    }

    private RunConditions conditions(DemoPlan plan, @Nullable String notThrottled) {
        return RunConditions.NONE
                .saying("The daemons run on " + daemonJava + ".")
                .verified("All bytes are verified by CRC32C.")
                .throttled(notThrottled, plan.rateMib() > 0)
                .cold(PageCache.canDrop());
    }

    static BenchReport withTarget(BenchReport report, DemoPlan plan) {
        double least = plan.targetRatio();
        BenchReport withRatio = report.target(
                String.format(Locale.ROOT, "Foresight reads at least %.1f times as fast as stock HDFS", least),
                least,
                result -> result.side().equals(Baseline.FORESIGHT),
                result -> result.ratio(READ) >= least);
        return !plan.isBoundByFullest()
                ? withRatio
                : withRatio.target(
                        "one reader has at least 0.9 of the speed that the disk of the fullest DataNode allows",
                        FULLEST_TARGET,
                        result -> result.side().equals(Baseline.FORESIGHT),
                        result -> result.median(OF_FULLEST) >= FULLEST_TARGET);
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

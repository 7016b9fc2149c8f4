/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;
import static io.github.foresight.benchmarks.report.Comparison.TIMES_AS_FAST;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.VectoredWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Times vectored reads: many ranges of a file asked for at once, as a reader of Parquet asks for the chunks of its columns.
 *
 * <p>One cluster, with files as HDFS places them; each DataNode has a disk of limited speed. Each round has a pass of each side, stock
 * HDFS's on stock DataNodes. Each pass has a client of its own. That client reads warm-up files first. Then the page cache is emptied, the
 * client reads all files once, and then several times from memory.
 */
@Command(
        name = "vectored",
        description = "Vectored reads of many ranges, cold and from memory.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class VectoredCommand extends Benchmark {

    static final Column MILLIS =
            new Column("time", "ms/file", 1, TIMES_AS_FAST, "milliseconds from the open of a file to its last range");
    static final Column MIB_PER_SECOND = new Column("data", "MiB/s", 1, OF_STOCK, "bytes of ranges per second");
    static final Column DISK_KIB = new Column("from disk", "KiB/range", 0, NONE, "bytes from the disks for each range");

    /** The least speed of cold reads, as a multiple of stock's. */
    private static final double TARGET = 2.0;

    private static final String COLD = "cold";
    private static final String WARM = "from memory";

    /** Passes until the disks have read all that the kernel asked of them. Chosen, not measured. */
    private static final int UNMEASURED_PASSES = 4;

    /** Passes from memory, of which the median is the round's figure. */
    private static final int WARM_PASSES = 15;

    private static final String FOLDER = "/vectored";
    private static final String WARM_UP_FOLDER = "/warm-up";
    private static final int WARM_UP_PASSES = 30;
    private static final double MIB = 1 << 20;

    @Option(names = "--files", defaultValue = "4", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--size",
            defaultValue = "512m",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long size;

    @Option(names = "--ranges", defaultValue = "40", description = "Ranges of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int ranges;

    @Option(
            names = "--range",
            defaultValue = "512k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each range (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long range;

    @Option(names = "--replication", defaultValue = "3", description = "Replicas of each block (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int replication;

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(4);

    @Mixin
    private DiskLimits disks = new DiskLimits(120);

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(MILLIS, MIB_PER_SECOND, DISK_KIB);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        cluster().require("--size", size, ranges * range);
        cluster().require("--datanodes", dataNodes.count(), replication);
        Path directory = cluster().newTemporaryDirectory("foresight-vectored");
        DiskThrottle throttle = disks.throttle(directory);
        System.out.println(disks.describe(throttle));
        List<Measurement> measured = new ArrayList<>();
        Release release = new Release(cluster().home(), settings.over(Map.of()));
        try (ProcessCluster on = ProcessCluster.builder()
                .hadoopClasspath(cluster().hadoopClasspath())
                .workDir(directory)
                .dataNodes(dataNodes.count())
                .conf("dfs.replication", String.valueOf(replication))
                .conf("dfs.block.scanner.volume.bytes.per.second", "0")
                .nameNodeInstallation(release.nameNode())
                .throttle(throttle)
                .start()) {
            Passes passes = new Passes(on, release, throttle);
            passes.write(FOLDER, files, size);
            passes.write(WARM_UP_FOLDER, 1, ranges * range);
            for (int round = 1; round <= rounds.count(); round++) {
                for (boolean stock : round % 2 == 1 ? new boolean[] {true, false} : new boolean[] {false, true}) {
                    System.out.println("Round " + round + " of " + rounds.count() + ", " + side(stock));
                    measured.addAll(passes.run(stock, round));
                }
            }
        } finally {
            FileTree.delete(directory);
        }
        return report(
                        disks.conditions(throttle)
                                .verified("All passes have read the same bytes, by their checksums.")
                                .saying("Files as HDFS places them, replication " + replication
                                        + ", blocks of 128 MiB, one reader."),
                        measured,
                        Baseline.stock())
                .target(
                        "cold vectored reads are at least 2.0 times as fast as stock's",
                        TARGET,
                        result -> result.side().equals(Baseline.FORESIGHT)
                                && result.workload().words().startsWith(COLD),
                        result -> result.ratio(MILLIS) >= TARGET);
    }

    private static String side(boolean stock) {
        return stock ? Baseline.STOCK : Baseline.FORESIGHT;
    }

    private Workload workload(String memory) {
        return Workload.of(memory + ", " + ranges + " ranges of " + range + " bytes in each of " + files + " files of "
                + size + " bytes");
    }

    /** The passes on one cluster. */
    private final class Passes {
        private final ProcessCluster on;
        private final Release release;
        private final DiskThrottle throttle;
        private String checksum = "";

        Passes(ProcessCluster on, Release release, DiskThrottle throttle) {
            this.on = on;
            this.release = release;
            this.throttle = throttle;
        }

        private List<String> command(Installation installation, String folder, int count, long bytes)
                throws IOException {
            List<String> command = on.clientCommand(
                    on.clientConf(installation == Installation.STOCK ? "stock" : "foresight", installation),
                    installation,
                    List.of(release.toolsJar()),
                    VectoredWorkload.class.getName());
            command.addAll(List.of(
                    folder,
                    String.valueOf(count),
                    String.valueOf(bytes),
                    String.valueOf(ranges),
                    String.valueOf(range)));
            return command;
        }

        void write(String folder, int count, long bytes) throws IOException, InterruptedException {
            List<String> command = command(Installation.STOCK, folder, count, bytes);
            command.add("write");
            ClientProcess.run(command, log(), Duration.ofMinutes(20), "writing files");
        }

        private Path log() {
            return on.workDir().resolve("clients.log");
        }

        List<Measurement> run(boolean stock, int round) throws IOException, InterruptedException {
            on.restartDataNodes(stock ? Installation.STOCK : release.dataNode());
            Installation installation = stock ? Installation.STOCK : release.client();
            pass(installation, WARM_UP_FOLDER, 1, ranges * range, WARM_UP_PASSES);
            ClientProcess client =
                    ClientProcess.launch(command(installation, FOLDER, files, size), log(), Duration.ofMinutes(20));
            try {
                client.awaitLine("READY", "starting a reader");
                PageCache.drop();
                long before = DiskLimits.reads(throttle, dataNodes.count()).bytes();
                Measurement cold = measured(client, workload(COLD), stock, round);
                long read = DiskLimits.reads(throttle, dataNodes.count()).bytes() - before;
                if (throttle.unavailableReason() == null) {
                    cold = cold.with(DISK_KIB, read / 1024.0 / ranges / files);
                }
                for (int i = 0; i < UNMEASURED_PASSES; i++) {
                    measured(client, workload(WARM), stock, round);
                }
                List<Measurement> warm = new ArrayList<>();
                for (int i = 0; i < WARM_PASSES; i++) {
                    warm.add(measured(client, workload(WARM), stock, round));
                }
                warm.sort(Comparator.comparingDouble(pass -> pass.figures().get(MILLIS.name())));
                return List.of(cold, warm.get(warm.size() / 2));
            } finally {
                client.destroy();
            }
        }

        private void pass(Installation installation, String folder, int count, long bytes, int passes)
                throws IOException {
            ClientProcess client =
                    ClientProcess.launch(command(installation, folder, count, bytes), log(), Duration.ofMinutes(20));
            try {
                client.awaitLine("READY", "starting a reader");
                for (int i = 0; i < passes; i++) {
                    client.signal();
                    client.awaitLine("DONE", "warming up");
                }
            } finally {
                client.destroy();
            }
        }

        private Measurement measured(ClientProcess client, Workload workload, boolean stock, int round)
                throws IOException {
            client.signal();
            String[] words = client.awaitLine("DONE", "a vectored read").split(" ", -1);
            double seconds = Double.parseDouble(words[1]);
            if (!checksum.isEmpty() && !checksum.equals(words[2])) {
                throw new IOException("a pass has read other bytes than the passes before");
            }
            checksum = words[2];
            return Measurement.of(workload, side(stock), 1, round)
                    .with(MILLIS, seconds * 1000 / files)
                    .with(MIB_PER_SECOND, files * (double) ranges * range / MIB / seconds);
        }
    }
}

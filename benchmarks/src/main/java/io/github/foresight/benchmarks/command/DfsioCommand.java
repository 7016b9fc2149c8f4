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
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs Hadoop's own TestDFSIO with MapReduce's local runner.
 *
 * <p>One cluster, with files that TestDFSIO has written through stock HDFS, placed as HDFS places them. Each round runs each test once on
 * each side. Before a test the NameNode and the DataNodes start anew with the side's installation. TestDFSIO reads a small file, so that the
 * daemons have loaded their code. Then the page cache is emptied. The reader is a fresh JVM.
 */
@Command(
        name = "dfsio",
        description = "Hadoop's own TestDFSIO, cold, on disks of limited speed.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class DfsioCommand extends SidesBenchmark {

    static final Column THROUGHPUT = new Column(
            "throughput",
            "MB/s",
            1,
            OF_STOCK,
            "TestDFSIO's Throughput: bytes of all files over the sum of their tasks' times");
    static final Column SECONDS = new Column(
            "time", "s", 2, TIMES_AS_FAST, "TestDFSIO's Test exec time: the whole job, with MapReduce's own time");
    static final Column DISK_MIB =
            new Column("from disk", "MiB", 0, NONE, "bytes that all DataNodes read from their disks");

    static final Column CLIENT_MIB =
            new Column("client's memory", "MiB", 0, NONE, "the most physical memory of the client's JVM at once");
    static final Column LOCKED_MIB = new Column(
            "DataNodes' memory", "MiB", 0, NONE, "the most memory at once that all DataNodes lock for blocks of hints");

    /** The side on which stock DataNodes read far ahead within a block. */
    static final String FAR_READ_AHEAD = "stock HDFS, read-ahead of 64 MiB";

    /** The sides of {@link Side#blockPrefetch}. */
    static final String BLOCK_PREFETCH = "stock HDFS, client fetches 4 blocks at once";

    static final String WIDE_BLOCK_PREFETCH = "stock HDFS, client fetches 8 blocks at once";

    /** The least throughput of cold reads, as a multiple of stock's, with three replicas or more, and with fewer. */
    private static final double TARGET = 3.0;

    private static final double TARGET_OF_FEW_REPLICAS = 2.4;

    /** A link may be the limit of both sides. */
    private static final double TARGET_ON_SLOW_LINK = 1.0;

    /** The folder of TestDFSIO's own default, and of the files that the daemons read to load their code. */
    private static final String FOLDER = "/benchmarks/TestDFSIO";

    private static final String WARM_UP_FOLDER = "/benchmarks/warm-up";
    private static final long WARM_UP_BLOCK = 8 << 20;

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Java heap of each side's client: enough for eight blocks of the default size. */
    private static final String HEAP = "-Xmx2g";

    private static final long MIB = 1 << 20;

    /** A test of TestDFSIO. */
    enum Test {
        READ,
        RANDOM,
        BACKWARD;

        String words() {
            return name().toLowerCase(Locale.ROOT);
        }

        List<String> arguments() {
            return this == READ ? List.of("-read") : List.of("-read", "-" + words());
        }
    }

    @Option(
            names = "--tests",
            split = ",",
            defaultValue = "read",
            description = "Which tests of TestDFSIO: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private List<Test> tests = List.of();

    @Option(
            names = "--files",
            defaultValue = "2",
            description = "Files, each of them read by a map task (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--tasks",
            defaultValue = "1",
            description = "Map tasks at once; MapReduce's local runner has 1 (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int tasks;

    @Option(
            names = "--size",
            defaultValue = "768m",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file, whole MiB (${DEFAULT-VALUE}).")
    @AtLeast(MIB)
    private long size;

    public DfsioCommand() {
        super(0);
    }

    @Override
    public List<Column> columns() {
        return List.of(THROUGHPUT, SECONDS, DISK_MIB, CLIENT_MIB, LOCKED_MIB);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        double least = placed().hasSlowLink()
                ? TARGET_ON_SLOW_LINK
                : placed().replication() >= 3 ? TARGET : TARGET_OF_FEW_REPLICAS;
        return inTurn(
                        "foresight-dfsio",
                        conditions -> conditions.saying("Files written anew for each round by TestDFSIO, and "
                                + placed().describe() + "; map tasks at once: " + tasks + "."))
                .target(
                        String.format(Locale.ROOT, "cold reads are at least %.1f times as fast as stock's", least),
                        least,
                        result -> result.side().equals(Baseline.FORESIGHT)
                                && result.workload().words().startsWith(Test.READ.words()),
                        result -> result.ratio(THROUGHPUT) >= least);
    }

    @Override
    List<Side> sides(Release release) throws IOException {
        return List.of(
                Side.stock(),
                new Side(
                        FAR_READ_AHEAD,
                        Installation.STOCK,
                        Installation.STOCK.with("dfs.datanode.readahead.bytes", String.valueOf(64 * MIB)),
                        Installation.STOCK),
                Side.blockPrefetch(BLOCK_PREFETCH, 4, placed().blockSize()),
                Side.blockPrefetch(WIDE_BLOCK_PREFETCH, 8, placed().blockSize()),
                Side.foresight(release));
    }

    @Override
    Side.Turn begin(Stage stage) throws IOException, InterruptedException {
        FileSet main = new FileSet(FOLDER, files, size, placed().blockSize());
        FileSet warmUp = new FileSet(WARM_UP_FOLDER, 1, WARM_UP_BLOCK * placed().dataNodes(), WARM_UP_BLOCK);
        run(stage.on(), Side.stock(), warmUp, List.of("-write"));
        AtomicInteger written = new AtomicInteger();
        return (side, round) -> {
            // HDFS places replicas at random, and the speed of a file follows from where they are.
            if (written.getAndSet(round) != round) {
                Side.stock().install(stage.on());
                System.out.println("TestDFSIO -write");
                run(stage.on(), Side.stock(), main, List.of("-write"));
            }
            List<Measurement> ofSide = new ArrayList<>();
            for (Test test : tests) {
                restart(stage.on(), side, warmUp);
                ofSide.add(cold(stage.on(), stage.throttle(), side, main, test, round));
            }
            return ofSide;
        };
    }

    private void restart(ProcessCluster on, Side side, FileSet warmUp) throws IOException, InterruptedException {
        side.install(on);
        run(on, side, warmUp, Test.READ.arguments());
    }

    private Measurement cold(ProcessCluster on, DiskThrottle throttle, Side side, FileSet main, Test test, int round)
            throws IOException, InterruptedException {
        PageCache.drop();
        long before = DiskLimits.reads(throttle, placed().dataNodes()).bytes();
        Measurement measured = Measurement.of(
                Workload.of(test.words() + ", " + files + " files of " + size / MIB + " MiB"), side.name(), 1, round);
        Run run = run(on, side, main, test.arguments());
        measured = measured.with(THROUGHPUT, run.results.figure("Throughput mb/sec"))
                .with(SECONDS, run.results.figure("Test exec time sec"))
                .with(CLIENT_MIB, run.clientBytes / (double) MIB)
                .with(LOCKED_MIB, run.lockedBytes / (double) MIB);
        System.out.printf(
                Locale.ROOT,
                "Round %d of %d, %s, %s: %.1f MB/s%n",
                round,
                rounds(),
                side.name(),
                test.words(),
                run.results.figure("Throughput mb/sec"));
        long read = DiskLimits.reads(throttle, placed().dataNodes()).bytes() - before;
        return throttle.unavailableReason() == null ? measured.with(DISK_MIB, read / (double) MIB) : measured;
    }

    /** Runs TestDFSIO to its end. */
    private Run run(ProcessCluster on, Side side, FileSet set, List<String> test)
            throws IOException, InterruptedException {
        Path results = on.workDir().resolve("TestDFSIO.results");
        Files.deleteIfExists(results);
        List<String> command = on.clientCommand(
                on.clientConf(side.folder(), side.client()),
                side.client(),
                applicationJars(),
                "org.apache.hadoop.fs.TestDFSIO");
        command.add(command.indexOf("-cp"), HEAP);
        command.addAll(List.of(
                "-D",
                "hadoop.tmp.dir=" + on.workDir().resolve("mapreduce"),
                "-D",
                "mapreduce.local.map.tasks.maximum=" + tasks,
                "-D",
                "test.build.data=" + set.folder,
                "-D",
                "dfs.blocksize=" + set.blockBytes));
        command.addAll(test);
        command.addAll(List.of(
                "-nrFiles",
                String.valueOf(set.files),
                "-size",
                set.bytes / MIB + "MB",
                "-resFile",
                results.toString()));
        ClientProcess client = ClientProcess.launch(command, on.workDir().resolve("TestDFSIO.log"), LIMIT);
        try (MemoryWatch memory = new MemoryWatch(client, on.dataNodes())) {
            client.awaitEnd("TestDFSIO");
            return new Run(
                    new PrintedFigures("TestDFSIO", Files.readString(results)),
                    memory.clientBytes(),
                    memory.lockedBytes());
        } finally {
            client.destroy();
        }
    }

    /** The jar with TestDFSIO, and the one with the contender's file system. */
    private List<Path> applicationJars() {
        List<Path> jars = new ArrayList<>(cluster().applicationJars());
        jars.add(new Release(cluster().home()).toolsJar());
        return jars;
    }

    /** A run's file of results, and the most memory of its client and of the DataNodes' locked blocks. */
    private record Run(PrintedFigures results, long clientBytes, long lockedBytes) {}

    /** Files of TestDFSIO, all of one size. */
    private record FileSet(String folder, int files, long bytes, long blockBytes) {}
}

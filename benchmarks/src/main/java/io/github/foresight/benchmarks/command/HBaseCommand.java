/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs HBase's own PerformanceEvaluation.
 *
 * <p>One cluster of HDFS, with a table that PerformanceEvaluation has written through stock HDFS, placed as HDFS places it. Each round runs each
 * test once on each side. Before a test HDFS and HBase start anew with the side's installation, so HBase's block cache is empty. Rows of
 * another table are read, so that all processes have loaded their code. Then the page cache is emptied.
 */
@Command(
        name = "hbase",
        description = "HBase's own PerformanceEvaluation, cold, on disks of limited speed.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class HBaseCommand extends SidesBenchmark {

    static final Column ROWS = new Column("rows", "1/s", 0, OF_STOCK, "rows that all clients read per second");
    static final Column DISK_READS = new Column("disk reads", "", 0, NONE, "requests of all DataNodes to their disks");
    static final Column DISK_MIB =
            new Column("from disk", "MiB", 0, NONE, "bytes that all DataNodes read from their disks");

    private static final String WARM_UP = "--table=WarmUp";
    private static final int WARM_UP_ROWS = 2_000;
    private static final double MIB = 1 << 20;

    /** So that the table is as it was after its load: no compaction. */
    private static final List<String> SETTINGS =
            List.of("-Dhbase.hregion.majorcompaction=0", "-Dhbase.hstore.compactionThreshold=100");

    /** Stock HDFS with other settings. */
    enum Contender {
        HEDGED {
            @Override
            Side side() {
                return Side.stock(
                        "stock HDFS, hedged reads after 20 ms",
                        Installation.STOCK
                                .with("dfs.client.hedged.read.threadpool.size", "20")
                                .with("dfs.client.hedged.read.threshold.millis", "20"));
            }
        },
        READAHEAD {
            @Override
            Side side() {
                return new Side(
                        DfsioCommand.FAR_READ_AHEAD,
                        Installation.STOCK,
                        Installation.STOCK.with("dfs.datanode.readahead.bytes", String.valueOf(64 << 20)),
                        Installation.STOCK);
            }
        };

        abstract Side side();
    }

    /** A test of PerformanceEvaluation. */
    private enum Test {
        RANDOM("randomRead", "random reads"),
        SCAN("scan", "a scan");

        private final String command;
        private final String words;

        Test(String command, String words) {
            this.command = command;
            this.words = words;
        }
    }

    @Option(
            names = "--rows",
            defaultValue = "400000",
            description = "Rows of the table, of about 1 KiB each (${DEFAULT-VALUE}).")
    @AtLeast(1000)
    private int rows;

    @Option(
            names = "--clients",
            defaultValue = "4",
            description = "PerformanceEvaluation's clients at once (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int clients;

    @Option(
            names = "--sample",
            defaultValue = "20",
            description = "A random read for each so many rows of the table (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int sample;

    @Option(
            names = "--also",
            split = ",",
            description =
                    "Further sides, of ${COMPLETION-CANDIDATES}: stock HDFS with hedged reads, or with a far read-ahead.")
    private List<Contender> also = List.of();

    @Option(
            names = "--hbase-version",
            defaultValue = "2.6.1-hadoop3",
            description = "Version of HBase from Maven (${DEFAULT-VALUE}).")
    private String hbaseVersion = "";

    public HBaseCommand() {
        super(120);
    }

    @Override
    public List<Column> columns() {
        return List.of(ROWS, DISK_READS, DISK_MIB);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        return inTurn(
                "foresight-hbase",
                conditions -> conditions.saying("HBase " + hbaseVersion + ", one region server, " + clients
                        + " clients; table written and " + placed().describe() + "."));
    }

    @Override
    List<Side> sides(Release release) throws IOException {
        List<Side> sides = new ArrayList<>(List.of(Side.stock(), Side.foresight(release)));
        also.forEach(contender -> sides.add(contender.side()));
        return sides;
    }

    @Override
    Side.Turn begin(Stage stage) throws IOException, InterruptedException {
        load(stage.on(), stage.release());
        return (side, round) -> {
            List<Measurement> ofSide = new ArrayList<>();
            for (Test test : Test.values()) {
                ofSide.addAll(cold(stage.on(), stage.throttle(), side, stage.release(), test, round));
            }
            return ofSide;
        };
    }

    private void load(ProcessCluster on, Release release) throws IOException, InterruptedException {
        System.out.println("PerformanceEvaluation sequentialWrite");
        try (HBaseProcess hbase = HBaseProcess.start(on, Side.stock(), release, SETTINGS)) {
            hbase.evaluate(clients, "--rows=" + rows / clients, "sequentialWrite");
            hbase.evaluate(1, WARM_UP, "--rows=" + WARM_UP_ROWS, "sequentialWrite");
            hbase.stop();
        }
    }

    private List<Measurement> cold(
            ProcessCluster on, DiskThrottle throttle, Side side, Release release, Test test, int round)
            throws IOException, InterruptedException {
        side.install(on);
        try (HBaseProcess hbase = HBaseProcess.start(on, side, release, SETTINGS)) {
            hbase.evaluate(1, WARM_UP, "--rows=" + WARM_UP_ROWS, test.command);
            PageCache.drop();
            List<Measurement> measured = new ArrayList<>();
            measured.add(run(hbase, throttle, side, test, "cold", round));
            if (test == Test.RANDOM) {
                measured.add(run(hbase, throttle, side, test, "again", round));
            }
            hbase.stop();
            return measured;
        }
    }

    private Measurement run(HBaseProcess hbase, DiskThrottle throttle, Side side, Test test, String state, int round)
            throws IOException, InterruptedException {
        int each = test == Test.RANDOM ? sample : 1;
        DiskReads before = DiskLimits.reads(throttle, placed().dataNodes());
        double seconds = test == Test.RANDOM
                ? hbase.evaluate(clients, "--rows=" + rows / clients, "--sampleRate=" + 1.0 / each, test.command)
                : hbase.evaluate(clients, "--rows=" + rows / clients, test.command);
        DiskReads reads = DiskLimits.reads(throttle, placed().dataNodes()).since(before);
        double rowsPerSecond = (double) rows / each / seconds;
        System.out.printf(
                Locale.ROOT,
                "Round %d of %d, %s, %s, %s: %.0f rows/s%n",
                round,
                rounds(),
                side.name(),
                test.words,
                state,
                rowsPerSecond);
        Measurement measured = Measurement.of(
                        Workload.of(test.words + " of " + rows + " rows, " + state), side.name(), 1, round)
                .with(ROWS, rowsPerSecond);
        return throttle.unavailableReason() == null
                ? measured.with(DISK_READS, reads.requests()).with(DISK_MIB, reads.bytes() / MIB)
                : measured;
    }
}

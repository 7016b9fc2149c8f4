/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.NONE;
import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.Result;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.run.TrialsOption;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.cluster.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Counts the round trips to the NameNode when clients open many small files, and times the opens.
 *
 * <p>Two clusters run at the same time: one of stock HDFS, and one of Foresight as shipped. Options add others. Client processes open the
 * same files in the same orders on each cluster in turn, a part of a pass at a time. Each round clears the access graph first. Then it has two
 * passes: new orders for the first time, and the same orders again, each by another process.
 */
@Command(
        name = "metadata",
        description = "Opens of small files in orders that were seen before: NameNode round trips per open, and time.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MetadataCommand extends Benchmark {

    static final Column TIME =
            new Column("time", "s", 2, OF_STOCK, "time of the slowest client, summed over all parts");
    static final Column TRIPS =
            new Column("trips/open", "", 3, OF_STOCK, "calls of getBlockLocations to the NameNode for each open");
    static final Column CPU =
            new Column("CPU", "s", 2, OF_STOCK, "processor time of all clients, the NameNode and the DataNodes");
    static final Column CLIENT_CPU = new Column("clients' CPU", "s", 2, OF_STOCK, "processor time of all clients");
    static final Column NAMENODE_CPU = new Column("NameNode's CPU", "s", 2, OF_STOCK, "processor time of the NameNode");
    static final Column DATANODE_CPU =
            new Column("DataNodes' CPU", "s", 2, OF_STOCK, "processor time of all DataNodes");
    static final Column HANDED_OUT = new Column("handed out", "", 0, NONE, "predicted files that the NameNode granted");
    static final Column USED = new Column("used", "", 0, NONE, "granted files that a client opened");
    static final Column WASTED = new Column("wasted", "", 0, NONE, "granted files that no client opened in time");
    static final Column HELD_BACK =
            new Column("held back", "", 0, NONE, "predicted files that the NameNode did not grant");

    /** The most round trips per open for orders that were seen before. */
    private static final double TRIPS_TARGET = 0.10;

    /** The most time for orders that never come again, as a multiple of stock's. */
    private static final double TIME_TARGET = 1.01;

    @Mixin
    private OpenOptions opening = new OpenOptions(20_000, 40);

    @Option(
            names = "--orders",
            defaultValue = "SHARED",
            description =
                    "shared: runs of 50 files in one order for all, each client with its own order of runs; own: each client"
                            + " with its own order; random: never the same order twice (${DEFAULT-VALUE}).")
    private OpenOrders.Kind orders = OpenOrders.Kind.SHARED;

    @Option(names = "--open-only", description = "Open files without reading; the default reads 16 bytes of each.")
    private boolean openOnly;

    @Option(names = "--bytes", defaultValue = "4096", description = "Bytes of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int bytes;

    @Mixin
    private TrialsOption trials = new TrialsOption(1);

    @Mixin
    private RoundsOption rounds = new RoundsOption(5);

    @Option(
            names = "--parts",
            defaultValue = "8",
            description =
                    "Parts of a pass; each is done on one cluster and then on the other, because the machine's speed changes"
                            + " (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int parts;

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(2);

    @Option(
            names = "--also",
            split = ",",
            description =
                    "Further clusters: control is a second stock cluster, with which ratios are taken to the mean of both; bounded is"
                            + " Foresight without leases; namenode, datanodes and clients run Foresight in that role only. Of: ${COMPLETION-CANDIDATES}.")
    private List<MetadataSide> also = List.of();

    @Mixin
    private KeySettings settings = new KeySettings();

    @Override
    public List<Column> columns() {
        return List.of(TIME, TRIPS, CPU, CLIENT_CPU, NAMENODE_CPU, DATANODE_CPU, HANDED_OUT, USED, WASTED, HELD_BACK);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        opening.check(cluster());
        Release release = new Release(cluster().home(), settings.over(Map.of()));
        List<Measurement> measured = new ArrayList<>();
        Path directory = cluster().newTemporaryDirectory("foresight-metadata");
        try {
            for (int trial = 0; trial < trials.count(); trial++) {
                measure(trial, release, Files.createDirectories(directory.resolve("trial" + trial)), measured);
            }
        } finally {
            FileTree.delete(directory);
        }
        RunConditions conditions = RunConditions.NONE.saying(opening.opens() + " opens in a pass of all clients.");
        return withTarget(report(conditions, measured, Baseline.bothStocks()), orders);
    }

    /** Orders that never come again must not cost time. Orders seen before must save round trips. */
    static BenchReport withTarget(BenchReport report, OpenOrders.Kind orders) {
        Predicate<Result> concerned = result ->
                result.side().equals(Baseline.FORESIGHT) && result.workload().equals(workload(orders, 1));
        return orders == OpenOrders.Kind.RANDOM
                ? report.target(
                        "at most 1.01 times stock's time for orders that never come again",
                        TIME_TARGET,
                        concerned,
                        result -> result.ratio(TIME) <= TIME_TARGET)
                : report.target(
                        "at most 0.10 round trips per open for orders seen before",
                        TRIPS_TARGET,
                        concerned,
                        result -> result.median(TRIPS) <= TRIPS_TARGET);
    }

    /** The first pass of a round, or the second. */
    static Workload workload(OpenOrders.Kind orders, int pass) {
        String order = orders.name().toLowerCase(Locale.ROOT);
        String again = pass == 0 ? "first" : "again";
        return new Workload("orders " + order + ", " + again, Map.of("orders", order, "pass", again));
    }

    /** A pass of one side. */
    static Measurement measurement(Measurement empty, OpenPass pass, int opens, boolean learns) {
        Measurement measured = empty.with(TIME, pass.seconds())
                .with(TRIPS, (double) pass.roundTrips() / opens)
                .with(CPU, pass.cpu().total())
                .with(CLIENT_CPU, pass.cpu().clients())
                .with(NAMENODE_CPU, pass.cpu().nameNode())
                .with(DATANODE_CPU, pass.cpu().dataNodes());
        return learns
                ? measured.with(HANDED_OUT, pass.handedOut())
                        .with(USED, pass.used())
                        .with(WASTED, pass.wasted())
                        .with(HELD_BACK, pass.heldBack())
                : measured;
    }

    private void measure(int trial, Release release, Path directory, List<Measurement> measured)
            throws IOException, InterruptedException {
        List<MetadataSide> sides = new ArrayList<>(sides());
        Collections.rotate(sides, trial);
        System.out.println(trials.name(trial) + ": " + sides.size() + " clusters of a NameNode and " + dataNodes.count()
                + " DataNodes under " + directory + ", Hadoop " + cluster().hadoopVersion());
        List<MetadataContestant> contestants = new ArrayList<>();
        try {
            for (MetadataSide side : sides) {
                contestants.add(plan().start(side, release, cluster().hadoopClasspath(), directory, limit()));
            }
            System.out.println("Warming up");
            for (int round = 0; round < opening.warmUps(); round++) {
                warmUp(contestants, round);
            }
            for (MetadataContestant contestant : contestants) {
                contestant.settle();
            }
            for (int round = 0; round < rounds.count(); round++) {
                System.out.println("Round " + (round + 1) + " of " + rounds.count());
                for (MetadataContestant contestant : contestants) {
                    contestant.forget();
                }
                for (int pass = 0; pass < 2; pass++) {
                    Map<MetadataSide, OpenPass> passes = pass(contestants, opening.warmUps() + round, pass);
                    for (Map.Entry<MetadataSide, OpenPass> each : passes.entrySet()) {
                        MetadataSide side = each.getKey();
                        measured.add(measurement(
                                Measurement.of(workload(orders, pass), side.title, trial + 1, round + 1),
                                each.getValue(),
                                opening.opens(),
                                side.nameNode));
                    }
                }
            }
        } finally {
            for (MetadataContestant contestant : contestants) {
                contestant.close();
            }
            FileTree.delete(directory);
        }
    }

    private List<MetadataSide> sides() {
        Set<MetadataSide> sides = EnumSet.of(MetadataSide.STOCK, MetadataSide.FORESIGHT);
        sides.addAll(also);
        return List.copyOf(sides);
    }

    private OpenPlan plan() {
        OpenWorkload.Depth depth = openOnly ? OpenWorkload.Depth.OPEN : OpenWorkload.Depth.BEGINNING;
        return opening.plan(bytes, orders, depth, dataNodes.count());
    }

    private static void warmUp(List<MetadataContestant> contestants, int round)
            throws IOException, InterruptedException {
        for (MetadataContestant contestant : contestants) {
            contestant.forget();
        }
        for (int pass = 0; pass < 2; pass++) {
            for (MetadataContestant contestant : contestants) {
                contestant.warmUp(round, pass);
            }
        }
    }

    private Map<MetadataSide, OpenPass> pass(List<MetadataContestant> contestants, int round, int pass)
            throws IOException, InterruptedException {
        for (MetadataContestant contestant : contestants) {
            contestant.begin(round, pass, parts);
        }
        for (int part = 0; part < parts; part++) {
            for (MetadataContestant contestant : inTurn(contestants, round + part)) {
                contestant.open();
            }
        }
        Map<MetadataSide, OpenPass> passes = new EnumMap<>(MetadataSide.class);
        for (MetadataContestant contestant : contestants) {
            passes.put(contestant.side, contestant.end());
        }
        return passes;
    }

    /** All contestants, in another order from turn to turn: each is as often before any other as after it. */
    private static List<MetadataContestant> inTurn(List<MetadataContestant> contestants, int turn) {
        List<MetadataContestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, turn / 2);
        if (turn % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    private Duration limit() {
        return Duration.ofSeconds((long) (sides().size() + 1)
                * (150 + (opening.warmUps() + rounds.count()) * (20 + opening.opens() / 200)));
    }
}

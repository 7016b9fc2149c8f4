/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.DataNodesOption;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.benchmarks.workload.StatusWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.CpuShare;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how many opens a busy NameNode serves, and how long other clients wait for it.
 *
 * <p>Two clusters run: one of stock HDFS, and one of Foresight as shipped. Their NameNodes get a limited share of a processor. Clients open
 * files as fast as they can, on one cluster and then on the other. Meanwhile a stock client asks the same NameNode for the status of a folder,
 * every few milliseconds. The NameNode and that client come before all other processes, as if on machines of their own. Each round clears the access graph, and has two passes: new orders for the first time, and the same orders again,
 * each by another process. Rounds to warm up are done before the NameNodes are limited.
 */
@Command(
        name = "nnbench",
        description =
                "Opens of many clients at a NameNode with little processor time, and the waits of another client.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class NameNodeLoadCommand extends Benchmark {

    static final Column OPENS = new Column("opens", "1/s", 0, OF_STOCK, "opens per second of all clients");
    static final Column TRIPS =
            new Column("trips/open", "", 3, OF_STOCK, "calls of getBlockLocations to the NameNode for each open");
    static final Column MEDIAN =
            new Column("status p50", "ms", 2, OF_STOCK, "median time of another client's getFileInfo");
    static final Column TAIL =
            new Column("status p99", "ms", 2, OF_STOCK, "99th percentile of the time of another client's getFileInfo");
    static final Column NAMENODE_CPU =
            new Column("NameNode's CPU", "us/open", 1, OF_STOCK, "processor time of the NameNode for each open");

    private static final OpenOrders.Kind ORDERS = OpenOrders.Kind.SHARED;
    private static final int FILE_BYTES = 16;

    @Option(
            names = "--namenode-cpu",
            defaultValue = "50",
            description =
                    "Processor time for the NameNode, per cent of one processor, at least 10; 0 for no limit (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int percent;

    @Mixin
    private OpenOptions opens = new OpenOptions(40_000, 20);

    @Mixin
    private RoundsOption rounds = new RoundsOption(5);

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(1);

    @Mixin
    private KeySettings settings = new KeySettings();

    /** A cluster, and the client that asks its NameNode for a status. */
    private static final class Contestant implements Closeable {
        private static final String ASKING = "asking for a status";

        private final MetadataContestant opening;
        private final ClientProcess asking;
        private CpuShare ofNameNode = CpuShare.NONE;
        private CpuShare ofAsking = CpuShare.NONE;

        Contestant(MetadataContestant opening, Release release, Path log, Duration life) throws IOException {
            this.opening = opening;
            Path conf = opening.cluster().clientConf("asking", Installation.STOCK);
            List<String> command = opening.cluster()
                    .clientCommand(
                            conf, Installation.STOCK, List.of(release.toolsJar()), StatusWorkload.class.getName());
            command.addAll(List.of(conf.toString(), OpenPlan.FOLDER));
            this.asking = ClientProcess.launch(command, log, life);
        }

        /** Gives the NameNode, and the client that asks it, their shares of the processors. */
        RunConditions share(int percent, RunConditions conditions) throws IOException, InterruptedException {
            opening.settle();
            long nameNode = opening.cluster().nameNode().pid();
            ofNameNode = percent == 0 ? CpuShare.first(nameNode) : CpuShare.limited(nameNode, percent);
            ofAsking = CpuShare.first(asking.pid());
            String reason = ofNameNode.unavailableReason();
            return reason == null
                    ? conditions
                    : conditions.saying("The NameNode of " + opening.side.title
                            + " was NOT limited, and came before nothing: " + reason + ".");
        }

        /** Does a pass, and measures it. */
        Measurement pass(int round, int pass, int opens, Measurement empty) throws IOException, InterruptedException {
            opening.begin(round, pass, 1);
            asking.signal();
            opening.open();
            asking.signal();
            String[] status = asking.awaitLine("STATUS", ASKING).split(" ", -1);
            OpenPass opened = opening.end();
            return empty.with(OPENS, opens / opened.seconds())
                    .with(TRIPS, (double) opened.roundTrips() / opens)
                    .with(MEDIAN, Double.parseDouble(status[2]))
                    .with(TAIL, Double.parseDouble(status[3]))
                    .with(NAMENODE_CPU, opened.cpu().nameNode() / opens * 1e6);
        }

        @Override
        public void close() throws IOException {
            asking.destroy();
            opening.close();
            ofNameNode.close();
            ofAsking.close();
        }
    }

    @Override
    public List<Column> columns() {
        return List.of(OPENS, TRIPS, MEDIAN, TAIL, NAMENODE_CPU);
    }

    @Override
    protected boolean printsRounds() {
        return true;
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        opens.check(cluster());
        if (percent > 0) {
            cluster().require("--namenode-cpu", percent, CpuShare.PERCENT_MIN);
        }
        Path directory = cluster().newTemporaryDirectory("foresight-nnbench");
        List<Contestant> contestants = new ArrayList<>();
        try {
            Release release = new Release(cluster().home(), settings.over(Map.of()));
            for (MetadataSide side : List.of(MetadataSide.STOCK, MetadataSide.FORESIGHT)) {
                MetadataContestant opening =
                        plan().start(side, release, cluster().hadoopClasspath(), directory, life());
                try {
                    contestants.add(new Contestant(opening, release, directory.resolve("asking.log"), life()));
                } catch (IOException e) {
                    opening.close();
                    throw e;
                }
            }
            return measure(contestants);
        } finally {
            for (Contestant contestant : contestants) {
                contestant.close();
            }
            FileTree.delete(directory);
        }
    }

    private BenchReport measure(List<Contestant> contestants) throws IOException, InterruptedException {
        System.out.println("Warming up");
        for (int round = 0; round < opens.warmUps(); round++) {
            for (Contestant contestant : contestants) {
                contestant.opening.forget();
                contestant.opening.warmUp(round, 0);
                contestant.opening.warmUp(round, 1);
            }
        }
        RunConditions conditions = RunConditions.NONE.saying((percent == 0
                        ? "The NameNodes were not limited"
                        : "Each NameNode had " + percent + " % of one processor")
                + "; it and the client that asks for a status came before all other processes.");
        for (Contestant contestant : contestants) {
            conditions = contestant.share(percent, conditions);
        }
        int opened = opens.opens();
        List<Measurement> measured = new ArrayList<>();
        for (int round = 0; round < rounds.count(); round++) {
            System.out.println("Round " + (round + 1) + " of " + rounds.count());
            for (Contestant contestant : contestants) {
                contestant.opening.forget();
                for (int pass = 0; pass < 2; pass++) {
                    Workload workload = MetadataCommand.workload(ORDERS, pass);
                    Measurement empty = Measurement.of(workload, contestant.opening.side.title, 1, round + 1);
                    measured.add(contestant.pass(opens.warmUps() + round, pass, opened, empty));
                }
            }
            Collections.reverse(contestants);
        }
        return report(conditions.saying(opened + " opens in a pass of all clients."), measured, Baseline.stock());
    }

    private OpenPlan plan() {
        return opens.plan(FILE_BYTES, ORDERS, OpenWorkload.Depth.OPEN, dataNodes.count());
    }

    private Duration life() {
        return Duration.ofSeconds(300 + (opens.warmUps() + rounds.count()) * (40L + opens.opens() / 50));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.KeySettings;
import io.github.foresight.benchmarks.run.PlacedFilesOptions;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.run.RoundsOption;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.ProcessCluster;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;

/** A benchmark whose sides take turns on one cluster, with files as HDFS places them, and disks of limited speed. */
abstract class SidesBenchmark extends Benchmark {

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private PlacedFilesOptions placed = new PlacedFilesOptions();

    @Mixin
    private DiskLimits disks;

    @Mixin
    private KeySettings settings = new KeySettings();

    /**
     * A benchmark with the options of rounds, placement, disks and keys.
     *
     * @param iops reads a second of each disk where the user gives none; 0 for no limit
     */
    SidesBenchmark(int iops) {
        disks = new DiskLimits(iops);
    }

    /** A running cluster, the limits of its disks, and the release that is measured. */
    record Stage(ProcessCluster on, DiskThrottle throttle, Release release) {}

    final int rounds() {
        return rounds.count();
    }

    final PlacedFilesOptions placed() {
        return placed;
    }

    /** Stock HDFS, Foresight, and what else is compared. */
    abstract List<Side> sides(Release release) throws IOException;

    /** Writes the files; returns what each side does in its turns. */
    abstract Side.Turn begin(Stage stage) throws IOException, InterruptedException;

    /**
     * Has all sides take turns on a cluster of their own, which is removed afterwards.
     *
     * @param name of the cluster's directory
     * @param saying adds sentences to the conditions in the report; called once the cluster has started
     */
    @SuppressWarnings("try") // the link is closed, and not used
    final BenchReport inTurn(String name, UnaryOperator<RunConditions> saying)
            throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory(name);
        DiskThrottle throttle = disks.throttle(directory);
        System.out.println(disks.describe(throttle));
        Release release = new Release(cluster().home(), settings.over(Map.of()));
        List<Measurement> measured;
        try (ProcessCluster on = placed.cluster(cluster(), directory, throttle).start();
                Closeable unused = placed.limitLink(on)) {
            measured = Side.inTurn(sides(release), rounds(), begin(new Stage(on, throttle, release)));
        } finally {
            FileTree.delete(directory);
        }
        return report(saying.apply(disks.conditions(throttle)), measured, Baseline.stock());
    }
}

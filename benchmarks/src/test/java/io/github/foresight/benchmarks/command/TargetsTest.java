/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.PerformanceTarget;
import io.github.foresight.benchmarks.report.ReportPictures;
import io.github.foresight.benchmarks.report.ReportSamples;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.TextReport;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.Benchmark;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OverheadWorkload;
import io.github.foresight.benchmarks.workload.WindowWorkload.Pattern;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The baselines and the targets of the benchmarks. */
class TargetsTest {

    private static BenchReport report(Benchmark benchmark, Baseline baseline, Measurement... measured) {
        return BenchReport.of(
                ReportSamples.HEADER, RunConditions.NONE, benchmark.columns(), List.of(measured), baseline);
    }

    private static Measurement figure(Workload workload, String side, Column column, double value) {
        return Measurement.of(workload, side, 1, 1).with(column, value);
    }

    private static List<Boolean> met(BenchReport report) {
        return report.targets().stream().map(PerformanceTarget::met).toList();
    }

    private static Measurement opens(OpenOrders.Kind orders, MetadataSide side, int pass, double seconds, long trips) {
        OpenPass measured = new OpenPass(seconds, trips, new CpuTimes(seconds, 1, 0), 40, 30, 5, 7);
        return MetadataCommand.measurement(
                Measurement.of(MetadataCommand.workload(orders, pass), side.title, 1, 1),
                measured,
                1000,
                side.nameNode);
    }

    private static BenchReport metadata(OpenOrders.Kind orders, double seconds, long trips) {
        return MetadataCommand.withTarget(
                report(
                        new MetadataCommand(),
                        Baseline.bothStocks(),
                        opens(orders, MetadataSide.STOCK, 0, 10, 1000),
                        opens(orders, MetadataSide.FORESIGHT, 0, 90, 1000),
                        opens(orders, MetadataSide.STOCK, 1, 10, 1000),
                        opens(orders, MetadataSide.FORESIGHT, 1, seconds, trips)),
                orders);
    }

    @Test
    void sysbench_isNotSlowerThanStock() {
        Workload workload = Workload.of("seqrd, 1 file, 1024 MiB, 1 thread");
        for (double speed : new double[] {57, 58}) {
            BenchReport report = report(
                    new SysbenchCommand(),
                    Baseline.stock(),
                    figure(workload, Baseline.STOCK, SysbenchCommand.THROUGHPUT, 58),
                    figure(workload, Baseline.FORESIGHT, SysbenchCommand.THROUGHPUT, speed));
            assertThat(met(SysbenchCommand.withTarget(report))).containsExactly(speed >= 58);
        }
    }

    @Test
    void stress_isAboutTheMedianReader() {
        Workload workload = Workload.of("4 readers a second");
        for (double millis : new double[] {500, 501}) {
            BenchReport report = report(
                    new StressCommand(),
                    Baseline.stock(),
                    figure(workload, Baseline.STOCK, StressCommand.MEDIAN, 500),
                    figure(workload, Baseline.FORESIGHT, StressCommand.MEDIAN, millis));
            assertThat(met(StressCommand.withTarget(report))).containsExactly(millis <= 500);
        }
    }

    @Test
    void metadata_ofOrdersSeenBefore_isAboutRoundTripsOfTheSecondPass() {
        assertThat(met(metadata(OpenOrders.Kind.SHARED, 90, 100))).containsExactly(true);
        assertThat(met(metadata(OpenOrders.Kind.OWN, 1, 110))).containsExactly(false);
    }

    @Test
    void metadata_ofOrdersThatNeverComeAgain_isAboutTime() {
        assertThat(met(metadata(OpenOrders.Kind.RANDOM, 10.1, 1000))).containsExactly(true);
        assertThat(met(metadata(OpenOrders.Kind.RANDOM, 10.2, 10))).containsExactly(false);
    }

    @Test
    void metadata_table_hasBothPassesAndNoRatioToZero() {
        assertThat(TextReport.of(metadata(OpenOrders.Kind.SHARED, 5, 60), true))
                .contains("orders shared, first", "orders shared, again", "0.060", "0.500", "handed out", "held back")
                .doesNotContain("Infinity", "NaN");
    }

    @Test
    void nameNode_isAboutEachOperation() {
        assertThat(met(nameNode(0.97, 0.97))).containsExactly(true);
        assertThat(met(nameNode(0.97, 0.96))).containsExactly(false);
    }

    private static BenchReport nameNode(double open, double create) {
        List<Measurement> measured = new ArrayList<>();
        for (String side : NameNodeCommand.SIDES) {
            boolean shipped = side.equals("plugin, as shipped");
            measured.add(figure(Workload.of("open"), side, NameNodeCommand.OPS, shipped ? open : 1));
            measured.add(figure(Workload.of("create"), side, NameNodeCommand.OPS, shipped ? create : 1));
        }
        return NameNodeCommand.withTarget(
                report(new NameNodeCommand(), Baseline.bothStocks(), measured.toArray(new Measurement[0])));
    }

    @Test
    void overhead_ofTheClient_isComparedOnTheSameCluster() {
        BenchReport report = report(
                new OverheadCommand(),
                OverheadCommand.baseline(),
                overhead(OverheadCommand.Side.HINTED, "TIME 0.5"),
                overhead(OverheadCommand.Side.UNHINTED, "TIME 1.5"),
                overhead(OverheadCommand.Side.STOCK, "TIME 1.0"));

        assertThat(report.results().get(0).ratio(OverheadCommand.TIME)).isEqualTo(1 / 3.0);
        assertThat(report.results().get(1).ratio(OverheadCommand.TIME)).isEqualTo(1.5);
        assertThat(report.results().get(2).median(OverheadCommand.TIME)).isEqualTo(1000);
    }

    private static Measurement overhead(OverheadCommand.Side side, String line) {
        return OverheadCommand.measurement(0, side, OverheadWorkload.Work.READ, 0, line);
    }

    @Test
    void smallFiles_isTwiceAsManyFiles() {
        assertThat(met(smallFiles(20))).containsExactly(true);
        assertThat(met(smallFiles(19))).containsExactly(false);
    }

    private static BenchReport smallFiles(double filesPerSecond) {
        Workload workload = Workload.of("files");
        return SmallFilesCommand.withTarget(report(
                new SmallFilesCommand(),
                Baseline.stock(),
                figure(workload, Baseline.STOCK, SmallFilesCommand.FILES, 10),
                figure(workload, Baseline.FORESIGHT, SmallFilesCommand.FILES, filesPerSecond)));
    }

    @Test
    void window_isAboutReadsAtRandomAndRequestsOfTheRival() {
        assertThat(met(window(Pattern.RANDOM, 20, 25))).containsExactly(true, true);
        assertThat(met(window(Pattern.RANDOM, 19, 26))).containsExactly(false, false);
        assertThat(met(window(Pattern.SEQUENTIAL, 1, 25))).containsExactly(true, true);
    }

    private static BenchReport window(Pattern pattern, double reads, double requests) {
        Workload workload = WindowCommand.workload(pattern, 4, 40 << 20);
        return WindowCommand.withTargets(report(
                new WindowCommand(),
                WindowCommand.baseline(List.of(10, 25)),
                figure(workload, Baseline.STOCK, ReportPictures.READS, 10),
                figure(workload, "spa-10", ReportPictures.REQUESTS, 100),
                figure(workload, ReportPictures.DYNAMIC, ReportPictures.READS, reads)
                        .with(ReportPictures.REQUESTS, requests)));
    }

    @Test
    void window_ofAFixedWidth_isComparedWithTheRivalOfItsWidth() {
        Baseline baseline = WindowCommand.baseline(List.of(10, 25));

        assertThat(baseline.sidesFor(ReportPictures.REQUESTS, "window-25")).containsExactly("spa-25");
        assertThat(baseline.sidesFor(ReportPictures.REQUESTS, "window-5")).containsExactly("spa-10");
        assertThat(baseline.sidesFor(ReportPictures.READS, "window-25")).containsExactly(Baseline.STOCK);
    }

    @Test
    void extents_timesAreComparedAsSpeed() {
        Workload workload = Workload.of("fresh ext4, 16 streams, hsync");
        BenchReport report = report(
                new ExtentsCommand(),
                Baseline.stock(),
                figure(workload, Baseline.STOCK, ExtentsCommand.WRITE, 10).with(ExtentsCommand.read(128), 30),
                figure(workload, "on-demand", ExtentsCommand.WRITE, 8).with(ExtentsCommand.read(128), 20));

        assertThat(report.results().get(1).ratio(ExtentsCommand.WRITE)).isEqualTo(1.25);
        assertThat(report.results().get(1).ratio(ExtentsCommand.read(128))).isEqualTo(1.5);
    }
}

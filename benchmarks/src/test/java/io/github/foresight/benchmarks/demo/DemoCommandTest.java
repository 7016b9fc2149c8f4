/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.ReportSamples;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.TextReport;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.workload.WriteWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoCommandTest {

    private static DemoPlan plan(int readers) {
        return new DemoPlan(
                1L << 30,
                64 << 20,
                1,
                WriteWorkload.Placement.DEALT,
                readers,
                3,
                4,
                60,
                Path.of("java"),
                "512m",
                "3.4.3");
    }

    /** A report of rounds in which stock HDFS reads 64 MiB/s. */
    private static BenchReport report(DemoPlan plan, double... foresight) {
        List<Measurement> measured = new ArrayList<>();
        for (int i = 0; i < foresight.length; i++) {
            Workload workload = Workload.of(plan.workload());
            measured.add(Measurement.of(workload, Baseline.STOCK, 1, i + 1).with(DemoCommand.READ, 64));
            measured.add(Measurement.of(workload, Baseline.FORESIGHT, 1, i + 1)
                    .with(DemoCommand.READ, foresight[i])
                    .with(DemoCommand.PREFETCHED, 960));
        }
        return DemoCommand.withTarget(
                BenchReport.of(
                        ReportSamples.HEADER,
                        RunConditions.NONE,
                        new DemoCommand().columns(),
                        measured,
                        Baseline.stock()),
                plan);
    }

    @Test
    void table_hasThroughputRatioSpreadAndTarget() {
        assertThat(TextReport.of(report(plan(1), 256, 204.8), true))
                .contains("64.00", "256.00", "4.000", "3.600", "3.200 to 4.000", "960")
                .contains("at least 3.2 times as fast as stock HDFS: met.");
    }

    @Test
    void target_ofSixDisksAndThreeReplicas_isFive() {
        DemoPlan plan = new DemoPlan(
                1L << 30, 64 << 20, 3, WriteWorkload.Placement.DEALT, 1, 3, 6, 60, Path.of("java"), "512m", "3.4.3");
        assertThat(plan.targetRatio()).isEqualTo(5.0);
        assertThat(plan.workload()).contains("3 replicas placed by HDFS on 6 DataNodes");
    }

    @Test
    void target_ofOneReplicaPlacedByHdfs_isTheSpeedOfTheFullestDisk() {
        DemoPlan plan = new DemoPlan(
                1L << 30, 64 << 20, 1, WriteWorkload.Placement.HDFS, 1, 3, 4, 60, Path.of("java"), "512m", "3.4.3");
        assertThat(plan.workload()).contains("one replica placed by HDFS on 4 DataNodes");
        assertThat(report(plan, 120).targets()).hasSize(2);
        assertThat(report(plan(1), 256).targets()).hasSize(1);
    }

    @Test
    void erasureCodedFile_isNamedAsSuch() {
        DemoPlan plan = new DemoPlan(
                1L << 30, 64 << 20, 1, WriteWorkload.Placement.RS_3_2, 1, 3, 6, 60, Path.of("java"), "512m", "3.4.3");
        assertThat(plan.workload()).contains("erasure-coded with RS_3_2 on 6 DataNodes");
        assertThat(plan.targetRatio()).isEqualTo(1.0);
    }

    @Test
    void target_ofSeveralReaders_isNoLoss() {
        assertThat(report(plan(4), 64).targets().get(0).met()).isTrue();
        assertThat(report(plan(4), 63).targets().get(0).met()).isFalse();
        assertThat(report(plan(1), 192).targets().get(0).met()).isFalse();
    }
}

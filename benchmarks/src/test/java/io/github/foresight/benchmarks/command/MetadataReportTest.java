/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.workload.OpenOrders.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataReportTest {

    @TempDir
    private Path directory;

    private static MetadataPass pass(double seconds, long roundTrips) {
        return new MetadataPass(seconds, roundTrips, new CpuTimes(seconds, seconds / 10, 2), 40, 30, 5, 7);
    }

    /** Rounds with these times of Foresight's second pass, where stock takes 10 s. */
    private static MetadataReport report(Kind orders, double... seconds) {
        MetadataReport report = new MetadataReport(orders, 1000, "3.4.3");
        MetadataPass stock = pass(10, 1000);
        for (double time : seconds) {
            report.add(new MetadataReport.Round(
                    0,
                    Map.of(MetadataSide.STOCK, stock, MetadataSide.FORESIGHT, stock),
                    Map.of(MetadataSide.STOCK, stock, MetadataSide.FORESIGHT, pass(time, Math.round(10 * time)))));
        }
        return report;
    }

    @Test
    void medians_areOfTheSecondPasses() {
        MetadataReport report = report(Kind.SHARED, 4, 6, 20);

        assertThat(report.timeRatio().median()).isEqualTo(0.6);
        assertThat(report.timeRatio().max()).isEqualTo(2.0);
        assertThat(report.roundTripsPerOpen().median()).isEqualTo(0.06);
    }

    @Test
    void ratios_areOfBothStockClustersMean_whereThereAreTwo() {
        MetadataReport report = new MetadataReport(Kind.RANDOM, 1000, "3.4.3");
        Map<MetadataSide, MetadataPass> passes = Map.of(
                MetadataSide.STOCK, pass(10, 1000),
                MetadataSide.CONTROL, pass(30, 1000),
                MetadataSide.CLIENTS, pass(40, 1000),
                MetadataSide.FORESIGHT, pass(60, 1000));
        report.add(new MetadataReport.Round(0, passes, passes));

        assertThat(report.timeRatio().median()).isEqualTo(3.0);
        assertThat(report.ratio(MetadataSide.CLIENTS, pass -> pass.seconds).median())
                .isEqualTo(2.0);
        assertThat(report.ratio(MetadataSide.CONTROL, pass -> pass.seconds).median())
                .isEqualTo(3.0);
        assertThat(report.table()).contains("its clients     2.000 (2.000 to 2.000)");
    }

    @Test
    void spread_ofSeveralTrials_isOfTheirMedians() {
        MetadataReport report = new MetadataReport(Kind.RANDOM, 1000, "3.4.3");
        Map<MetadataSide, MetadataPass> stock =
                Map.of(MetadataSide.STOCK, pass(10, 1000), MetadataSide.FORESIGHT, pass(10, 1000));
        double[][] seconds = {{11, 12, 90}, {13, 1, 14}, {9, 9, 9}};
        for (int trial = 0; trial < seconds.length; trial++) {
            for (double time : seconds[trial]) {
                report.add(new MetadataReport.Round(
                        trial,
                        stock,
                        Map.of(MetadataSide.STOCK, pass(10, 1000), MetadataSide.FORESIGHT, pass(time, 1000))));
            }
        }

        assertThat(report.timeRatio().median()).isEqualTo(1.2);
        assertThat(report.timeRatio().min()).isEqualTo(0.9);
        assertThat(report.timeRatio().max()).isEqualTo(1.3);
        assertThat(report.table()).contains("medians of 3 trials of 3 rounds each");
    }

    @Test
    void table_ratioToNothing_isLeftOut() {
        MetadataReport report = new MetadataReport(Kind.RANDOM, 1000, "3.4.3");
        Map<MetadataSide, MetadataPass> passes = Map.of(
                MetadataSide.STOCK, new MetadataPass(1, 1000, new CpuTimes(1, 1, 0), 0, 0, 0, 0),
                MetadataSide.FORESIGHT, new MetadataPass(1, 1000, new CpuTimes(1, 1, 0.01), 0, 0, 0, 0));
        report.add(new MetadataReport.Round(0, passes, passes));

        assertThat(report.table()).contains(" 1.000 (1.000 to 1.000) -").doesNotContain("Infinity");
    }

    @Test
    void target_ofOrdersSeenBefore_isRoundTrips() {
        assertThat(report(Kind.SHARED, 30).targetMet()).isTrue();
        assertThat(report(Kind.OWN, 31).targetMet()).isFalse();
    }

    @Test
    void target_ofOrdersThatNeverComeAgain_isTime() {
        assertThat(report(Kind.RANDOM, 10.1).targetMet()).isTrue();
        assertThat(report(Kind.RANDOM, 10.2).targetMet()).isFalse();
    }

    @Test
    void table_hasEachPassAndTheMedians() {
        assertThat(report(Kind.SHARED, 4, 6, 20).table())
                .contains("foresight       0.600 (0.400 to 2.000)", "per open: 0.060 (0.040 to 0.200)")
                .contains("1.000 (1.000 to 1.000)")
                .contains("at most 0.30 round trips per open for orders seen before: met");
    }

    @Test
    void json_hasEachRound() throws IOException {
        Path file = directory.resolve("metadata.json");
        report(Kind.RANDOM, 4).writeJson(file);

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("orders").asText()).isEqualTo("random");
        assertThat(root.path("medianRatios").path("foresight").path("time").asDouble())
                .isEqualTo(0.4);
        assertThat(root.path("rounds")).hasSize(1);
        assertThat(root.path("rounds")
                        .path(0)
                        .path("foresight")
                        .path("again")
                        .path("roundTripsPerOpen")
                        .asDouble())
                .isEqualTo(0.04);
        assertThat(root.path("rounds")
                        .path(0)
                        .path("foresight")
                        .path("again")
                        .path("wasted")
                        .asLong())
                .isEqualTo(5);
    }
}

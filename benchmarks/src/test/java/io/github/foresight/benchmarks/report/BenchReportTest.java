/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.SPEED;
import static io.github.foresight.benchmarks.report.ReportSamples.TIME;
import static io.github.foresight.benchmarks.report.ReportSamples.WASTED;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchReportTest {

    @Test
    void ratios_areTakenRoundByRound() {
        BenchReport report = report(List.of(
                measurement(Baseline.STOCK, 1, 1, 10),
                measurement(Baseline.FORESIGHT, 1, 1, 20),
                measurement(Baseline.FORESIGHT, 1, 2, 60),
                measurement(Baseline.STOCK, 1, 2, 20)));

        Result foresight = report.results().get(1);
        assertThat(foresight.side()).isEqualTo(Baseline.FORESIGHT);
        assertThat(foresight.rounds()).isEqualTo(2);
        assertThat(foresight.figures().get("speed").ratio().lowest()).isEqualTo(2);
        assertThat(foresight.figures().get("speed").ratio().highest()).isEqualTo(3);
        assertThat(foresight.ratio(TIME)).isCloseTo(2.5, within(1e-9));
        assertThat(foresight.median(SPEED)).isEqualTo(40);
        assertThat(report.results().get(0).ratio(SPEED)).isEqualTo(1);
    }

    @Test
    void baseline_ofTwoStockSides_isTheirMean() {
        BenchReport report = report(List.of(
                measurement(Baseline.STOCK, 1, 1, 10),
                measurement(Baseline.STOCK_AGAIN, 1, 1, 30),
                measurement(Baseline.FORESIGHT, 1, 1, 60)));

        assertThat(report.results().get(1).ratio(SPEED)).isEqualTo(3);
        assertThat(report.results().get(2).ratio(SPEED)).isEqualTo(3);
    }

    @Test
    void trials_haveASpreadOfTheirMedians() {
        double[][] speeds = {{11, 12, 90}, {13, 1, 14}, {9, 9, 9}};
        List<Measurement> measured = new ArrayList<>();
        for (int trial = 1; trial <= speeds.length; trial++) {
            for (int round = 1; round <= 3; round++) {
                measured.add(measurement(Baseline.STOCK, trial, round, 10));
                measured.add(measurement(Baseline.FORESIGHT, trial, round, speeds[trial - 1][round - 1]));
            }
        }

        FigureSpread speed = report(measured).results().get(1).figures().get("speed");
        assertThat(speed.trials().lowest()).isEqualTo(0.9);
        assertThat(speed.trials().highest()).isEqualTo(1.3);
        assertThat(speed.ratio().median()).isEqualTo(1.1);
        assertThat(report(measured).results().get(1).rounds()).isEqualTo(9);
    }

    @Test
    void ratio_toZeroOrToNothing_isAbsent() {
        BenchReport report = report(List.of(
                measurement(Baseline.STOCK, 1, 1, 0),
                measurement(Baseline.FORESIGHT, 1, 1, 5),
                measurement(Baseline.FORESIGHT, 1, 2, 5)));

        assertThat(report.results().get(1).ratio(SPEED)).isNaN();
        assertThat(report.results().get(1).median(WASTED)).isNaN();
    }

    @Test
    void results_ofOneWorkload_followOneAnother() {
        Workload other = Workload.of("other work");
        BenchReport report = report(List.of(
                measurement(Baseline.STOCK, 1, 1, 1),
                measurement(Baseline.STOCK, 1, 1, 1).withWorkload(other),
                measurement(Baseline.FORESIGHT, 1, 1, 1),
                measurement(Baseline.FORESIGHT, 1, 1, 1).withWorkload(other)));

        assertThat(report.results())
                .extracting(Result::workload)
                .containsExactly(ReportSamples.WORK, ReportSamples.WORK, other, other);
    }

    @Test
    void target_ofSeveralResults_isMetByAll() {
        BenchReport report =
                report(List.of(measurement(Baseline.STOCK, 1, 1, 1), measurement(Baseline.FORESIGHT, 1, 1, 2)));

        assertThat(report.target("fast", 2, result -> true, result -> result.median(SPEED) >= 2)
                        .targets()
                        .get(0)
                        .met())
                .isFalse();
        assertThat(report.target("fast", 1, result -> true, result -> result.median(SPEED) >= 1)
                        .targets()
                        .get(0)
                        .met())
                .isTrue();
    }
}

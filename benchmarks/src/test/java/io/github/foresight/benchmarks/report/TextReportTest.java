/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.COLUMNS;
import static io.github.foresight.benchmarks.report.ReportSamples.HEADER;
import static io.github.foresight.benchmarks.report.ReportSamples.SPEED;
import static io.github.foresight.benchmarks.report.ReportSamples.WASTED;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextReportTest {

    private static BenchReport twoRounds() {
        return report(List.of(
                measurement(Baseline.STOCK, 1, 1, 10),
                measurement(Baseline.FORESIGHT, 1, 1, 20).with(WASTED, 123),
                measurement(Baseline.FORESIGHT, 1, 2, 60).with(WASTED, 125),
                measurement(Baseline.STOCK, 1, 2, 20)));
    }

    /** The cells of the first line that contains some words. Two or more blanks separate cells. */
    private static List<String> cells(String text, String words) {
        return text.lines()
                .filter(line -> line.contains(words))
                .findFirst()
                .map(line -> List.of(line.strip().split(" {2,}", -1)))
                .orElseThrow();
    }

    @Test
    void results_haveFiguresRatiosAndTheirSpread() {
        String text = TextReport.of(twoRounds(), false);

        assertThat(cells(text, "workload"))
                .containsExactly(
                        "workload",
                        "side",
                        "speed, 1/s",
                        "of stock",
                        "lowest to highest",
                        "time, s",
                        "times as fast",
                        "lowest to highest",
                        "wasted");
        assertThat(cells(text, Baseline.STOCK))
                .containsExactly(
                        "some work",
                        "stock HDFS",
                        "15.0",
                        "1.000",
                        "1.000 to 1.000",
                        "0.08",
                        "1.000",
                        "1.000 to 1.000",
                        "-");
        assertThat(cells(text, "  Foresight  "))
                .containsExactly(
                        "Foresight", "40.0", "2.500", "2.000 to 3.000", "0.03", "2.500", "2.000 to 3.000", "124");
        assertThat(text).doesNotContain("NaN");
    }

    @Test
    void header_saysCommandVersionsAndMachine() {
        assertThat(TextReport.of(twoRounds(), false))
                .contains("bin/foresight bench sample --rounds 3")
                .contains("Foresight 0.1.0 (commit 0123abcd), Hadoop 3.4.3, JDK 17.0.1")
                .contains("Linux 6.1, amd64, 2 CPUs, 8192 MiB, date 2026-01-02T03:04:05Z");
        Header unknown = new Header("c", Map.of(), null, new Header.Software(null, null, null, null), null);
        BenchReport report = twoRounds();
        assertThat(TextReport.of(
                        new BenchReport(
                                unknown,
                                report.conditions(),
                                report.columns(),
                                report.measurements(),
                                report.results(),
                                report.targets()),
                        false))
                .contains("commit not known", "machine not known")
                .doesNotContain("null");
    }

    @Test
    void rounds_areOrderedByRound_withARatioEach() {
        String text = TextReport.of(twoRounds(), true);

        assertThat(text.lines().filter(line -> line.contains("round ")).findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("workload", "side", "speed, 1/s", "of stock"));
        assertThat(text.lines().filter(line -> line.matches(" +2 +some work .*")))
                .hasSize(1);
        assertThat(text.lines().filter(line -> line.contains("3.000") && line.contains("125")))
                .hasSize(1);
    }

    @Test
    void trials_haveQuartilesAndMedians() {
        List<Measurement> measured = new ArrayList<>();
        for (int trial = 1; trial <= 2; trial++) {
            for (int round = 1; round <= 5; round++) {
                measured.add(measurement(Baseline.STOCK, trial, round, 10));
                measured.add(measurement(Baseline.FORESIGHT, trial, round, trial * 10 + round));
            }
        }

        assertThat(TextReport.of(report(measured), false))
                .contains("quartiles", "trials", "1.300 to 2.300")
                .contains("Medians of 10 rounds in 2 trials.")
                .doesNotContain("lowest to highest  ");
    }

    @Test
    void wideTables_areSplit_withTheSideInEachPart() {
        List<Column> many = IntStream.range(0, 20)
                .mapToObj(i -> new Column("figure number " + i, "MiB", 1, Comparison.OF_STOCK, ""))
                .toList();
        Measurement measured = measurement(Baseline.STOCK, 1, 1, 1);
        for (Column column : many) {
            measured = measured.with(column, 12345);
        }
        String text = TextReport.of(
                BenchReport.of(HEADER, RunConditions.NONE, many, List.of(measured), Baseline.stock()), false);

        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(150));
        assertThat(text.lines().filter(line -> line.contains("some work"))).hasSizeGreaterThan(2);
        assertThat(text).contains("figure number 0, MiB", "figure number 19, MiB");
    }

    @Test
    void longWords_areWrapped_andFiguresStandInTheFirstLine() {
        Workload wordy =
                Workload.of("one reader of a file of 1024 MiB in blocks of 64 MiB, one replica over 4 DataNodes");
        String text = TextReport.of(
                report(List.of(measurement(Baseline.STOCK, 1, 1, 10).withWorkload(wordy))), false);

        assertThat(cells(text, "one reader"))
                .containsExactly(
                        "one reader of a file of 1024 MiB in", "stock HDFS", "10.0", "1.000", "0.10", "1.000", "-");
        assertThat(text.lines().map(String::strip)).contains("blocks of 64 MiB, one replica over 4", "DataNodes");
    }

    @Test
    void aWordWiderThanAColumn_isNotCut() {
        String word = "x".repeat(70);
        String text = TextReport.of(
                report(List.of(measurement(Baseline.STOCK, 1, 1, 10).withWorkload(Workload.of(word)))), false);

        assertThat(text).contains(word);
    }

    @Test
    void noResults_isAHeadingOnly() {
        assertThat(TextReport.of(
                        BenchReport.of(HEADER, RunConditions.NONE, COLUMNS, List.of(), Baseline.stock()), true))
                .contains("workload", "speed, 1/s");
    }

    @Test
    void targetsAndConditions_areSaid() {
        BenchReport report = BenchReport.of(
                        HEADER,
                        RunConditions.NONE
                                .throttled("no root", true)
                                .cold(false)
                                .verified("All bytes are compared."),
                        COLUMNS,
                        List.of(measurement(Baseline.STOCK, 1, 1, 10)),
                        Baseline.stock())
                .target("works per second, at least 5", 5, result -> true, result -> result.median(SPEED) >= 5)
                .target("works per second, at least 50", 50, result -> true, result -> result.median(SPEED) >= 50);

        assertThat(TextReport.of(report, false))
                .contains("Target: works per second, at least 5: met.")
                .contains("Target: works per second, at least 50: NOT met.")
                .contains("Disks were NOT limited, so this says little about spinning disks: no root")
                .contains("warm reads", "All bytes are compared.");
    }
}

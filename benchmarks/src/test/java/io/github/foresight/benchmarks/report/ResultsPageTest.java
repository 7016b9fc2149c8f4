/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.WASTED;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {

    private static final Path RESULTS = Path.of("results");
    private static final Path PAGE = Path.of("../docs/benchmarks.md");

    private static final String GENERATED = """
            | workload | side | speed, 1/s | of stock | time, s | times as fast | wasted |
            |---|---|---|---|---|---|---|
            | some work | stock HDFS | 15.0 | 1.000 (1.000 to 1.000) | 0.08 | 1.000 (1.000 to 1.000) | - |
            | some work | Foresight | 40.0 | 2.500 (2.000 to 3.000) | 0.03 | 2.500 (2.000 to 3.000) | 7 |

            - Command: `bin/foresight bench sample --rounds 3`.
            - Foresight 0.1.0 (commit 0123abcd), Hadoop 3.4.3, JDK 17.0.1.
            - Linux 6.1, amd64, 2 CPUs, 8192 MiB, date 2026-01-02T03:04:05Z.
            - Medians of 2 rounds. Ratios are taken round by round.
            - Target: twice as fast: met.

            ![speed, 1/s, by round](pictures/work.png)
            """;

    private final BenchReport sample = report(List.of(
                    measurement(Baseline.STOCK, 1, 1, 10),
                    measurement(Baseline.FORESIGHT, 1, 1, 20).with(WASTED, 7),
                    measurement(Baseline.STOCK, 1, 2, 20),
                    measurement(Baseline.FORESIGHT, 1, 2, 60).with(WASTED, 7)))
            .target("twice as fast", 2, result -> true, result -> true);

    @TempDir
    private Path folder;

    private static String page(String between) {
        return "# Title\n\n<!-- results: work -->\n" + between + "<!-- end -->\n\nText.\n";
    }

    private String made(String page) {
        return ResultsPage.of(page, new TreeMap<>(Map.of("work", sample)), "pictures");
    }

    @Test
    void linesBetweenMarkers_areMadeFromTheReport_andOthersStay() {
        assertThat(made(page("| old |\n"))).isEqualTo(page("\n" + GENERATED + "\n"));
        assertThat(made(made(page("")))).isEqualTo(made(page("")));
    }

    @Test
    void markerWithoutReport_withoutEnd_orReportWithoutMarker_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(page("").replace("work", "other")))
                .withMessage("the page has a marker of 'other'; results without a marker are [work]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("<!-- results: work -->\n"))
                .withMessage("the page has no '<!-- end -->' after the marker of 'work'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("Text.\n"))
                .withMessage("the page has no marker '<!-- results: NAME -->' of [work]");
    }

    @Test
    void reportsOfAFolder_areNamedByTheirFiles() throws IOException {
        JsonReport.write(sample, folder.resolve("work.json"));
        Files.writeString(folder.resolve("work.png"), "");

        assertThat(ResultsPage.read(folder)).isEqualTo(Map.of("work", sample));
    }

    @Test
    void pageOfBenchmarks_isWhatTheCommandGenerates() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(page)
                .as("docs/benchmarks.md; bin/foresight bench page writes it")
                .isEqualTo(ResultsPage.of(page, ResultsPage.read(RESULTS), "../benchmarks/results"));
    }

    @Test
    void recordedResults_haveOrigin_andPictures() throws IOException {
        SortedMap<String, BenchReport> results = ResultsPage.read(RESULTS);

        results.forEach((name, report) -> {
            Header header = report.header();
            assertThat(header.command()).as(name).startsWith("bin/foresight ");
            assertThat(header.date()).as(name + ", date").isNotNull();
            assertThat(header.machine()).as(name + ", machine").isNotNull();
            assertThat(header.software().commit()).as(name + ", commit").isNotNull();
            assertThat(ReportPictures.captions(report, name).keySet())
                    .as("pictures; bin/foresight bench page draws them")
                    .allSatisfy(picture -> assertThat(RESULTS.resolve(picture)).exists());
        });
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.WASTED;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.document.Documents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TextFiguresTest {

    private final SortedMap<String, BenchReport> reports = new TreeMap<>(Map.of(
            "work",
            report(List.of(
                    measurement(Baseline.STOCK, 1, 1, 10),
                    measurement(Baseline.FORESIGHT, 1, 1, 20).with(WASTED, 7),
                    measurement(Baseline.STOCK, 1, 2, 20),
                    measurement(Baseline.FORESIGHT, 1, 2, 60).with(WASTED, 7)))));

    private String made(String page) {
        return TextFigures.of(page, reports);
    }

    @Test
    void numberBeforeAComment_becomesTheFigure_withItsDigitsAndStars() {
        assertThat(
                        made(
                                "It is **9.99**<!-- work; speed --> (0.0<!-- work; speed; low --> to 1<!-- work; speed; high -->) of 7."))
                .isEqualTo(
                        "It is **2.50**<!-- work; speed --> (2.0<!-- work; speed; low --> to 3<!-- work; speed; high -->) of 7.");
        assertThat(made("1<!-- work; wasted; value -->, 2.0<!-- work; speed; value; side stock HDFS; work some -->"))
                .isEqualTo(
                        "7<!-- work; wasted; value -->, 15.0<!-- work; speed; value; side stock HDFS; work some -->");
    }

    @Test
    void otherNumbersAndComments_stay() {
        String page = "1 <!-- work; speed --> 2<!-- a comment --> 3";

        assertThat(made(page)).isEqualTo(page);
    }

    @Test
    void commentThatFitsNoFigure_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("1<!-- other; speed -->"))
                .withMessage("'other; speed' names no result; there are [work]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("1<!-- work; weight -->"))
                .withMessage("'work; weight' fits 0 figures; it must fit one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("1<!-- work; speed; lowest -->"))
                .withMessage(
                        "'work; speed; lowest' has 'lowest'; accepted are [low, high, value], 'work WORDS' and 'side WORDS'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made("1<!-- work; wasted -->"))
                .withMessage("'work; wasted' is a figure without a ratio; 'value' is accepted");
    }

    @Test
    void figuresOfTheDocuments_areThoseOfTheResults() throws IOException {
        SortedMap<String, BenchReport> recorded = ResultsPage.read(Path.of("results"));

        for (Path page : Documents.all()) {
            String text = Documents.text(page);
            assertThat(TextFigures.of(text, recorded))
                    .as("%s; bin/foresight bench page writes it", page)
                    .isEqualTo(text);
        }
    }
}

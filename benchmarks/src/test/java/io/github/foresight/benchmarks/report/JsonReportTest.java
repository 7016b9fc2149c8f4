/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.COLUMNS;
import static io.github.foresight.benchmarks.report.ReportSamples.HEADER;
import static io.github.foresight.benchmarks.report.ReportSamples.WASTED;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonReportTest {

    @TempDir
    private Path folder;

    private static BenchReport report() {
        return BenchReport.of(
                        HEADER,
                        RunConditions.NONE.verified("All bytes are compared.").cold(false),
                        COLUMNS,
                        List.of(
                                measurement(Baseline.STOCK, 1, 1, 10),
                                measurement(Baseline.FORESIGHT, 1, 1, 25).with(WASTED, 7),
                                measurement(Baseline.STOCK, 2, 1, 10),
                                measurement(Baseline.FORESIGHT, 2, 1, 35)),
                        Baseline.stock())
                .target("fast enough", 2, result -> true, result -> true);
    }

    @Test
    void write_thenRead_givesAnEqualReport() throws IOException {
        Path file = folder.resolve("report.json");
        JsonReport.write(report(), file);

        assertThat(JsonReport.read(file)).isEqualTo(report());
    }

    @Test
    void unknownParts_areNull_andReadAsSuch() throws IOException {
        BenchReport report = report();
        BenchReport bare = new BenchReport(
                new Header("c", Map.of(), null, new Header.Software(null, null, null, null), null),
                RunConditions.NONE,
                report.columns(),
                report.measurements(),
                report.results(),
                List.of());
        Path file = folder.resolve("bare.json");
        JsonReport.write(bare, file);

        assertThat(JsonReport.read(file)).isEqualTo(bare);
    }

    /** Continuous integration looks for this spelling. */
    @Test
    void verifiedBytes_areAField() throws IOException {
        Path file = folder.resolve("report.json");
        JsonReport.write(report(), file);

        assertThat(Files.readString(file))
                .contains("\"verified\" : true", "\"cold\" : false")
                .contains("\"command\" : \"bin/foresight bench sample --rounds 3\"");
    }
}

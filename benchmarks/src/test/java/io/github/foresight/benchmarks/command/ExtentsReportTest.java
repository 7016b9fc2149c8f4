/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.command.ExtentsReport.Extents;
import io.github.foresight.benchmarks.command.ExtentsReport.Reading;
import io.github.foresight.benchmarks.command.ExtentsReport.Result;
import io.github.foresight.benchmarks.command.ExtentsReport.Row;
import io.github.foresight.benchmarks.command.ExtentsReport.Situation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtentsReportTest {

    @TempDir
    private Path directory;

    private final ExtentsReport report = new ExtentsReport("3.4.3", 48 << 20, 96 << 20);
    private final Situation synced = new Situation("ext4", "fresh", 16, "hsync");
    private final Situation plain = new Situation("ext4", "fresh", 16, "plain");

    private static Result result(
            Situation situation, String mode, int extents, double writeSeconds, double readSeconds) {
        return new Result(
                situation,
                mode,
                new Extents(32, extents, 13),
                writeSeconds,
                4,
                List.of(new Reading(128, readSeconds, 900), new Reading(4096, readSeconds / 3, 300)));
    }

    private Row row(Situation situation, String mode) {
        return report.rows().stream()
                .filter(row -> row.situation == situation && row.mode.equals(mode))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void result_inWords_saysWhatWasMeasured() {
        assertThat(result(synced, "on-demand", 48, 8, 21))
                .hasToString(
                        "fresh ext4, 16 streams, hsync, on-demand: 1.50 pieces per block, at most 13; written in 8.0 s,"
                                + " 4.0 s of the DataNode's CPU; read with 128 KiB ahead in 21.0 s by 900 disk reads; read with 4096 KiB"
                                + " ahead in 7.0 s by 300 disk reads");
    }

    @Test
    void ratios_areToStockInTheSameSituationAndRound() {
        report.add(result(plain, "off", 34, 5, 19));
        report.add(result(synced, "off", 416, 10, 30));
        report.add(result(synced, "on-demand", 48, 8, 20));
        report.add(result(synced, "on-demand", 32, 20, 15));
        report.add(result(synced, "off", 384, 40, 60));

        Row onDemand = row(synced, "on-demand");
        assertThat(onDemand.writeRatio().min()).isCloseTo(1.25, within(1e-9));
        assertThat(onDemand.writeRatio().max()).isCloseTo(2, within(1e-9));
        assertThat(onDemand.readRatio(1).median()).isCloseTo(2.75, within(1e-9));
        assertThat(onDemand.extentsPerBlock()).isEqualTo(1.25);
        assertThat(row(synced, "off").extentsPerBlock()).isEqualTo(12.5);
        assertThat(row(synced, "off").writeRatio().median()).isEqualTo(1);
        assertThat(report.table()).contains("12.50", "1.25", "1.63 (1.25-2.00)", "read 4096K");
    }

    @Test
    void csv_hasALineForEachSituationAndMode() {
        report.add(result(synced, "off", 416, 10, 30));
        report.add(result(synced, "static", 32, 8, 20));

        assertThat(report.csv().lines())
                .hasSize(3)
                .element(2)
                .asString()
                .isEqualTo("ext4,fresh,16,hsync,static,1,1.000,13,8.00,1.250,4.00,20.00,1.500,900,6.67,1.500,300");
    }

    @Test
    void writeJson_allRounds_canBeReadAgain() throws IOException {
        report.add(new Result(synced, "off", new Extents(32, 416, 13), 10, 4, List.of()));
        report.add(new Result(synced, "off", new Extents(32, 416, 13), 11, 4, List.of()));
        Path file = directory.resolve("extents.json");
        report.writeJson(file);
        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("blockBytes").asLong()).isEqualTo(48 << 20);
        JsonNode row = root.path("results").path(1);
        assertThat(row.path("writeSeconds").asDouble()).isEqualTo(11);
        assertThat(row.path("sync").asText()).isEqualTo("hsync");
        assertThat(report.table()).doesNotContain("NaN");
    }
}

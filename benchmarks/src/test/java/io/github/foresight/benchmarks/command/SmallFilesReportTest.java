/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.command.SmallFilesReport.Pass;
import io.github.foresight.cluster.DiskReads;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFilesReportTest {

    private static final int FILES = 100;

    @TempDir
    private Path directory;

    /** A hundred files that stock reads in 12 s, four disk reads each, and Foresight in these times with three. */
    private static SmallFilesReport report(@Nullable String notThrottled, boolean cold, double... seconds) {
        SmallFilesReport report = new SmallFilesReport(FILES, 65536, "3.4.3", notThrottled, cold);
        for (double time : seconds) {
            report.add(
                    new Pass(12, FILES, new DiskReads(400, 6_553_600), 0, 0),
                    new Pass(time, 10, new DiskReads(300, 6_553_600), 5 << 20, 1 << 20));
        }
        return report;
    }

    @Test
    void ratio_isOfFilesPerSecond() {
        SmallFilesReport report = report(null, true, 3, 6, 4);

        assertThat(report.ratio().median()).isEqualTo(3.0);
        assertThat(report.ratio().min()).isEqualTo(2.0);
        assertThat(report.ratio().max()).isEqualTo(4.0);
        assertThat(report.targetMet()).isTrue();
        assertThat(report(null, true, 7).targetMet()).isFalse();
    }

    @Test
    void table_hasReadsPerFileAndTheTarget() {
        assertThat(report(null, true, 4).table())
                .contains("4.00", "3.00", "64.0", "0.100", "25.0")
                .contains("3.00 times as many files", "at least 2.0 times: met")
                .doesNotContain("NOT");
    }

    @Test
    void table_withoutThrottleOrColdCache_saysSo() {
        assertThat(report("no root", false, 12).table())
                .contains("Disks were NOT limited", "no root", "warm reads", "NOT met");
    }

    @Test
    void json_hasTheMediansAndEachRound() throws IOException {
        Path file = directory.resolve("small-files.json");
        report(null, true, 3, 6, 4).writeJson(file);

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("medianForesightFilesPerSecond").asDouble()).isEqualTo(25.0);
        assertThat(root.path("medianStockReadsPerFile").asDouble()).isEqualTo(4.0);
        assertThat(root.path("rounds")).hasSize(3);
        assertThat(root.path("rounds")
                        .path(0)
                        .path("foresight")
                        .path("wastedBytes")
                        .asLong())
                .isEqualTo(1 << 20);
    }
}

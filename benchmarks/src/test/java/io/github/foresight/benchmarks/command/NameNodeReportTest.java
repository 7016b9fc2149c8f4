/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.command.NameNodeReport.Operation;
import io.github.foresight.benchmarks.command.NameNodeReport.Run;
import io.github.foresight.benchmarks.command.NameNodeReport.Side;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameNodeReportTest {

    @TempDir
    private Path directory;

    /** Two trials of three rounds, in which the machine is of different speed and the plugin's share the same. */
    private static NameNodeReport report(double share) {
        NameNodeReport report = new NameNodeReport(2, 3, "3.4.3");
        double[] speed = {1000, 2000, 4000};
        for (Operation operation : Operation.values()) {
            for (int trial = 0; trial < 2; trial++) {
                for (int round = 0; round < speed.length; round++) {
                    for (Side side : Side.values()) {
                        double factor = side == Side.FORESIGHT ? share : 1;
                        report.add(operation, side, trial, round, new Run(factor * speed[round], 50 / factor));
                    }
                }
            }
        }
        return report;
    }

    @Test
    void ratios_areTakenRoundByRound() {
        NameNodeReport report = report(0.5);

        assertThat(report.throughputRatio(Operation.OPEN, Side.FORESIGHT).min()).isEqualTo(0.5);
        assertThat(report.throughputRatio(Operation.OPEN, Side.FORESIGHT).max()).isEqualTo(0.5);
        assertThat(report.throughputRatio(Operation.OPEN, Side.STOCK_AGAIN).median())
                .isEqualTo(1.0);
    }

    @Test
    void ratios_areToTheMeanOfBothStockNameNodes() {
        NameNodeReport report = new NameNodeReport(1, 1, "3.4.3");
        report.add(Operation.OPEN, Side.STOCK, 0, 0, new Run(1000, 50));
        report.add(Operation.OPEN, Side.STOCK_AGAIN, 0, 0, new Run(1200, 50));
        report.add(Operation.OPEN, Side.FORESIGHT, 0, 0, new Run(1100, 50));

        assertThat(report.throughputRatio(Operation.OPEN, Side.FORESIGHT).median())
                .isEqualTo(1.0);
        assertThat(report.throughputRatio(Operation.OPEN, Side.STOCK_AGAIN).median())
                .isEqualTo(1.2);
    }

    @Test
    void target_isOperationsPerSecondOfEachOperation() {
        assertThat(report(0.97).targetMet()).isTrue();
        assertThat(report(0.96).targetMet()).isFalse();

        NameNodeReport oneIsSlow = report(1);
        for (int round = 0; round < 3; round++) {
            oneIsSlow.add(Operation.FILE_STATUS, Side.FORESIGHT, 0, round, new Run(10, 50));
            oneIsSlow.add(Operation.FILE_STATUS, Side.FORESIGHT, 1, round, new Run(10, 50));
        }
        assertThat(oneIsSlow.targetMet()).isFalse();
    }

    @Test
    void table_hasEachSideWithItsCost() {
        assertThat(report(0.5).table())
                .contains("fileStatus", "stock again", "plugin, all switched off", "0.500 to 0.500")
                .contains("100.0", "2.000")
                .contains("at least 0.97 of stock's operations per second: NOT met");
    }

    @Test
    void json_hasTheMedians() throws IOException {
        Path file = directory.resolve("namenode.json");
        report(0.5).writeJson(file);

        JsonNode open = new ObjectMapper().readTree(file.toFile()).path("open");
        assertThat(open.path("stock").path("medianOpsPerSecond").asDouble()).isEqualTo(2000);
        assertThat(open.path("plugin, as shipped").path("medianRatio").asDouble())
                .isEqualTo(0.5);
        assertThat(open.path("plugin, as shipped").path("medianCpuRatio").asDouble())
                .isEqualTo(2.0);
    }
}

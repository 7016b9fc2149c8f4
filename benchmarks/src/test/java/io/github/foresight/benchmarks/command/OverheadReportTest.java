/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.command.OverheadReport.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadReportTest {

    @TempDir
    private Path directory;

    /** Two trials of three rounds, the second with its clusters in the opposite order. */
    private static OverheadReport ofTwoTrials() {
        OverheadReport report = new OverheadReport(2, 3, "3.4.3");
        double[] stock = {1.0, 2.0, 4.0};
        Map<Side, Double> factors =
                Map.of(Side.STOCK, 1.0, Side.STOCK_AGAIN, 1.0, Side.UNHINTED, 1.5, Side.HINTED, 0.5);
        List<Side> sides = new ArrayList<>(List.of(Side.values()));
        for (int trial = 0; trial < 2; trial++) {
            for (int cluster = 0; cluster < sides.size(); cluster++) {
                for (int round = 0; round < stock.length; round++) {
                    double seconds = stock[round] * factors.get(sides.get(cluster));
                    report.add(trial, sides, "TIME READ " + cluster + " " + round + " " + seconds);
                }
            }
            Collections.reverse(sides);
        }
        return report;
    }

    @Test
    void ratios_areTakenRoundByRound() throws IOException {
        Path file = directory.resolve("overhead.json");
        ofTwoTrials().writeJson(file);

        JsonNode read = new ObjectMapper().readTree(file.toFile()).path("read");
        assertThat(read.path("stock").path("medianSeconds").asDouble()).isEqualTo(2.0);
        assertThat(read.path("Foresight, stock client").path("medianRatio").asDouble())
                .isEqualTo(1.5);
        assertThat(read.path("the same, its client").path("medianRatio").asDouble())
                .isEqualTo(1 / 3.0);
    }

    @Test
    void table_namesEachSideWithItsRatio() {
        assertThat(ofTwoTrials().table()).contains("stock again", "Foresight, stock client", "1.500 to 1.500", "0.333");
    }
}

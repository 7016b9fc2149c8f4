/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadReportTest {

    @TempDir
    private Path directory;

    private static OverheadReport ofThreeRounds() {
        OverheadReport report = new OverheadReport(3, "3.4.3");
        double[] stock = {1.0, 2.0, 4.0};
        double[] factors = {1.0, 1.0, 1.5, 0.5};
        for (int side = 0; side < factors.length; side++) {
            for (int round = 0; round < stock.length; round++) {
                report.add("TIME READ " + side + " " + round + " " + stock[round] * factors[side]);
            }
        }
        return report;
    }

    @Test
    void ratios_areTakenRoundByRound() throws IOException {
        Path file = directory.resolve("overhead.json");
        ofThreeRounds().writeJson(file);

        JsonNode read = new ObjectMapper().readTree(file.toFile()).path("read");
        assertThat(read.path("stock").path("medianSeconds").asDouble()).isEqualTo(2.0);
        assertThat(read.path("Foresight, stock client").path("medianRatio").asDouble())
                .isEqualTo(1.5);
        assertThat(read.path("Foresight, its client").path("medianRatio").asDouble())
                .isEqualTo(0.5);
    }

    @Test
    void table_namesEachSideWithItsRatio() {
        assertThat(ofThreeRounds().table())
                .contains("stock again", "Foresight, stock client", "1.500 to 1.500", "0.500");
    }
}

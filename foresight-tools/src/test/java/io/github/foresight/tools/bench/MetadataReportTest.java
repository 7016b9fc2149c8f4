/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.tools.workload.OpenOrders.Kind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataReportTest {

    @TempDir
    private Path directory;

    private static MetadataPass pass(double seconds, long roundTrips) {
        return new MetadataPass(seconds, roundTrips, new CpuTimes(seconds, seconds / 10, 2), 40, 30, 5, 7);
    }

    /** Rounds with these times of Foresight's second pass, where stock takes 10 s. */
    private static MetadataReport report(Kind orders, double... seconds) {
        MetadataReport report = new MetadataReport(orders, 1000, "3.4.3");
        MetadataPass stock = pass(10, 1000);
        for (double time : seconds) {
            report.add(new MetadataReport.Round(stock, stock, stock, pass(time, Math.round(10 * time))));
        }
        return report;
    }

    @Test
    void medians_areOfTheSecondPasses() {
        MetadataReport report = report(Kind.SHARED, 4, 6, 20);

        assertThat(report.ratio().median()).isEqualTo(0.6);
        assertThat(report.ratio().max()).isEqualTo(2.0);
        assertThat(report.roundTripsPerOpen().median()).isEqualTo(0.06);
    }

    @Test
    void target_ofOrdersSeenBefore_isRoundTrips() {
        assertThat(report(Kind.SHARED, 30).targetMet()).isTrue();
        assertThat(report(Kind.OWN, 31).targetMet()).isFalse();
    }

    @Test
    void target_ofOrdersThatNeverComeAgain_isTime() {
        assertThat(report(Kind.RANDOM, 10.1).targetMet()).isTrue();
        assertThat(report(Kind.RANDOM, 10.2).targetMet()).isFalse();
    }

    @Test
    void table_hasEachPassAndTheMedians() {
        assertThat(report(Kind.SHARED, 4, 6, 20).table())
                .contains("0.600 (0.400 to 2.000) of stock's", "0.060 (0.040 to 0.200)")
                .contains("of DataNodes        1.000 (1.000 to 1.000) of stock's")
                .contains("at most 0.30 round trips per open for orders seen before: met");
    }

    @Test
    void json_hasEachRound() throws IOException {
        Path file = directory.resolve("metadata.json");
        report(Kind.RANDOM, 4).writeJson(file);

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("orders").asText()).isEqualTo("random");
        assertThat(root.path("medianTimeRatio").asDouble()).isEqualTo(0.4);
        assertThat(root.path("rounds")).hasSize(1);
        assertThat(root.path("rounds")
                        .path(0)
                        .path("foresight")
                        .path("roundTripsPerOpen")
                        .asDouble())
                .isEqualTo(0.04);
        assertThat(root.path("rounds").path(0).path("foresight").path("wasted").asLong())
                .isEqualTo(5);
    }
}

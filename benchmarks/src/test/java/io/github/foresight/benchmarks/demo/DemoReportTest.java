/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.cluster.DiskReads;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoReportTest {

    private static final DemoPlan PLAN = plan(1);
    private static final DiskReads NO_READS = new DiskReads(0, 0);

    @TempDir
    private Path folder;

    @Test
    void medianRatio_oddAndEvenRounds_isTheMiddle() {
        DemoReport report = new DemoReport(PLAN, null, true);
        round(report, 16, 4);
        assertThat(report.medianRatio()).isEqualTo(4);
        round(report, 16, 8);
        assertThat(report.medianRatio()).isEqualTo(3);
        round(report, 16, 16);
        assertThat(report.medianRatio()).isEqualTo(2);
    }

    @Test
    void table_ofAColdThrottledRun_saysRatioSpreadAndTarget() {
        DemoReport report = new DemoReport(PLAN, null, true);
        round(report, 16, 4);
        round(report, 16, 5);

        assertThat(report.table())
                .contains("64.00", "256.00", "4.00")
                .contains("3.60 times as fast as stock HDFS (median of 2; 3.20 to 4.00)")
                .contains("at least 3.2 times: met")
                .doesNotContain("NOT");
    }

    @Test
    void table_withoutThrottleOrColdCache_saysSo() {
        DemoReport report = new DemoReport(plan(4), "no root", false);
        round(report, 10, 12);

        assertThat(report.table())
                .contains("Disks were NOT limited", "no root")
                .contains("warm reads")
                .contains("at least 1.0 times: NOT met");
    }

    @Test
    void json_holdsWhatTheTableShows() throws IOException {
        DemoReport report = new DemoReport(PLAN, null, true);
        round(report, 16, 4);

        report.writeJson(folder.resolve("demo.json"));

        JsonNode root = new ObjectMapper().readTree(folder.resolve("demo.json").toFile());
        assertThat(root.path("medianRatio").asDouble()).isEqualTo(4);
        assertThat(root.path("targetMet").asBoolean()).isTrue();
        assertThat(root.path("rounds")
                        .path(0)
                        .path("foresight")
                        .path("mibPerSecond")
                        .asDouble())
                .isEqualTo(256);
    }

    private static void round(DemoReport report, double stockSeconds, double foresightSeconds) {
        report.add(side(stockSeconds), side(foresightSeconds));
    }

    private static SideResult side(double seconds) {
        return new SideResult(seconds, 1L << 30, NO_READS, 0, 0);
    }

    private static DemoPlan plan(int readers) {
        return new DemoPlan(1L << 30, 64 << 20, readers, 3, 4, 60, "512m", "3.4.3");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.benchmarks.command.WindowReport.Pass;
import io.github.foresight.benchmarks.command.WindowReport.Side;
import io.github.foresight.cluster.DiskReads;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowReportTest {

    private static final int READS = 1000;

    @TempDir
    private Path directory;

    private static Pass pass(String side, double seconds, long requests) {
        return pass(side, side.equals(WindowReport.STOCK) ? 0 : 40, seconds, requests);
    }

    private static Pass pass(String side, int cacheMebibytes, double seconds, long requests) {
        return new Pass(
                4,
                "RANDOM",
                new Side(side, (long) cacheMebibytes << 20),
                seconds,
                new long[] {requests, 0, 600, 200, 200},
                new DiskReads(500, 1 << 20));
    }

    /** Two rounds in which stock takes 10 s and the rival makes a hundred requests. */
    private static WindowReport report(double dynamicSeconds, long dynamicRequests) {
        WindowReport report = new WindowReport(READS, 16384, "3.4.3", null, true);
        for (int round = 0; round < 2; round++) {
            report.add(pass(WindowReport.STOCK, 10, 0));
            report.add(pass(WindowReport.RIVAL + 10, 8, 100));
            report.add(pass(WindowReport.DYNAMIC, dynamicSeconds, dynamicRequests));
        }
        return report;
    }

    @Test
    void targets_areOfTheDynamicWindow() {
        assertThat(report(5, 25).ratioMet()).isTrue();
        assertThat(report(5.1, 25).ratioMet()).isFalse();
        assertThat(report(5, 25).requestsMet()).isTrue();
        assertThat(report(5, 26).requestsMet()).isFalse();
    }

    @Test
    void table_hasARowForEachSideAndTheTargets() {
        assertThat(report(4, 20).table())
                .contains("stock", "spa", "dynamic", "2.50", "0.20", "0.80")
                .contains("2.0 times stock: met", "0.25 of spa's: met")
                .doesNotContain("NOT");
        assertThat(report(8, 80).table()).contains("stock: NOT met", "spa's: NOT met");
    }

    @Test
    void table_withoutThrottleOrColdCache_saysSo() {
        WindowReport report = new WindowReport(READS, 16384, "3.4.3", "no root", false);
        report.add(pass(WindowReport.STOCK, 10, 0));
        assertThat(report.table()).contains("Disks were NOT limited", "no root", "warm reads");
    }

    @Test
    void requests_ofAFixedWindow_areComparedWithTheRivalOfItsWidth() {
        WindowReport report = report(4, 20);
        report.add(pass(WindowReport.RIVAL + 25, 8, 400));
        report.add(pass(WindowReport.FIXED + 25, 4, 40));
        report.add(pass(WindowReport.FIXED + 5, 4, 50));

        assertThat(report.csv().lines())
                .hasSize(7)
                .anySatisfy(row -> assertThat(row).startsWith("4,RANDOM,stock,,2,100.0,100.0,100.0,1.000,,,,"))
                .anySatisfy(row ->
                        assertThat(row).isEqualTo("4,RANDOM,dynamic,40,2,250.0,250.0,250.0,2.500,20,0.2000,0.800,500"))
                .anySatisfy(row -> assertThat(row).contains("window-25").contains(",40,0.1000,"))
                .anySatisfy(row -> assertThat(row).contains("window-5").contains(",50,0.5000,"));
    }

    @Test
    void eachCache_hasRowsOfItsOwn_andIsComparedWithTheRivalsOfItsSize() {
        WindowReport report = report(4, 20);
        report.add(pass(WindowReport.RIVAL + 10, 5, 10, 50));
        report.add(pass(WindowReport.DYNAMIC, 5, 8, 25));
        assertThat(report.csv().lines())
                .hasSize(6)
                .anySatisfy(row ->
                        assertThat(row).startsWith("4,RANDOM,dynamic,40,2,").contains(",2.500,20,0.2000,"))
                .anySatisfy(row ->
                        assertThat(row).startsWith("4,RANDOM,dynamic,5,1,").contains(",1.250,25,0.5000,"));
    }

    @Test
    void json_hasMediansAndEachPass() throws IOException {
        Path file = directory.resolve("window.json");
        report(4, 20).writeJson(file);

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("medians")).hasSize(3);
        assertThat(root.path("medians").path(2).path("ratio").asDouble()).isEqualTo(2.5);
        assertThat(root.path("medians").path(2).path("readsPerSecond").asDouble())
                .isEqualTo(250.0);
        assertThat(root.path("passes")).hasSize(6);
        assertThat(root.path("passes").path(1).path("requests").asLong()).isEqualTo(100);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Comparison;
import io.github.foresight.benchmarks.report.Header;
import io.github.foresight.benchmarks.report.JsonReport;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class BenchmarkTest {

    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();

    /** Measures nothing. */
    @Command(name = "sample")
    private static final class Sample extends Benchmark {
        private static final Column SPEED = new Column("speed", "1/s", 1, Comparison.OF_STOCK, "works per second");

        @Override
        public List<Column> columns() {
            return List.of(SPEED);
        }

        @Override
        protected BenchReport measure() throws InterruptedException {
            Measurement measured = Measurement.of(Workload.of("some work"), Baseline.STOCK, 1, 1);
            return report(RunConditions.NONE, List.of(measured.with(SPEED, 7)), Baseline.stock());
        }
    }

    @TempDir
    private Path folder;

    @BeforeEach
    void setHome() {
        System.setProperty(
                "foresight.home", TREE.resolve("dist/target/foresight").toString());
    }

    @AfterEach
    void clearHome() {
        System.clearProperty("foresight.home");
    }

    @Test
    void json_saysCommandDateCommitAndMachine() throws IOException {
        Path file = folder.resolve("sample.json");
        Instant before = Instant.now();
        assertThat(new CommandLine(new Sample()).execute("--json", file.toString()))
                .isZero();

        Header header = JsonReport.read(file).header();
        assertThat(header.command()).isEqualTo("bin/foresight --json " + file);
        assertThat(header.settings()).containsEntry("--hadoop-version", "3.4.3");
        assertThat(Instant.parse(header.date())).isBetween(before.minusSeconds(1), Instant.now());
        assertThat(header.software().hadoop()).isEqualTo("3.4.3");
        assertThat(header.software().jdk()).contains(System.getProperty("java.runtime.version"));
        assertThat(header.machine().os()).startsWith(System.getProperty("os.name"));
        assertThat(header.machine().cpus()).isPositive();
        assertThat(header.machine().memoryBytes()).isPositive();
        if (Files.exists(TREE.resolve(".git"))) {
            assertThat(header.software().commit()).matches("[0-9a-f]{40}(-dirty)?");
        }
    }
}

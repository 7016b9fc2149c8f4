/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPicturesTest {

    @TempDir
    private Path folder;

    @Test
    void reportOfRounds_isOnePicture_namedByItsCommand() throws IOException {
        ReportPictures.draw(
                report(List.of(
                        measurement(Baseline.STOCK, 1, 1, 10),
                        measurement(Baseline.FORESIGHT, 1, 1, 30),
                        measurement(Baseline.STOCK, 1, 2, 12),
                        measurement(Baseline.FORESIGHT, 1, 2, 33))),
                folder);

        assertThat(Files.size(folder.resolve("bench-sample.png"))).isPositive();
    }
}

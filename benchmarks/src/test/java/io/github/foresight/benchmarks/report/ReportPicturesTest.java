/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
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

    @Test
    void reportOfTwoWorkloads_hasAChartForEach() throws IOException {
        ReportPictures.draw(
                report(List.of(
                        measurement(Baseline.STOCK, 1, 1, 10),
                        measurement(Baseline.STOCK, 1, 2, 12),
                        measurement(Baseline.STOCK, 1, 1, 20).withWorkload(Workload.of("another")),
                        measurement(Baseline.STOCK, 1, 2, 22).withWorkload(Workload.of("another")))),
                folder,
                "two");
        ReportPictures.draw(report(List.of(measurement(Baseline.STOCK, 1, 1, 10))), folder, "one");

        assertThat(height("two.png")).isEqualTo(2 * height("one.png"));
    }

    private int height(String picture) throws IOException {
        return ImageIO.read(folder.resolve(picture).toFile()).getHeight();
    }
}

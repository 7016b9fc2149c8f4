/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** Checks that {@code docs/metrics.md} lists exactly the placement policy's metrics. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("..", "docs", "metrics.md");

    @Test
    void page_placement_namesExactlyItsMetrics() throws IOException {
        PlacementMetrics metrics = new PlacementMetrics();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
        Set<String> names =
                Streams.stream(record.metrics()).map(AbstractMetric::name).collect(Collectors.toSet());
        assertThat(record.name()).isEqualTo("ForesightPlacement");
        assertThat(namesInSection("Placement")).containsExactlyInAnyOrderElementsOf(names);
    }

    private static Set<String> namesInSection(String heading) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("\n## " + heading + "\n");
        assertThat(begin).as("section " + heading + " of " + PAGE).isPositive();
        int end = page.indexOf("\n## ", begin + 1);
        String section = page.substring(begin, end < 0 ? page.length() : end);
        return Pattern.compile("(?m)^\\| `(\\w+)` \\|")
                .matcher(section)
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.lease.LayoutLeases;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/metrics.md} and the NameNode's metrics together. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("..", "docs", "metrics.md");

    @Test
    void page_nameNode_namesExactlyItsMetrics() throws IOException {
        NameNodeMetrics metrics = new NameNodeMetrics();
        NameNodeSettings settings = NameNodeSettings.read(Map.of("foresight.namenode.graph.capacity", "1m")::get);
        metrics.observe(() -> true);
        metrics.observeFeatures(() -> 0L);
        metrics.observe(() -> 0L);
        metrics.observe(settings.accessHistory(new Random(1), 0));
        metrics.observe(new LayoutLeases(
                settings.leases(),
                settings.leaseLimits(),
                new InactiveNameNode(),
                () -> false,
                System::nanoTime,
                () -> "",
                new LeaseCounts(metrics)));
        metrics.observe(new AccessLearner(settings, unused -> {}));
        metrics.observeGrants(() -> 0L, () -> 0L);
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
        Set<String> names =
                Streams.stream(record.metrics()).map(AbstractMetric::name).collect(Collectors.toSet());
        assertThat(record.name()).isEqualTo("Foresight");
        assertThat(namesInSection("NameNode")).containsExactlyInAnyOrderElementsOf(names);
    }

    private static final class InactiveNameNode implements LayoutLeases.HaState {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public long lastTransition() {
            return 0;
        }

        @Override
        public long lastInodeId() {
            return 0;
        }
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.github.foresight.core.document.DocumentedMetrics;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/metrics.md} with the placement policy's metrics. */
class MetricsPageTest {

    @Test
    void page_placement_listsExactlyItsMetrics() {
        PlacementMetrics metrics = new PlacementMetrics();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
        Map<String, String> descriptions = Streams.stream(record.metrics())
                .collect(Collectors.toMap(AbstractMetric::name, AbstractMetric::description));
        assertThat(record.name()).isEqualTo("ForesightPlacement");
        DocumentedMetrics.assertLists("Placement", descriptions);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metrics;

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

/** Compares {@code docs/metrics.md} with the client's metrics. */
class MetricsPageTest {

    @Test
    void page_client_listsExactlyItsMetrics() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        ClientMetrics.INSTANCE.getMetrics(collector, true);
        MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
        Map<String, String> descriptions = Streams.stream(record.metrics())
                .collect(Collectors.toMap(AbstractMetric::name, AbstractMetric::description));
        assertThat(record.name()).isEqualTo("ForesightClient");
        DocumentedMetrics.assertLists("Client", descriptions);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.github.foresight.core.document.DocumentedMetrics;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/metrics.md} and the Client's metrics together. */
class MetricsPageTest {

    @Test
    void page_client_namesExactlyItsMetrics() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        ClientMetrics.INSTANCE.getMetrics(collector, true);
        MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
        Set<String> names =
                Streams.stream(record.metrics()).map(AbstractMetric::name).collect(Collectors.toSet());
        assertThat(record.name()).isEqualTo("ForesightClient");
        assertThat(DocumentedMetrics.in("Client")).containsExactlyInAnyOrderElementsOf(names);
    }
}

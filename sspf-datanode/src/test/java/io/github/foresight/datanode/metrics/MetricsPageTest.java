/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.github.foresight.core.document.DocumentedMetrics;
import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.datanode.packs.ChecksumPacks;
import io.github.foresight.datanode.prealloc.Preallocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares {@code docs/metrics.md} with the DataNode's metrics. */
class MetricsPageTest {

    @TempDir
    private Path directory;

    @Test
    @SuppressWarnings("try") // they are there for their metrics
    void page_dataNode_listsExactlyItsMetrics() throws IOException {
        try (ReadAheadFixture fixture = new ReadAheadFixture(directory, Map.of());
                Preallocation preallocation = fixture.preallocation();
                ChecksumPacks packs = fixture.packs()) {
            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            fixture.metrics.getMetrics(collector, true);
            MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
            Map<String, String> descriptions = Streams.stream(record.metrics())
                    .collect(Collectors.toMap(AbstractMetric::name, AbstractMetric::description));
            assertThat(record.name()).isEqualTo("Foresight");
            DocumentedMetrics.assertLists("DataNode", descriptions);
        }
    }
}

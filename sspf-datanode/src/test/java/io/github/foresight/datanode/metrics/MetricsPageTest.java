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
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds {@code docs/metrics.md} and the DataNode's metrics together. */
class MetricsPageTest {

    @TempDir
    private Path directory;

    @Test
    @SuppressWarnings("try") // they are there for their metrics
    void page_dataNode_namesExactlyItsMetrics() throws IOException {
        try (ReadAheadFixture fixture = new ReadAheadFixture(directory, Map.of());
                Preallocation preallocation = fixture.preallocation();
                ChecksumPacks packs = fixture.packs()) {
            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            fixture.metrics.getMetrics(collector, true);
            MetricsRecord record = Iterables.getOnlyElement(collector.getRecords());
            Set<String> names =
                    Streams.stream(record.metrics()).map(AbstractMetric::name).collect(Collectors.toSet());
            assertThat(record.name()).isEqualTo("Foresight");
            assertThat(DocumentedMetrics.in("DataNode")).containsExactlyInAnyOrderElementsOf(names);
        }
    }
}

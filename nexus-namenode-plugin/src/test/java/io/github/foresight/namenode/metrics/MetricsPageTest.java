/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.github.foresight.core.document.DocumentedMetrics;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.lease.LayoutLeases;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/metrics.md} with the NameNode's metrics. */
class MetricsPageTest {

    @Test
    void page_nameNode_listsExactlyItsMetrics() {
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
        Map<String, String> descriptions = Streams.stream(record.metrics())
                .collect(Collectors.toMap(AbstractMetric::name, AbstractMetric::description));
        assertThat(record.name()).isEqualTo("Foresight");
        DocumentedMetrics.assertLists("NameNode", descriptions);
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
}

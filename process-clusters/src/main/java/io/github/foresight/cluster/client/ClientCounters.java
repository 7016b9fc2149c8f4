/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster.client;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What Foresight's client has counted in this process. */
public final class ClientCounters {

    private static final String SOURCE = "ForesightClient";

    private ClientCounters() {}

    /**
     * A counter's value now; 0 as long as no client of Foresight's has been made in this process.
     *
     * @throws IllegalArgumentException if the client counts nothing of that name
     */
    public static long value(String name) {
        MetricsSource source = DefaultMetricsSystem.instance().getSource(SOURCE);
        if (source == null) {
            return 0;
        }
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        // The records' own class is not public in Hadoop 3.3.
        Iterable<? extends MetricsRecord> records = collector.getRecords();
        for (MetricsRecord record : records) {
            for (AbstractMetric metric : record.metrics()) {
                if (metric.name().equals(name)) {
                    return metric.value().longValue();
                }
            }
        }
        throw new IllegalArgumentException(SOURCE + " has no metric " + name);
    }
}

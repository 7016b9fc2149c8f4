/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster.client;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** The counters of Foresight's client in this process. */
public final class ClientCounters {

    private static final String SOURCE = "ForesightClient";

    private ClientCounters() {}

    /**
     * The value of a counter; 0 before this process makes its first client of Foresight.
     *
     * @throws IllegalArgumentException if the client has no counter of that name
     */
    public static long value(String name) {
        MetricsSource source = DefaultMetricsSystem.instance().getSource(SOURCE);
        if (source == null) {
            return 0;
        }
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        // The class of the records is not public in Hadoop 3.3.
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

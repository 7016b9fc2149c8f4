/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * Metrics of the placement policy, published by Hadoop's metrics2 as source {@code ForesightPlacement}. All policies that a NameNode makes share one
 * instance. Thread-safe.
 */
final class PlacementMetrics implements MetricsSource {

    static final String NAME = "ForesightPlacement";

    private static final PlacementMetrics OF_THIS_PROCESS = new PlacementMetrics();

    private final MetricsRegistry registry = new MetricsRegistry(NAME);
    private final AtomicBoolean registered = new AtomicBoolean();

    final MutableCounterLong placed =
            counter("Placed", "Blocks of which a replica was placed on the file's replica node");
    final MutableCounterLong held =
            counter("Held", "Blocks placed of which the replica node had, or got by HDFS's own choice, a replica");
    final MutableCounterLong stoodIn = counter(
            "StoodIn", "Blocks placed on a node that stands in for the replica node, which could not take them");
    final MutableCounterLong left =
            counter("Left", "Blocks placed by HDFS's own rules as no replica node could take one");
    final MutableCounterLong placedAnew = counter(
            "PlacedAnew",
            "New blocks placed by the base policy alone, as with a replica on the replica node its rules could not be kept");
    final MutableCounterLong returned = counter(
            "Returned", "Replicas made besides those that HDFS asked for, so that the replica node has one again");
    final MutableCounterLong deferred = counter(
            "Deferred",
            "Replicas made again that HDFS's own rules placed, as the replica node was busy or had as many blocks on their way as it"
                    + " may have");
    final MutableCounterLong drained = counter(
            "Drained",
            "Replicas on a replica node that were deleted because a mover, such as the Balancer, had copied them to another node");
    final MutableCounterLong spared =
            counter("Spared", "Choices of excess replicas in which the one on the replica node was spared");
    final MutableCounterLong unknown =
            counter("Unknown", "Choices of excess replicas left to HDFS as the file could not be known");
    final MutableCounterLong byPath =
            counter("ByPath", "Files told by their path, as they were not found in the namespace");
    final MutableCounterLong evened = counter(
            "Evened",
            "New files that got the second of two nodes drawn for them, as it had fewer files than the first");
    final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS's own policy decided");

    private volatile BooleanSupplier running = () -> false;
    private volatile IntSupplier nodes = () -> 0;

    PlacementMetrics() {}

    /** Returns the instance that metrics2 publishes, and registers it at the first call. */
    static PlacementMetrics ofThisProcess() {
        OF_THIS_PROCESS.register();
        return OF_THIS_PROCESS;
    }

    private void register() {
        if (registered.compareAndSet(false, true)) {
            DefaultMetricsSystem.instance().register(NAME, "Foresight's placement of replicas", this);
        }
    }

    void observe(BooleanSupplier isRunning, IntSupplier candidates) {
        running = isRunning;
        nodes = candidates;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        registry.snapshot(record, all);
        record.addGauge(Interns.info("Nodes", "DataNodes among which replica nodes are chosen"), nodes.getAsInt());
        record.addGauge(
                Interns.info("Running", "1 if Foresight places replicas in this NameNode, else 0"),
                running.getAsBoolean() ? 1 : 0);
    }

    private MutableCounterLong counter(String name, String doc) {
        return registry.newCounter(name, doc, 0L);
    }
}

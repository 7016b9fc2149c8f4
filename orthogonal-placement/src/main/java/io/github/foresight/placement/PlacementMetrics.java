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
            counter("Placed", "Blocks for which the policy chose the replica node for a replica");
    final MutableCounterLong alreadyOnReplicaNode = counter(
            "AlreadyOnReplicaNode", "Blocks whose replica node had a replica already or was chosen by the base policy");
    final MutableCounterLong onStandInNode =
            counter("OnStandInNode", "Blocks placed on a stand-in node because the replica node could not take them");
    final MutableCounterLong notOrthogonal = counter(
            "NotOrthogonal",
            "Blocks placed by the base policy because neither the replica node nor a stand-in node could take them");
    final MutableCounterLong basePolicyAlone = counter(
            "BasePolicyAlone",
            "New blocks placed by the base policy alone because a replica on the replica node would break its rules");
    final MutableCounterLong restored =
            counter("Restored", "Additional replicas made so that the replica node has a replica again");
    final MutableCounterLong deferred = counter(
            "Deferred",
            "Lost replicas that the base policy placed because the replica node was busy or had too many replicas on their way");
    final MutableCounterLong drained = counter(
            "Drained",
            "Replicas on replica nodes deleted because a mover, such as the Balancer, had copied them to another node");
    final MutableCounterLong excessKept = counter(
            "ExcessKept", "Choices of an excess replica in which the policy kept the replica on the replica node");
    final MutableCounterLong excessOfUnknownFiles = counter(
            "ExcessOfUnknownFiles",
            "Choices of an excess replica left to HDFS because the file could not be identified");
    final MutableCounterLong identifiedByPath =
            counter("IdentifiedByPath", "Files identified by their path because their inode was not found");
    final MutableCounterLong secondDraws = counter(
            "SecondDraws", "New files whose replica node is the second of two drawn nodes because it had fewer files");
    final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; the base policy decided");

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

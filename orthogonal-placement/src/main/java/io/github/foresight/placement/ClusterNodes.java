/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The DataNodes that may be replica nodes: those that are alive and in service, by the capacity of their disks. Taken from HDFS's
 * topology anew when it is asked for and older than a period, by one of those who ask; the others go on with what there is, or wait
 * where that is much too old. Thread-safe.
 *
 * <p>A node that joins has its files from then on. One that is gone is noticed by who wants to place a block on it, and then they are
 * taken anew at once: the blocks that it had are made again elsewhere before a period is over.
 */
final class ClusterNodes {

    private static final long MUCH_TOO_OLD = 5;

    private final NetworkTopology topology;
    private final long periodNanos;
    private final LongSupplier clock;
    private final ReentrantLock renewing = new ReentrantLock();
    private volatile Snapshot snapshot;

    private static final class Snapshot {
        final ReplicaNodes<DatanodeDescriptor> nodes;
        final long takenNanos;

        Snapshot(ReplicaNodes<DatanodeDescriptor> nodes, long takenNanos) {
            this.nodes = nodes;
            this.takenNanos = takenNanos;
        }
    }

    /**
     * Knows no nodes yet.
     *
     * @param clock of nanoseconds
     */
    ClusterNodes(NetworkTopology topology, long periodNanos, LongSupplier clock) {
        this.topology = topology;
        this.periodNanos = periodNanos;
        this.clock = clock;
        this.snapshot = new Snapshot(
                ReplicaNodes.<DatanodeDescriptor>builder().build(), clock.getAsLong() - MUCH_TOO_OLD * periodNanos);
    }

    /** The nodes, as they were a period ago or later; a few periods where another is just asking. */
    ReplicaNodes<DatanodeDescriptor> get() {
        long age = clock.getAsLong() - snapshot.takenNanos;
        if (age >= MUCH_TOO_OLD * periodNanos) {
            renewing.lock();
        } else if (age < periodNanos || !renewing.tryLock()) {
            return snapshot.nodes;
        }
        try {
            long now = clock.getAsLong();
            if (now - snapshot.takenNanos >= periodNanos) {
                snapshot = new Snapshot(read(), now);
            }
            return snapshot.nodes;
        } finally {
            renewing.unlock();
        }
    }

    /** Whether a node may be a replica node now. */
    boolean isThere(DatanodeDescriptor node) {
        return node.isInService() && topology.contains(node);
    }

    /** The nodes as they are now, or as another has seen them since they were these. */
    ReplicaNodes<DatanodeDescriptor> renewed(ReplicaNodes<DatanodeDescriptor> old) {
        renewing.lock();
        try {
            if (snapshot.nodes == old) {
                snapshot = new Snapshot(read(), clock.getAsLong());
            }
            return snapshot.nodes;
        } finally {
            renewing.unlock();
        }
    }

    /** The nodes as they were last seen, for who holds a lock. */
    ReplicaNodes<DatanodeDescriptor> latest() {
        ReplicaNodes<DatanodeDescriptor> nodes = snapshot.nodes;
        return nodes.size() == 0 ? get() : nodes;
    }

    private ReplicaNodes<DatanodeDescriptor> read() {
        ReplicaNodes.Builder<DatanodeDescriptor> builder = ReplicaNodes.builder();
        for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
            if (leaf instanceof DatanodeDescriptor) {
                DatanodeDescriptor node = (DatanodeDescriptor) leaf;
                String name = node.getDatanodeUuid();
                if (name != null && node.isInService()) {
                    builder.add(node, name, CapacityClass.weight(node.getCapacity()));
                }
            }
        }
        return builder.build();
    }
}

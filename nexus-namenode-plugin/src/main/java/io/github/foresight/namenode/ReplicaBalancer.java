/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.core.balance.BalanceSettings;
import io.github.foresight.core.balance.FileReplicas;
import io.github.foresight.core.balance.NodeLoads;
import io.github.foresight.core.balance.ReplicaOrder;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Orders replicas that are equally near to the reader by load and overlap (SSPF, section II.D), after HDFS has ordered them by
 * distance. Replicas that HDFS puts last for a reason of its own (stale, slow, leaving, provided) stay where they are.
 * Thread-safe.
 */
final class ReplicaBalancer {

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Where the reader is. */
    interface Topology {

        /** The network location of a host, or an empty text where it is not known. */
        String locationOf(String address);

        /** Whether HDFS puts a DataNode behind others that are as near. */
        boolean isAvoided(DatanodeInfoWithStorage node);
    }

    private final Topology topology;
    private final NameNodeMetrics metrics;
    private final NodeLoads<String> loads;
    private final ReplicaOrder<String> order;
    private final AtomicLong nextSweepNanos = new AtomicLong(System.nanoTime());
    private final ThreadLocal<FileReplicas<String>> scratch = ThreadLocal.withInitial(FileReplicas::new);

    ReplicaBalancer(NameNodeSettings settings, Topology topology, NameNodeMetrics metrics) {
        this.topology = topology;
        this.metrics = metrics;
        BalanceSettings balance = BalanceSettings.builder()
                .distinctBlocks(settings.get(NameNodeKeys.BALANCE_APART))
                .build();
        this.loads = new NodeLoads<>(balance);
        this.order = new ReplicaOrder<>(loads, balance);
    }

    /** Orders a layout's replicas in place for a reader at an address. */
    void order(LocatedBlocks layout, String readerAddress) {
        long now = System.nanoTime();
        sweep(now);
        List<LocatedBlock> blocks = balanced(layout);
        if (blocks.isEmpty()) {
            return;
        }
        String readerLocation = topology.locationOf(readerAddress);
        FileReplicas<String> replicas = scratch.get();
        replicas.begin(stream(blocks.get(0), readerAddress), blocks.get(0).getStartOffset());
        for (LocatedBlock block : blocks) {
            replicas.block(block.getBlock().getBlockId(), block.getBlockSize());
            int distance = 0;
            for (DatanodeInfoWithStorage node : block.getLocations()) {
                if (mustStayLast(node)) {
                    break;
                }
                heard(node, now);
                distance = Math.max(distance, distance(readerAddress, readerLocation, node));
                replicas.replica(node.getDatanodeUuid(), distance);
            }
        }
        order.arrange(replicas, now);
        for (int i = 0; i < blocks.size(); i++) {
            apply(replicas, i, blocks.get(i));
        }
    }

    /** Erasure-coded blocks are read from all their locations at once. */
    private static List<LocatedBlock> balanced(LocatedBlocks layout) {
        List<LocatedBlock> blocks = new ArrayList<>(layout.locatedBlockCount());
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            if (!block.isStriped() && block.getLocations().length > 0) {
                blocks.add(block);
            }
        }
        return blocks;
    }

    /** The same for all of a reader's questions about a file, but for those that begin in its middle. */
    private static long stream(LocatedBlock first, String readerAddress) {
        return 31L * first.getBlock().getBlockPoolId().hashCode() + readerAddress.hashCode();
    }

    private boolean mustStayLast(DatanodeInfoWithStorage node) {
        return !node.isInService() || node.getStorageType() == StorageType.PROVIDED || topology.isAvoided(node);
    }

    private void heard(DatanodeInfoWithStorage node, long nowNanos) {
        long heardNanos = TimeUnit.MILLISECONDS.toNanos(node.getLastUpdateMonotonic());
        loads.heartbeat(node.getDatanodeUuid(), node.getXceiverCount(), Math.min(heardNanos, nowNanos));
    }

    /** As many levels as a path between the two goes up, 0 on one host. */
    private static int distance(String readerAddress, String readerLocation, DatanodeInfoWithStorage node) {
        if (node.getIpAddr().equals(readerAddress)) {
            return 0;
        }
        String[] of = readerLocation.split("/", -1);
        String[] to = node.getNetworkLocation().split("/", -1);
        int common = 0;
        while (common < Math.min(of.length, to.length) && of[common].equals(to[common])) {
            common++;
        }
        return 1 + Math.max(of.length, to.length) - common;
    }

    private void apply(FileReplicas<String> replicas, int index, LocatedBlock block) {
        int count = replicas.replicas(index);
        if (count < 2) {
            return;
        }
        DatanodeInfoWithStorage[] locations = block.getLocations();
        DatanodeInfoWithStorage[] before = locations.clone();
        for (int place = 0; place < count; place++) {
            locations[place] = before[replicas.at(index, place)];
        }
        if (replicas.at(index, 0) != 0) {
            metrics.balancedBlocks.incr();
        }
        block.updateCachedStorageInfo();
    }

    private void sweep(long nowNanos) {
        long due = nextSweepNanos.get();
        if (nowNanos - due >= 0 && nextSweepNanos.compareAndSet(due, nowNanos + SWEEP_NANOS)) {
            loads.sweep(nowNanos);
        }
    }
}

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
    private final ScratchPool<FileReplicas<String>> scratch = new ScratchPool<>(FileReplicas::new);

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
        if (!hasChoice(blocks)) {
            for (LocatedBlock block : blocks) {
                countOnly(block, now);
            }
            return;
        }
        String readerLocation = topology.locationOf(readerAddress);
        FileReplicas<String> replicas = scratch.borrow();
        try {
            order(blocks, readerAddress, readerLocation, replicas, now);
        } finally {
            scratch.giveBack(replicas);
        }
    }

    private void order(
            List<LocatedBlock> blocks,
            String readerAddress,
            String readerLocation,
            FileReplicas<String> replicas,
            long now) {
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

    /** Puts a DataNode's replica of a block first if it is as near to the reader as the one that is. */
    void prefer(LocatedBlock block, String dataNode, String readerAddress) {
        DatanodeInfoWithStorage[] locations = block.getLocations();
        String readerLocation = topology.locationOf(readerAddress);
        for (int i = 1; i < locations.length && !block.isStriped(); i++) {
            DatanodeInfoWithStorage preferred = locations[i];
            if (preferred.getDatanodeUuid().equals(dataNode)
                    && !mustStayLast(preferred)
                    && distance(readerAddress, readerLocation, preferred)
                            <= distance(readerAddress, readerLocation, locations[0])) {
                System.arraycopy(locations, 0, locations, 1, i);
                locations[0] = preferred;
                block.updateCachedStorageInfo();
                return;
            }
        }
    }

    private static boolean hasChoice(List<LocatedBlock> blocks) {
        for (LocatedBlock block : blocks) {
            if (block.getLocations().length > 1) {
                return true;
            }
        }
        return false;
    }

    /** There is no choice, but a read all the same. */
    private void countOnly(LocatedBlock block, long nowNanos) {
        DatanodeInfoWithStorage only = block.getLocations()[0];
        heard(only, nowNanos);
        loads.handedOut(only.getDatanodeUuid(), nowNanos);
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
        return 1 + levelsUp(readerLocation, node.getNetworkLocation());
    }

    /** How far up from the deeper of two places in the topology the first is that both are in; 0 if they are the same. */
    static int levelsUp(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        int same = 0;
        while (same < shorter && one.charAt(same) == other.charAt(same)) {
            same++;
        }
        if (same == one.length() && same == other.length()) {
            return 0;
        }
        boolean isWhole = (same == one.length() || one.charAt(same) == '/')
                && (same == other.length() || other.charAt(same) == '/');
        int begin = isWhole ? same : one.lastIndexOf('/', same - 1);
        return Math.max(levelsFrom(one, begin), levelsFrom(other, begin));
    }

    private static int levelsFrom(String location, int begin) {
        int levels = 0;
        for (int i = Math.max(begin, 0); i < location.length(); i++) {
            if (location.charAt(i) == '/') {
                levels++;
            }
        }
        return levels;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.balance;

import io.github.foresight.core.balance.BalanceSettings;
import io.github.foresight.core.balance.FileReplicas;
import io.github.foresight.core.balance.NodeLoads;
import io.github.foresight.core.balance.ReplicaOrder;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.scratch.ScratchPool;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.Node;

/**
 * Orders by load and overlap (SSPF, section II.D) those replicas between which HDFS has no preference, after HDFS has put all in order.
 *
 * <p>HDFS's order falls into classes, and a replica stays within its class. Two neighbours are of one class if HDFS finds them at the
 * same distance from the reader and, where {@code dfs.namenode.read.considerStorageType} or {@code considerLoad} is on, of one storage
 * type or load. So the first replica is never farther than HDFS's first. HDFS puts some replicas last for its own reasons (stale,
 * slow, leaving, provided). From the first of these on, HDFS's order stays.
 *
 * <p>Thread-safe.
 */
public final class ReplicaBalancer {

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** HDFS's view of DataNodes. */
    public interface Topology {

        /** The distances from a reader, as HDFS computes them; for one thread. */
        ToIntFunction<Node> distancesFrom(String readerAddress);

        /** Whether HDFS puts a DataNode behind others that are as near. */
        boolean isAvoided(DatanodeInfoWithStorage node);

        /** Whether HDFS prefers one storage type to another at the same distance. */
        boolean isStorageTypeConsidered();

        /** Whether HDFS prefers the less loaded DataNode at the same distance. */
        boolean isLoadConsidered();
    }

    /** The purpose of a layout request. */
    public enum Use {
        /** To read the file now. */
        READ,
        /** To plan work or to predict: a read may follow, or not. */
        LATER
    }

    private final Topology topology;
    private final NameNodeMetrics metrics;
    private final NodeLoads<String> loads;
    private final ReplicaOrder<String> order;
    private final AtomicLong nextSweepNanos = new AtomicLong(System.nanoTime());
    private final ScratchPool<FileReplicas<String>> scratch = new ScratchPool<>(FileReplicas::new);

    public ReplicaBalancer(NameNodeSettings settings, Topology topology, NameNodeMetrics metrics) {
        this.topology = topology;
        this.metrics = metrics;
        BalanceSettings balance = BalanceSettings.builder()
                .distinctBlocks(settings.get(NameNodeKeys.BALANCE_APART))
                .build();
        this.loads = new NodeLoads<>(balance);
        this.order = new ReplicaOrder<>(loads, balance);
    }

    /** Orders a layout's replicas in place for a reader at an address. */
    public void order(LocatedBlocks layout, String readerAddress, Use use) {
        long now = System.nanoTime();
        sweep(now);
        List<LocatedBlock> blocks = balanced(layout);
        if (blocks.isEmpty()) {
            return;
        }
        if (!hasChoice(blocks)) {
            for (LocatedBlock block : blocks) {
                heardOfOnly(block, now, use);
            }
            return;
        }
        FileReplicas<String> replicas = scratch.borrow();
        try {
            order(blocks, readerAddress, replicas, now, use);
        } finally {
            scratch.giveBack(replicas);
        }
    }

    private void order(
            List<LocatedBlock> blocks, String readerAddress, FileReplicas<String> replicas, long now, Use use) {
        ToIntFunction<Node> distances = topology.distancesFrom(readerAddress);
        replicas.begin(stream(blocks.get(0), readerAddress), blocks.get(0).getStartOffset());
        for (LocatedBlock block : blocks) {
            replicas.block(block.getBlock().getBlockId(), block.getBlockSize());
            int preference = 0;
            DatanodeInfoWithStorage before = null;
            for (DatanodeInfoWithStorage node : block.getLocations()) {
                if (mustStayLast(node)) {
                    break;
                }
                heard(node, now);
                if (before != null && !isAsGood(before, node, distances)) {
                    preference++;
                }
                replicas.replica(node.getDatanodeUuid(), preference);
                before = node;
            }
        }
        if (use == Use.READ) {
            order.arrange(replicas, now);
        } else {
            order.arrangeForLater(replicas, now);
        }
        for (int i = 0; i < blocks.size(); i++) {
            apply(replicas, i, blocks.get(i));
        }
    }

    /** Whether HDFS has no preference between two replicas, so that their order was left to chance. */
    private boolean isAsGood(
            DatanodeInfoWithStorage one, DatanodeInfoWithStorage other, ToIntFunction<Node> distances) {
        return distances.applyAsInt(one) == distances.applyAsInt(other)
                && (!topology.isStorageTypeConsidered() || one.getStorageType() == other.getStorageType())
                && (!topology.isLoadConsidered() || one.getXceiverCount() == other.getXceiverCount());
    }

    /** Puts a DataNode's replica of a block first if HDFS prefers none of those before it. */
    public void prefer(LocatedBlock block, String dataNode, String readerAddress) {
        DatanodeInfoWithStorage[] locations = block.getLocations();
        ToIntFunction<Node> distances = topology.distancesFrom(readerAddress);
        for (int i = 1; i < locations.length && !block.isStriped(); i++) {
            DatanodeInfoWithStorage preferred = locations[i];
            if (mustStayLast(preferred) || !isAsGood(locations[i - 1], preferred, distances)) {
                return;
            }
            if (preferred.getDatanodeUuid().equals(dataNode)) {
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

    /** A block with one replica leaves no choice, but its read still adds to the load. */
    private void heardOfOnly(LocatedBlock block, long nowNanos, Use use) {
        DatanodeInfoWithStorage only = block.getLocations()[0];
        heard(only, nowNanos);
        if (use == Use.READ) {
            loads.handedOut(only.getDatanodeUuid(), nowNanos);
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

    /** The same number for all requests of a reader for a file, except requests that begin inside the file. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.BlockParts;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Cuts the blocks of a file, in file order, among the DataNodes that may serve parts. {@link BlockParts} decides how long the parts are.
 *
 * <p>Only replicas that are as near as the first serve parts: the replicas on the reader's host if the first is there, otherwise the replicas
 * on the rack of the first. DataNodes that leave the cluster, whose last heartbeat is much older than another's, or that serve far more
 * transfers than another, serve no parts: the readers of a slow disk are many. A block is not cut where this process already keeps all the
 * disks of its replicas busy ({@link DiskReaders}); {@link OpenFile} has blocks cut anew before the first hint. Not thread-safe.
 */
final class BlockCutter {

    /** HDFS's default of {@code dfs.namenode.stale.datanode.interval}. */
    private static final long STALE_MILLIS = 30_000;

    /** So many transfers more than twice those of the least loaded replica make a DataNode overloaded; chosen, not measured. */
    private static final int TRANSFERS_APART = 16;

    private final DiskReaders readers;
    private final BlockParts<DatanodeInfo> parts;
    private final int replicasMax;
    private final long partMinBytes;

    /**
     * Begins a file.
     *
     * @param readers the files that this process reads
     */
    BlockCutter(ClientSettings settings, DiskReaders readers) {
        this.readers = readers;
        this.replicasMax = settings.get(ClientKeys.HINT_PART_REPLICAS);
        this.partMinBytes = settings.get(ClientKeys.HINT_PART_MIN);
        this.parts = new BlockParts<>(replicasMax, partMinBytes, DatanodeInfo::getDatanodeUuid);
    }

    /** Whether a block is long enough to be cut, and has replicas enough. */
    boolean mayCut(LocatedBlock located) {
        return replicasMax > 1 && located.getLocations().length > 1 && located.getBlockSize() >= 2 * partMinBytes;
    }

    /**
     * The parts of the next block, from front to back, each with its DataNode; one for a block that is not cut.
     *
     * @param located a block of which at least one location is known, and of at least one byte
     */
    ImmutableList<Placed<HintTarget>> cut(LocatedBlock located) {
        HintedBlock whole = whole(located);
        DatanodeInfo[] locations = located.getLocations();
        List<DatanodeInfo> nodes = mayCut(located) ? serving(locations) : ImmutableList.of(locations[0]);
        ImmutableList.Builder<Placed<HintTarget>> placed = ImmutableList.builder();
        long begin = 0;
        for (BlockParts.Part<DatanodeInfo> part : parts.cut(whole.key().blockId(), whole.lengthBytes(), nodes)) {
            HintTarget target = new HintTarget(part.node(), located.getBlockToken());
            placed.add(new Placed<>(whole.part(begin, part.endBytes()), target));
            begin = part.endBytes();
        }
        return placed.build();
    }

    /**
     * The begin of the next block, at the DataNode of the block's first part, and within this part.
     *
     * @param located as for {@link #cut}
     * @param bytes the most that is wanted, 1 or more
     */
    Placed<HintTarget> begin(LocatedBlock located, long bytes) {
        Placed<HintTarget> first = cut(located).get(0);
        HintedBlock part = first.block();
        return new Placed<>(part.part(0, Math.min(bytes, part.endBytes())), first.node());
    }

    /**
     * The end of a block, at the DataNode that the NameNode lists first.
     *
     * @param located as for {@link #cut}
     * @param bytes the most that is wanted, 1 or more
     */
    Placed<HintTarget> end(LocatedBlock located, long bytes) {
        HintedBlock whole = whole(located);
        long length = whole.lengthBytes();
        return new Placed<>(
                whole.part(Math.max(0, length - bytes), length),
                new HintTarget(located.getLocations()[0], located.getBlockToken()));
    }

    private static HintedBlock whole(LocatedBlock located) {
        ExtendedBlock block = located.getBlock();
        return new HintedBlock(
                new BlockKey(block.getBlockPoolId(), block.getBlockId()),
                block.getGenerationStamp(),
                located.getStartOffset(),
                located.getBlockSize());
    }

    private ImmutableList<DatanodeInfo> serving(DatanodeInfo[] locations) {
        boolean firstIsLocal = ReaderHost.has(locations[0]);
        ImmutableList<DatanodeInfo> nearest = Arrays.stream(locations)
                .filter(node -> isAsNear(node, locations[0], firstIsLocal) && isFit(node, locations))
                .collect(ImmutableList.toImmutableList());
        return nearest.isEmpty() || readers.areBusy(disks(nearest), System.nanoTime())
                ? ImmutableList.of(locations[0])
                : nearest;
    }

    private static List<String> disks(List<DatanodeInfo> nodes) {
        return nodes.stream().map(BlockCutter::disk).collect(ImmutableList.toImmutableList());
    }

    /** The name of a replica's disk: of its storage, or of its DataNode where the NameNode does not tell the storage. */
    static String disk(DatanodeInfo node) {
        String storage =
                node instanceof DatanodeInfoWithStorage ? ((DatanodeInfoWithStorage) node).getStorageID() : null;
        return storage == null || storage.isEmpty() ? node.getDatanodeUuid() : storage;
    }

    private static boolean isAsNear(DatanodeInfo node, DatanodeInfo first, boolean firstIsLocal) {
        return firstIsLocal ? ReaderHost.has(node) : node.getNetworkLocation().equals(first.getNetworkLocation());
    }

    /** Whether a DataNode is in service, alive, and not overloaded, as the NameNode describes it in the layout. */
    private static boolean isFit(DatanodeInfo node, DatanodeInfo[] locations) {
        long latestHeartbeat = Long.MIN_VALUE;
        int leastTransfers = Integer.MAX_VALUE;
        for (DatanodeInfo other : locations) {
            latestHeartbeat = Math.max(latestHeartbeat, other.getLastUpdateMonotonic());
            leastTransfers = Math.min(leastTransfers, other.getXceiverCount());
        }
        return node.isInService()
                && latestHeartbeat - node.getLastUpdateMonotonic() < STALE_MILLIS
                && node.getXceiverCount() <= 2L * leastTransfers + TRANSFERS_APART;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.BlockParts;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Finds the DataNodes that will serve the parts of a block. {@link BlockParts} decides.
 *
 * <p>Only replicas that are as near as the first serve parts: the replicas on the reader's host if the first is there, otherwise the replicas
 * on the rack of the first. DataNodes that leave the cluster, or whose last heartbeat is much older than another's, serve no parts. Stateless.
 */
final class CutBlock {

    /** HDFS's default of {@code dfs.namenode.stale.datanode.interval}. */
    private static final long STALE_MILLIS = 30_000;

    private CutBlock() {}

    /**
     * The parts of a block, from front to back, each with its DataNode; one for a block that is not cut.
     *
     * @param located a block of which at least one location is known, and of at least one byte
     */
    static ImmutableList<Placed<HintTarget>> of(LocatedBlock located, ClientSettings settings) {
        ExtendedBlock block = located.getBlock();
        DatanodeInfo[] locations = located.getLocations();
        HintedBlock whole = new HintedBlock(
                new BlockKey(block.getBlockPoolId(), block.getBlockId()),
                block.getGenerationStamp(),
                located.getStartOffset(),
                located.getBlockSize());
        int replicasMax = Math.min(locations.length, settings.get(ClientKeys.HINT_PART_REPLICAS));
        long partMin = settings.get(ClientKeys.HINT_PART_MIN);
        if (replicasMax < 2 || whole.lengthBytes() < 2 * partMin) {
            return ImmutableList.of(placed(whole, locations[0], located));
        }
        List<DatanodeInfo> nodes =
                BlockParts.order(nearest(locations, replicasMax), block.getBlockId(), DatanodeInfo::getDatanodeUuid);
        List<Long> ends = BlockParts.ends(whole.lengthBytes(), nodes.size(), partMin);
        if (ends.size() == 1) {
            return ImmutableList.of(placed(whole, locations[0], located));
        }
        ImmutableList.Builder<Placed<HintTarget>> parts = ImmutableList.builder();
        long begin = 0;
        for (int i = 0; i < ends.size(); i++) {
            parts.add(placed(whole.part(begin, ends.get(i)), nodes.get(i), located));
            begin = ends.get(i);
        }
        return parts.build();
    }

    private static Placed<HintTarget> placed(HintedBlock part, DatanodeInfo node, LocatedBlock located) {
        return new Placed<>(part, new HintTarget(node, located.getBlockToken()));
    }

    private static ImmutableList<DatanodeInfo> nearest(DatanodeInfo[] locations, int most) {
        long latest = Long.MIN_VALUE;
        for (DatanodeInfo node : locations) {
            latest = Math.max(latest, node.getLastUpdateMonotonic());
        }
        boolean firstIsLocal = ReaderHost.has(locations[0]);
        List<DatanodeInfo> nearest = new ArrayList<>(most);
        for (DatanodeInfo node : locations) {
            if (nearest.size() < most && isUsable(node, locations[0], firstIsLocal, latest)) {
                nearest.add(node);
            }
        }
        return nearest.isEmpty() ? ImmutableList.of(locations[0]) : ImmutableList.copyOf(nearest);
    }

    private static boolean isUsable(DatanodeInfo node, DatanodeInfo first, boolean firstIsLocal, long latestHeartbeat) {
        boolean isAsNear =
                firstIsLocal ? ReaderHost.has(node) : node.getNetworkLocation().equals(first.getNetworkLocation());
        return isAsNear && node.isInService() && latestHeartbeat - node.getLastUpdateMonotonic() < STALE_MILLIS;
    }
}

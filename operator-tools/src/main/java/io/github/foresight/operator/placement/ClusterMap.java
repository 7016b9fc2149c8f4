/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes that are alive and in service, by the NameNode's report. The map names the replica node of a file as the policy in
 * the NameNode does. Immutable.
 */
final class ClusterMap {

    private final Map<String, Node> nodes = new HashMap<>();
    private final ReplicaNodes<Node> replicaNodes;

    /** One DataNode. */
    static final class Node {
        final DatanodeInfo info;
        private final Map<StorageType, Long> remaining = new EnumMap<>(StorageType.class);

        Node(DatanodeStorageReport report) {
            this.info = report.getDatanodeInfo();
            for (StorageReport storage : report.getStorageReports()) {
                remaining.merge(storage.getStorage().getStorageType(), storage.getRemaining(), Long::sum);
            }
        }

        String name() {
            return info.getDatanodeUuid();
        }

        boolean hasRoom(StorageType type, long bytes) {
            return remaining.getOrDefault(type, 0L) > bytes;
        }

        double fullness() {
            return info.getCapacity() == 0 ? 1 : info.getDfsUsed() / (double) info.getCapacity();
        }
    }

    ClusterMap(DatanodeStorageReport[] reports) {
        ReplicaNodes.Builder<Node> builder = ReplicaNodes.builder();
        for (DatanodeStorageReport report : reports) {
            Node node = new Node(report);
            if (node.info.isInService()) {
                nodes.put(node.name(), node);
                builder.add(node, node.name(), CapacityClass.weight(node.info.getCapacity()));
            }
        }
        this.replicaNodes = builder.build();
    }

    /** As it is now; needs the superuser. */
    static ClusterMap read(DFSClient client) throws IOException {
        return new ClusterMap(client.getDatanodeStorageReport(DatanodeReportType.LIVE));
    }

    int size() {
        return nodes.size();
    }

    /** A DataNode in service, or null. */
    @Nullable
    Node node(DatanodeInfo info) {
        return nodes.get(info.getDatanodeUuid());
    }

    /**
     * The node that holds, or is to hold, a replica of each block of a file: the node that holds the most of them now, as the
     * NameNode does.
     *
     * @return null where there is no node
     */
    @Nullable
    Node replicaNode(long fileId, LocatedBlocks located) {
        List<LocatedBlock> blocks = located.getLocatedBlocks();
        BlockHolders<Node> holders = BlockHolders.of(blocks.size(), (found, i) -> addHolders(blocks.get(i), found));
        long number = LayoutHash.ofFile(fileId);
        Node most = holders.most(replicaNodes, number);
        return most == null ? replicaNodes.first(number) : most;
    }

    private void addHolders(LocatedBlock block, BlockHolders<Node> holders) {
        for (DatanodeInfo holder : block.getLocations()) {
            Node node = node(holder);
            if (node != null) {
                holders.add(node);
            }
        }
    }
}

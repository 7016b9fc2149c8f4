/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import io.github.foresight.core.layout.ReplicaMoves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/** How one file lies, and what must move so that its replica node has a replica of each block. */
final class FilePlan {

    /** Whether a file takes part. */
    enum Kind {
        /** It has one node that should hold all its blocks. */
        CONSIDERED,
        EMPTY,
        /** It has one replica of each block; HDFS's own placement applies. */
        SINGLE,
        ERASURE_CODED,
        /** It is being written; a later run will find it. */
        OPEN
    }

    private final Kind kind;
    private final List<BlockMove> moves = new ArrayList<>();
    private int blocks;
    private int stuck;
    private int mostHeld;
    private @Nullable String replicaNode;

    private FilePlan(Kind kind) {
        this.kind = kind;
    }

    /** A plan by the NameNode's layout of a file with all its blocks. */
    static FilePlan of(HdfsFileStatus file, LocatedBlocks located, ClusterMap cluster) {
        Kind kind = kindOf(file, located);
        ClusterMap.Node target = kind == Kind.CONSIDERED ? cluster.replicaNode(file.getFileId(), located) : null;
        return plan(kind, file, located, target, cluster);
    }

    /** A plan that brings all blocks to a node, by the NameNode's status of a file and the layout of some of its blocks. */
    static FilePlan towards(
            ClusterMap.@Nullable Node target, HdfsFileStatus file, LocatedBlocks located, ClusterMap cluster) {
        Kind kind = kindOf(file, located);
        return plan(kind, file, located, kind == Kind.CONSIDERED ? target : null, cluster);
    }

    private static FilePlan plan(
            Kind kind,
            HdfsFileStatus file,
            LocatedBlocks located,
            ClusterMap.@Nullable Node target,
            ClusterMap cluster) {
        FilePlan plan = new FilePlan(kind);
        if (target != null) {
            plan.replicaNode = target.info.getXferAddr();
            Map<String, Integer> held = new HashMap<>();
            for (LocatedBlock block : located.getLocatedBlocks()) {
                plan.add(file.getFileId(), block, target, cluster);
                for (DatanodeInfo holder : block.getLocations()) {
                    plan.mostHeld = Math.max(plan.mostHeld, held.merge(holder.getDatanodeUuid(), 1, Integer::sum));
                }
            }
        }
        return plan;
    }

    private static Kind kindOf(HdfsFileStatus file, @Nullable LocatedBlocks located) {
        if (file.getErasureCodingPolicy() != null) {
            return Kind.ERASURE_CODED;
        }
        if (located == null || located.getLocatedBlocks().isEmpty()) {
            return Kind.EMPTY;
        }
        if (located.isUnderConstruction()) {
            return Kind.OPEN;
        }
        return file.getReplication() < 2 ? Kind.SINGLE : Kind.CONSIDERED;
    }

    private void add(long fileId, LocatedBlock block, ClusterMap.Node target, ClusterMap cluster) {
        blocks++;
        List<Holder> holders = new ArrayList<>();
        DatanodeInfo[] nodes = block.getLocations();
        StorageType[] types = block.getStorageTypes();
        for (int i = 0; i < nodes.length; i++) {
            holders.add(new Holder(nodes[i], types[i], block.getBlockSize(), target, cluster));
        }
        if (ReplicaMoves.isHeld(holders)) {
            return;
        }
        Holder source = block.isCorrupt() ? null : ReplicaMoves.choose(holders, target.info.getNetworkLocation());
        if (source == null) {
            stuck++;
            return;
        }
        moves.add(new BlockMove(
                fileId,
                block.getStartOffset(),
                block.getBlock(),
                source.type,
                source.info,
                target.info,
                sender(holders, source, target)));
    }

    private static DatanodeInfo sender(List<Holder> holders, Holder source, ClusterMap.Node target) {
        for (Holder holder : holders) {
            if (holder.isInService && holder.rack().equals(target.info.getNetworkLocation())) {
                return holder.info;
            }
        }
        return source.info;
    }

    private static final class Holder implements ReplicaMoves.Replica {
        final DatanodeInfo info;
        final StorageType type;
        final boolean isInService;
        private final boolean isMovable;
        private final boolean isOnReplicaNode;
        private final double fullness;

        Holder(DatanodeInfo info, StorageType type, long bytes, ClusterMap.Node target, ClusterMap cluster) {
            this.info = info;
            this.type = type;
            ClusterMap.Node node = cluster.node(info);
            this.isInService = node != null;
            this.isMovable = node != null && target.hasRoom(type, bytes);
            this.isOnReplicaNode = info.getDatanodeUuid().equals(target.name());
            this.fullness = node == null ? 0 : node.fullness();
        }

        @Override
        public boolean isOnReplicaNode() {
            return isOnReplicaNode;
        }

        @Override
        public boolean isMovable() {
            return isMovable;
        }

        @Override
        public String rack() {
            return info.getNetworkLocation();
        }

        @Override
        public double fullness() {
            return fullness;
        }
    }

    Kind kind() {
        return kind;
    }

    int blocks() {
        return blocks;
    }

    /** Blocks of which the replica node has no replica. */
    int missing() {
        return moves.size() + stuck;
    }

    /** Of these, blocks of which no replica can move there now: no room, no fitting storage, or none that may go. */
    int stuck() {
        return stuck;
    }

    /** The fewest replicas that must move so that any one node has one of each block. */
    int fewestMoves() {
        return blocks - mostHeld;
    }

    /** Whether some node has a replica of each block, be it the replica node or another. */
    boolean hasOneNode() {
        return mostHeld == blocks;
    }

    /** Whether the replica node has a replica of each block. */
    boolean isOrthogonal() {
        return missing() == 0;
    }

    /** The replica node's address; null for a file that is not considered. */
    @Nullable
    String replicaNode() {
        return replicaNode;
    }

    List<BlockMove> moves() {
        return moves;
    }
}

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

/** The places of one file's replicas, and the moves that give its replica node a replica of each block. */
final class FilePlan {

    /** Whether a file takes part. */
    enum Kind {
        /** The file has a replica node. */
        CONSIDERED,
        EMPTY,
        /** The file has one replica of each block; HDFS's own placement applies. */
        SINGLE,
        ERASURE_CODED,
        /** A client writes the file; a later run considers it. */
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

    /** A plan for a file and all its blocks, from the NameNode's report. */
    static FilePlan of(HdfsFileStatus file, LocatedBlocks located, ClusterMap cluster) {
        Kind kind = kindOf(file, located);
        ClusterMap.Node target = kind == Kind.CONSIDERED ? cluster.replicaNode(file.getFileId(), located) : null;
        return plan(kind, file, located, target, cluster);
    }

    /** A plan that brings some blocks of a file to a given node, from the NameNode's report. */
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

    /** Missing blocks of which no replica can move now: no room, no fitting storage, or no replica that may move. */
    int stuck() {
        return stuck;
    }

    /** The fewest moves that would give some node a replica of each block. */
    int fewestMoves() {
        return blocks - mostHeld;
    }

    /** Whether some node, the replica node or another, has a replica of each block. */
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

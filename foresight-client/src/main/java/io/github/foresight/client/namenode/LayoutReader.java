/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Reads layouts out of messages as {@link PBHelperClient#convert(LocatedBlocksProto)} does, with less work: if a message describes a
 * DataNode as the last message did, the last result is copied. The results of {@value #SLOTS} DataNodes at most are kept. HDFS reads all
 * other layouts than plain ones of replicated blocks. Thread-safe, never waits.
 */
final class LayoutReader {

    private static final int SLOTS = 1 << 10;

    /** As many fields as {@link #isSame} compares; of more, HDFS's messages compare themselves. */
    private static final int NODE_FIELDS = 17;

    private static final int ID_FIELDS = 7;

    private final boolean knowsAllFields =
            fields(DatanodeInfoProto.class) == NODE_FIELDS && fields(DatanodeIDProto.class) == ID_FIELDS;

    private final AtomicReferenceArray<@Nullable Described> slots = new AtomicReferenceArray<>(SLOTS);

    /** Counts the fields of a message. Its descriptor has the number too, and takes a fresh JVM some ten milliseconds to build. */
    static int fields(Class<? extends Message> message) {
        int fields = 0;
        for (Field constant : message.getDeclaredFields()) {
            fields += constant.getName().endsWith("_FIELD_NUMBER") ? 1 : 0;
        }
        return fields;
    }

    /** The message about a DataNode, and the DataNode that HDFS makes of the message. Immutable; the node is never given away. */
    private static final class Described {
        final DatanodeInfoProto message;
        final DatanodeInfo node;

        Described(DatanodeInfoProto message, DatanodeInfo node) {
            this.message = message;
            this.node = node;
        }
    }

    /** The layout that HDFS would read out of a message. */
    LocatedBlocks read(LocatedBlocksProto message) {
        if (message.hasEcPolicy()) {
            return PBHelperClient.convert(message);
        }
        List<LocatedBlock> blocks = new ArrayList<>(message.getBlocksCount());
        for (LocatedBlockProto block : message.getBlocksList()) {
            blocks.add(read(block));
        }
        return new LocatedBlocks(
                message.getFileLength(),
                message.getUnderConstruction(),
                blocks,
                message.hasLastBlock() ? read(message.getLastBlock()) : null,
                message.getIsLastBlockComplete(),
                message.hasFileEncryptionInfo() ? PBHelperClient.convert(message.getFileEncryptionInfo()) : null,
                null);
    }

    private LocatedBlock read(LocatedBlockProto message) {
        int replicas = message.getLocsCount();
        int storages = message.getStorageIDsCount();
        boolean plain = !message.hasBlockIndices() && (storages == 0 || storages == replicas);
        if (!plain || message.getIsCachedList().contains(true)) {
            return PBHelperClient.convertLocatedBlockProto(message);
        }
        DatanodeInfo[] nodes = new DatanodeInfo[replicas];
        for (int i = 0; i < replicas; i++) {
            nodes[i] = read(message.getLocs(i));
        }
        LocatedBlock block = new LocatedBlock(
                PBHelperClient.convert(message.getB()),
                nodes,
                storages == 0 ? null : message.getStorageIDsList().toArray(new String[0]),
                PBHelperClient.convertStorageTypes(message.getStorageTypesList(), replicas),
                message.getOffset(),
                message.getCorrupt(),
                null);
        block.setBlockToken(PBHelperClient.convert(message.getBlockToken()));
        return block;
    }

    /** A DataNode that blocks copy from. */
    private DatanodeInfo read(DatanodeInfoProto message) {
        int hash = message.getId().getDatanodeUuidBytes().hashCode();
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        Described known = slots.get(slot);
        if (known != null && says(known.message, message)) {
            return known.node;
        }
        DatanodeInfo node = PBHelperClient.convert(message);
        slots.lazySet(slot, new Described(message, node));
        return node;
    }

    /** Whether both mean the same to HDFS, which knows nothing of fields that are unknown to it. */
    private boolean says(DatanodeInfoProto known, DatanodeInfoProto message) {
        return knowsAllFields ? isSame(known, message) : known.equals(message);
    }

    /** Without making texts of the bytes that came; what changes with each heartbeat first. */
    private static boolean isSame(DatanodeInfoProto one, DatanodeInfoProto other) {
        return one.getLastUpdateMonotonic() == other.getLastUpdateMonotonic()
                && one.getLastUpdate() == other.getLastUpdate()
                && one.getXceiverCount() == other.getXceiverCount()
                && one.getRemaining() == other.getRemaining()
                && one.getDfsUsed() == other.getDfsUsed()
                && one.hasNonDfsUsed() == other.hasNonDfsUsed()
                && one.getNonDfsUsed() == other.getNonDfsUsed()
                && one.getBlockPoolUsed() == other.getBlockPoolUsed()
                && one.getCapacity() == other.getCapacity()
                && one.getCacheUsed() == other.getCacheUsed()
                && one.getCacheCapacity() == other.getCacheCapacity()
                && one.getNumBlocks() == other.getNumBlocks()
                && one.getLastBlockReportTime() == other.getLastBlockReportTime()
                && one.getLastBlockReportMonotonic() == other.getLastBlockReportMonotonic()
                && one.getAdminState() == other.getAdminState()
                && one.hasLocation() == other.hasLocation()
                && one.getLocationBytes().equals(other.getLocationBytes())
                && one.hasUpgradeDomain() == other.hasUpgradeDomain()
                && one.getUpgradeDomainBytes().equals(other.getUpgradeDomainBytes())
                && isSame(one.getId(), other.getId());
    }

    private static boolean isSame(DatanodeIDProto one, DatanodeIDProto other) {
        return one.getXferPort() == other.getXferPort()
                && one.getInfoPort() == other.getInfoPort()
                && one.getInfoSecurePort() == other.getInfoSecurePort()
                && one.getIpcPort() == other.getIpcPort()
                && one.getDatanodeUuidBytes().equals(other.getDatanodeUuidBytes())
                && one.getIpAddrBytes().equals(other.getIpAddrBytes())
                && one.getHostNameBytes().equals(other.getHostNameBytes());
    }
}

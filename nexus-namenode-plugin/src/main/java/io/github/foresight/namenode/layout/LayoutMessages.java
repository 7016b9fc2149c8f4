/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.layout;

import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * Converts layouts to the same bytes as HDFS ({@link PBHelperClient#convert(LocatedBlocks)}), with less work.
 *
 * <p>A DataNode takes about twenty fields. Its message is built once per heartbeat instead of once per replica, for at most {@value
 * #SLOTS} DataNodes. The last block is converted once if it is also among the blocks. HDFS converts all layouts that are not plain
 * layouts of replicated blocks, and all layouts while {@link Feature#REUSE} is off. Thread-safe, never waits.
 */
public final class LayoutMessages {

    private static final int SLOTS = 1 << 14;

    /** The number of fields of a layout message that this class sets. */
    private static final int LAYOUT_FIELDS = 7;

    private static final int BLOCK_FIELDS = 10;

    /** Of a DataNode, of its id: as many fields as this class compares; Hadoop 3.3 and 3.4 have one less, the software's version. */
    private static final int NODE_FIELDS_MAX = 18;

    private static final int ID_FIELDS = 7;

    private static final TokenProto NO_TOKEN = PBHelperClient.convert(new Token<BlockTokenIdentifier>());

    private final AtomicReferenceArray<@Nullable Description> slots = new AtomicReferenceArray<>(SLOTS);
    private final boolean knowsAllFields;
    private final Features features;
    private final NameNodeMetrics metrics;

    /** Begins with no DataNode described. */
    public LayoutMessages(Features features, NameNodeMetrics metrics) {
        this.features = features;
        this.metrics = metrics;
        this.knowsAllFields = LocatedBlocksProto.getDescriptor().getFields().size() == LAYOUT_FIELDS
                && LocatedBlockProto.getDescriptor().getFields().size() == BLOCK_FIELDS
                && DatanodeInfoProto.getDescriptor().getFields().size() <= NODE_FIELDS_MAX
                && DatanodeIDProto.getDescriptor().getFields().size() == ID_FIELDS;
    }

    /** A copy of a DataNode and the message of that state. Immutable. */
    private static final class Description {
        final DatanodeInfo node;
        final DatanodeInfoProto message;

        Description(DatanodeInfo node, DatanodeInfoProto message) {
            this.node = node;
            this.message = message;
        }
    }

    /** The message that HDFS would make of a layout. */
    public LocatedBlocksProto of(LocatedBlocks layout) {
        LocatedBlocksProto made = features.get(Feature.REUSE, () -> made(layout));
        return made == null ? PBHelperClient.convert(layout) : made;
    }

    private LocatedBlocksProto made(LocatedBlocks layout) {
        if (!knowsAllFields || layout.getErasureCodingPolicy() != null) {
            return PBHelperClient.convert(layout);
        }
        LocatedBlocksProto.Builder message = LocatedBlocksProto.newBuilder()
                .setFileLength(layout.getFileLength())
                .setUnderConstruction(layout.isUnderConstruction())
                .setIsLastBlockComplete(layout.isLastBlockComplete());
        if (layout.getFileEncryptionInfo() != null) {
            message.setFileEncryptionInfo(PBHelperClient.convert(layout.getFileEncryptionInfo()));
        }
        LocatedBlock last = layout.getLastLocatedBlock();
        List<LocatedBlock> blocks = layout.getLocatedBlocks();
        for (LocatedBlock block : blocks) {
            LocatedBlockProto converted = of(block);
            message.addBlocks(converted);
            if (last != null && isSame(block, last)) {
                message.setLastBlock(converted);
                last = null;
            }
        }
        if (last != null) {
            message.setLastBlock(of(last));
        }
        return message.build();
    }

    private LocatedBlockProto of(LocatedBlock block) {
        if (!isPlain(block)) {
            return PBHelperClient.convertLocatedBlock(block);
        }
        LocatedBlockProto.Builder message = LocatedBlockProto.newBuilder()
                .setB(PBHelperClient.convert(block.getBlock()))
                .setBlockToken(message(block.getBlockToken()))
                .setCorrupt(block.isCorrupt())
                .setOffset(block.getStartOffset());
        for (DatanodeInfo node : block.getLocations()) {
            message.addLocs(message(node)).addIsCached(false);
        }
        StorageType[] types = block.getStorageTypes();
        if (types != null) {
            for (StorageType type : types) {
                message.addStorageTypes(PBHelperClient.convertStorageType(type));
            }
        }
        String[] storages = block.getStorageIDs();
        if (storages != null) {
            message.addAllStorageIDs(Arrays.asList(storages));
        }
        return message.build();
    }

    private static boolean isPlain(LocatedBlock block) {
        return block.getClass() == LocatedBlock.class && block.getCachedLocations().length == 0;
    }

    /** Whether one message says all there is to say of both. */
    private static boolean isSame(LocatedBlock one, LocatedBlock other) {
        return isPlain(one)
                && isPlain(other)
                && one.getBlock().getBlockId() == other.getBlock().getBlockId()
                && one.getBlock().getGenerationStamp() == other.getBlock().getGenerationStamp()
                && one.getBlock().getNumBytes() == other.getBlock().getNumBytes()
                && one.getBlock().getBlockPoolId().equals(other.getBlock().getBlockPoolId())
                && one.getStartOffset() == other.getStartOffset()
                && one.isCorrupt() == other.isCorrupt()
                && Arrays.equals(one.getStorageIDs(), other.getStorageIDs())
                && Arrays.equals(one.getStorageTypes(), other.getStorageTypes())
                && isSame(one.getLocations(), other.getLocations())
                && one.getBlockToken().equals(other.getBlockToken());
    }

    private static boolean isSame(DatanodeInfo[] some, DatanodeInfo[] others) {
        boolean same = some.length == others.length;
        for (int i = 0; same && i < some.length; i++) {
            same = isSame(some[i], others[i]);
        }
        return same;
    }

    private static TokenProto message(Token<BlockTokenIdentifier> token) {
        boolean none = token.getIdentifier().length == 0
                && token.getPassword().length == 0
                && token.getKind().getLength() == 0
                && token.getService().getLength() == 0;
        return none ? NO_TOKEN : PBHelperClient.convert(token);
    }

    private DatanodeInfoProto message(DatanodeInfo node) {
        int slot = slot(node);
        Description known = slots.get(slot);
        if (known != null && isSame(known.node, node)) {
            return known.message;
        }
        metrics.nodesSerialized.incr();
        // A copy is kept, because other code holds this object and may change it.
        DatanodeInfo kept = new DatanodeInfoWithStorage(node, "", StorageType.DEFAULT);
        Description made = new Description(kept, PBHelperClient.convert(node));
        slots.lazySet(slot, made);
        return made.message;
    }

    private static int slot(DatanodeInfo node) {
        int hash = Objects.hashCode(node.getDatanodeUuid());
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }

    /** What changes with each heartbeat is compared first. */
    private static boolean isSame(DatanodeInfo one, DatanodeInfo other) {
        return one.getLastUpdateMonotonic() == other.getLastUpdateMonotonic()
                && one.getLastUpdate() == other.getLastUpdate()
                && one.getXceiverCount() == other.getXceiverCount()
                && one.getRemaining() == other.getRemaining()
                && one.getDfsUsed() == other.getDfsUsed()
                && one.getNonDfsUsed() == other.getNonDfsUsed()
                && one.getBlockPoolUsed() == other.getBlockPoolUsed()
                && one.getCapacity() == other.getCapacity()
                && one.getCacheUsed() == other.getCacheUsed()
                && one.getCacheCapacity() == other.getCacheCapacity()
                && one.getNumBlocks() == other.getNumBlocks()
                && one.getLastBlockReportTime() == other.getLastBlockReportTime()
                && one.getLastBlockReportMonotonic() == other.getLastBlockReportMonotonic()
                && one.getAdminState() == other.getAdminState()
                && one.getXferPort() == other.getXferPort()
                && one.getInfoPort() == other.getInfoPort()
                && one.getInfoSecurePort() == other.getInfoSecurePort()
                && one.getIpcPort() == other.getIpcPort()
                && Objects.equals(one.getDatanodeUuidBytes(), other.getDatanodeUuidBytes())
                && Objects.equals(one.getIpAddrBytes(), other.getIpAddrBytes())
                && Objects.equals(one.getHostNameBytes(), other.getHostNameBytes())
                && Objects.equals(one.getNetworkLocation(), other.getNetworkLocation())
                && Objects.equals(one.getUpgradeDomain(), other.getUpgradeDomain())
                && Objects.equals(one.getSoftwareVersion(), other.getSoftwareVersion());
    }
}

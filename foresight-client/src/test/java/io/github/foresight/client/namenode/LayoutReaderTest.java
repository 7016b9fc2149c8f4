/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.metadata.CachedFileTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.CipherSuiteProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.CryptoProtocolVersionProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto.AdminState;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.FileEncryptionInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.StorageTypeProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Compares the layouts that are read out of messages with HDFS's own reading. */
class LayoutReaderTest {

    private static final int NODES = 4;

    /** Of a field, besides not being set. */
    private static final int VALUES = 3;

    private final LayoutReader reader = new LayoutReader();

    /** Of a DataNode that changes: each of a message's fields is not set, or has one of a few values, its default among them. */
    private static DatanodeInfoProto node(int number, int[] values) {
        DatanodeIDProto.Builder id = DatanodeIDProto.newBuilder()
                .setIpAddr("10.0." + values[0] + '.' + number)
                .setHostName("host" + values[1])
                .setDatanodeUuid("uuid" + number)
                .setXferPort(values[2])
                .setInfoPort(values[3])
                .setIpcPort(values[4]);
        DatanodeInfoProto.Builder node = DatanodeInfoProto.newBuilder();
        int[] set = Arrays.stream(values).map(value -> value % VALUES).toArray();
        List<Runnable> optional = List.of(
                () -> id.setInfoSecurePort(set[5]),
                () -> node.setCapacity(set[6]),
                () -> node.setDfsUsed(set[7]),
                () -> node.setRemaining(set[8]),
                () -> node.setBlockPoolUsed(set[9]),
                () -> node.setLastUpdate(set[10]),
                () -> node.setXceiverCount(set[11]),
                () -> node.setLocation(text("/rack", set[12])),
                () -> node.setNonDfsUsed(set[13]),
                () -> node.setAdminState(AdminState.forNumber(set[14])),
                () -> node.setCacheCapacity(set[15]),
                () -> node.setCacheUsed(set[16]),
                () -> node.setLastUpdateMonotonic(set[17]),
                () -> node.setUpgradeDomain(text("domain", set[18])),
                () -> node.setLastBlockReportTime(set[19]),
                () -> node.setLastBlockReportMonotonic(set[20]),
                () -> node.setNumBlocks(set[21]));
        for (int i = 0; i < optional.size(); i++) {
            if (values[5 + i] > 0) {
                optional.get(i).run();
            }
        }
        return node.setId(id).build();
    }

    private static String text(String prefix, int value) {
        return value == 0 ? "" : prefix + value;
    }

    private static LocatedBlockProto block(int[][] nodes, Random random) {
        int replicas = random.nextInt(NODES);
        LocatedBlockProto.Builder block = CachedFileTest.block(random.nextInt(3), 0).toBuilder()
                .setOffset(random.nextInt(100))
                .setCorrupt(oneIn(4, random));
        boolean storages = random.nextBoolean();
        boolean types = random.nextBoolean();
        for (int i = 0; i < replicas; i++) {
            int number = random.nextInt(NODES);
            block.addLocs(node(number, nodes[number])).addIsCached(oneIn(16, random));
            if (storages) {
                block.addStorageIDs("DS-" + random.nextInt(3));
            }
            if (types) {
                block.addStorageTypes(StorageTypeProto.forNumber(1 + random.nextInt(3)));
            }
        }
        if (oneIn(8, random)) {
            block.setBlockIndices(ByteString.copyFrom(new byte[replicas]));
        }
        if (random.nextBoolean()) {
            block.setBlockToken(TokenProto.newBuilder()
                    .setIdentifier(ByteString.copyFromUtf8("identifier"))
                    .setPassword(ByteString.copyFromUtf8("password"))
                    .setKind("kind")
                    .setService("service"));
        }
        return block.build();
    }

    private static LocatedBlocksProto layout(int[][] nodes, Random random) {
        LocatedBlocksProto.Builder layout = LocatedBlocksProto.newBuilder()
                .setFileLength(random.nextInt(1000))
                .setUnderConstruction(random.nextBoolean())
                .setIsLastBlockComplete(random.nextBoolean());
        for (int i = random.nextInt(4); i > 0; i--) {
            layout.addBlocks(block(nodes, random));
        }
        if (random.nextBoolean()) {
            layout.setLastBlock(block(nodes, random));
        }
        if (oneIn(4, random)) {
            layout.setFileEncryptionInfo(FileEncryptionInfoProto.newBuilder()
                    .setSuite(CipherSuiteProto.AES_CTR_NOPADDING)
                    .setCryptoProtocolVersion(CryptoProtocolVersionProto.ENCRYPTION_ZONES)
                    .setKey(ByteString.copyFromUtf8("key"))
                    .setIv(ByteString.copyFrom(new byte[16]))
                    .setKeyName("name")
                    .setEzKeyVersionName("version"));
        }
        if (oneIn(8, random)) {
            layout.setEcPolicy(
                    PBHelperClient.convertErasureCodingPolicy(SystemErasureCodingPolicies.getByID((byte) 1)));
        }
        return layout.build();
    }

    private static boolean oneIn(int many, Random random) {
        return random.nextInt(many) == 0;
    }

    @Property
    void layouts_ofDataNodesThatChange_areReadAsByHdfs(@ForAll long seed) {
        LayoutReader ours = new LayoutReader();
        Random random = new Random(seed);
        int[][] nodes = new int[NODES][22];
        for (int i = 0; i < 20; i++) {
            LocatedBlocksProto message = layout(nodes, random);
            assertThat(described(ours.read(message))).isEqualTo(described(PBHelperClient.convert(message)));
            nodes[random.nextInt(NODES)][random.nextInt(22)] = random.nextInt(VALUES + 1);
        }
    }

    /** All fields of a layout. */
    private static List<Object> described(LocatedBlocks layout) {
        List<Object> told = new ArrayList<>();
        told.add(PBHelperClient.convert(layout));
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            told.add(block.getClass());
            for (DatanodeInfoWithStorage node : block.getLocations()) {
                told.add(node.getXferAddr() + ' ' + node.getStorageID() + ' ' + node.getStorageType());
            }
        }
        return told;
    }

    @Test
    void fields_areAsManyAsTheDescriptorHas() {
        assertThat(LayoutReader.fields(DatanodeInfoProto.class))
                .isEqualTo(DatanodeInfoProto.getDescriptor().getFields().size());
        assertThat(LayoutReader.fields(DatanodeIDProto.class))
                .isEqualTo(DatanodeIDProto.getDescriptor().getFields().size());
    }

    @Test
    void layouts_ofOneDataNode_haveItEachForThemselves() {
        LocatedBlocksProto message = LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .addBlocks(CachedFileTest.block(1, 1))
                .build();
        DatanodeInfoWithStorage one = reader.read(message).get(0).getLocations()[0];
        DatanodeInfoWithStorage other = reader.read(message).get(0).getLocations()[0];
        assertThat(other).isEqualTo(one).isNotSameAs(one);
        // Both are made of one text: the second was not read anew.
        assertThat(other.getHostName()).isSameAs(one.getHostName());
    }

    @Test
    void dataNodes_ofOneSlot_areToldApart() {
        for (String uuid : List.of("Aa", "BB")) { // of one hash code
            LocatedBlockProto.Builder block = CachedFileTest.block(1, 1).toBuilder();
            block.getLocsBuilder(0).getIdBuilder().setDatanodeUuid(uuid);
            LocatedBlocksProto message = LocatedBlocksProto.newBuilder()
                    .setFileLength(1)
                    .setUnderConstruction(false)
                    .setIsLastBlockComplete(true)
                    .addBlocks(block)
                    .build();
            assertThat(reader.read(message).get(0).getLocations()[0].getDatanodeUuid())
                    .isEqualTo(uuid);
        }
    }
}

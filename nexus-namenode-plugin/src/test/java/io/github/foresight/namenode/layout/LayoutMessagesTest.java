/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the messages of layouts with HDFS's messages. */
class LayoutMessagesTest {

    private static final int NODES = 4;

    private final NameNodeMetrics metrics = new NameNodeMetrics();

    /** Which values a DataNode has, by their numbers; few, so that some recur. */
    private static final class Node {
        private static final int VALUES = 23;
        private static final AdminStates[] STATES = AdminStates.values();

        private final int number;
        private final int[] values = new int[VALUES];

        Node(int number) {
            this.number = number;
        }

        void change(Random random) {
            values[random.nextInt(VALUES)] = random.nextInt(3);
        }

        DatanodeInfo info() {
            int[] v = values;
            DatanodeID id = new DatanodeID(
                    "10.0." + v[0] + '.' + number, "host" + v[1], "uuid" + number, v[2], v[3], v[4], v[5]);
            DatanodeInfo info = new DatanodeInfoBuilder()
                    .setNodeID(id)
                    .setCapacity(v[6])
                    .setDfsUsed(v[7])
                    .setNonDfsUsed(v[8])
                    .setRemaining(v[9])
                    .setBlockPoolUsed(v[10])
                    .setCacheCapacity(v[11])
                    .setCacheUsed(v[12])
                    .setLastUpdate(v[13])
                    .setLastUpdateMonotonic(v[14])
                    .setXceiverCount(v[15])
                    .setNetworkLocation("/rack" + v[16])
                    .setUpgradeDomain(v[17] == 0 ? null : "domain" + v[17])
                    .setAdminState(STATES[v[18]])
                    .setLastBlockReportTime(v[19])
                    .setLastBlockReportMonotonic(v[20])
                    .setNumBlocks(v[21])
                    .build();
            info.setSoftwareVersion(v[22] == 0 ? null : "3." + v[22]);
            return info;
        }
    }

    private LayoutMessages messages(boolean on) {
        NameNodeSettings settings =
                NameNodeSettings.read(Map.of("foresight.namenode.reuse.enabled", String.valueOf(on))::get);
        return new LayoutMessages(new Features(settings, metrics), metrics);
    }

    @Property
    void layouts_ofDataNodesThatChange_areToldOfAsByHdfs(@ForAll long seed) {
        LayoutMessages messages = messages(true);
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(new Node(i));
        }
        for (int i = 0; i < 20; i++) {
            LocatedBlocks layout = layout(nodes, random);
            assertThat(messages.of(layout).toByteString())
                    .isEqualTo(PBHelperClient.convert(layout).toByteString());
            nodes.get(random.nextInt(NODES)).change(random);
        }
        assertThat(metrics.internalErrors.value()).isZero();
    }

    private static LocatedBlocks layout(List<Node> nodes, Random random) {
        List<Block> blocks = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            blocks.add(new Block(random));
        }
        return new LocatedBlocks(
                random.nextInt(1000),
                random.nextBoolean(),
                blocks.stream().map(block -> block.located(nodes)).collect(Collectors.toList()),
                last(blocks, nodes, random),
                random.nextBoolean(),
                oneIn(4, random) ? encryption() : null,
                oneIn(8, random) ? SystemErasureCodingPolicies.getByID((byte) 1) : null);
    }

    /** No block, the last of the blocks, or a block that differs from the last in one value. */
    private static @Nullable LocatedBlock last(List<Block> blocks, List<Node> nodes, Random random) {
        if (blocks.isEmpty() || oneIn(4, random)) {
            return null;
        }
        Block last = blocks.get(blocks.size() - 1);
        if (random.nextBoolean()) {
            last.change(random);
        }
        return last.located(nodes);
    }

    /** Which values a block has, by their numbers; few, so that some recur. */
    private static final class Block {
        private static final int REPLICAS = 3;
        private static final StorageType[] TYPES = {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE};

        private final int[] values = new int[11 + 3 * REPLICAS];

        Block(Random random) {
            for (int i = 0; i < 2 * values.length; i++) {
                change(random);
            }
        }

        void change(Random random) {
            values[random.nextInt(values.length)] = random.nextInt(3);
        }

        LocatedBlock located(List<Node> nodes) {
            int[] v = values;
            int replicas = v[0] + (v[10] == 0 ? 0 : 1);
            DatanodeInfoWithStorage[] locations = new DatanodeInfoWithStorage[replicas];
            String[] storages = new String[replicas];
            StorageType[] types = new StorageType[replicas];
            for (int i = 0; i < replicas; i++) {
                storages[i] = "DS-" + v[11 + 3 * i];
                types[i] = TYPES[v[12 + 3 * i]];
                locations[i] =
                        new DatanodeInfoWithStorage(nodes.get(v[13 + 3 * i]).info(), storages[i], types[i]);
            }
            ExtendedBlock id = new ExtendedBlock("BP-" + v[1], v[2], v[3], v[4]);
            boolean corrupt = v[6] == 2;
            boolean striped = v[7] == 2;
            DatanodeInfo[] cached = replicas > 0 && v[8] == 2 ? new DatanodeInfo[] {locations[0]} : null;
            LocatedBlock block = striped
                    ? new LocatedStripedBlock(id, locations, storages, types, new byte[replicas], v[5], corrupt, cached)
                    : new LocatedBlock(id, locations, storages, types, v[5], corrupt, cached);
            if (v[9] > 0) {
                byte[] bytes = {(byte) v[9]};
                block.setBlockToken(new Token<>(bytes, bytes, new Text("kind"), new Text("service")));
            }
            return block;
        }
    }

    private static boolean oneIn(int many, Random random) {
        return random.nextInt(many) == 0;
    }

    private static FileEncryptionInfo encryption() {
        byte[] bytes = new byte[CipherSuite.AES_CTR_NOPADDING.getAlgorithmBlockSize()];
        return new FileEncryptionInfo(
                CipherSuite.AES_CTR_NOPADDING, CryptoProtocolVersion.ENCRYPTION_ZONES, bytes, bytes, "key", "version");
    }

    /** Of two blocks, the second the last, on one DataNode. */
    private static LocatedBlocks layoutOn(DatanodeInfo node) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DatanodeInfoWithStorage[] locations = {new DatanodeInfoWithStorage(node, "DS", StorageType.DISK)};
            blocks.add(new LocatedBlock(
                    new ExtendedBlock("BP", Math.min(i, 1), 10, 1), locations, new String[] {"DS"}, new StorageType[] {
                        StorageType.DISK
                    }));
        }
        return new LocatedBlocks(20, false, blocks.subList(0, 2), blocks.get(2), true, null, null);
    }

    @Test
    void dataNode_isDescribedOnce_untilItsNextHeartbeat() {
        LayoutMessages messages = messages(true);
        Node node = new Node(1);
        messages.of(layoutOn(node.info()));
        messages.of(layoutOn(node.info()));
        assertThat(metrics.nodesSerialized.value()).isEqualTo(1);
        node.values[14]++;
        messages.of(layoutOn(node.info()));
        assertThat(metrics.nodesSerialized.value()).isEqualTo(2);
    }

    @Test
    void dataNodes_ofOneSlot_areToldApart() {
        LayoutMessages messages = messages(true);
        for (String uuid : List.of("Aa", "BB")) { // of one hash code
            DatanodeInfo node = new DatanodeInfoBuilder()
                    .setNodeID(new DatanodeID("10.0.0.1", "host", uuid, 1, 2, 3, 4))
                    .build();
            assertThat(messages.of(layoutOn(node))
                            .getBlocks(0)
                            .getLocs(0)
                            .getId()
                            .getDatanodeUuid())
                    .isEqualTo(uuid);
        }
    }

    @Test
    void lastBlock_thatIsAmongTheBlocks_isConvertedOnce() {
        LayoutMessages messages = messages(true);
        var told = messages.of(layoutOn(new Node(1).info()));
        assertThat(told.getLastBlock()).isSameAs(told.getBlocks(1));
    }

    @Test
    void switchedOff_describesNothingByItself() {
        LocatedBlocks layout = layoutOn(new Node(1).info());
        assertThat(messages(false).of(layout)).isEqualTo(PBHelperClient.convert(layout));
        assertThat(metrics.nodesSerialized.value()).isZero();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.hint.HintTarget;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Which replicas of a block serve its parts. */
class BlockCutterTest extends ReplicasFixture {

    private final DiskReaders readers = new DiskReaders();

    private static List<HintedBlock> parts(LocatedBlock block, io.github.foresight.client.settings.ClientSettings how) {
        return new BlockCutter(how, new DiskReaders())
                .cut(block).stream().map(Placed::block).toList();
    }

    @Test
    void block_withThreeReplicas_isCutInThree_eachOnAnotherDataNode() {
        List<Placed<HintTarget>> parts = new BlockCutter(settings, readers).cut(block(0, nodes));

        assertThat(parts.stream().map(part -> part.block().endBytes()))
                .containsExactly(21 * MIB, 42 * MIB, BLOCK_BYTES);
        assertThat(parts.stream().map(part -> part.block().beginBytes())).containsExactly(0L, 21 * MIB, 42 * MIB);
        assertThat(parts.stream().map(part -> part.node().node().getDatanodeUuid()))
                .containsExactlyElementsOf(order());
    }

    @Test
    void block_whoseReplicasComeInAnotherOrder_isCutInTheSameWay() {
        List<Placed<HintTarget>> parts = new BlockCutter(settings, readers).cut(block(0, nodes));
        List<Placed<HintTarget>> others =
                new BlockCutter(settings, readers).cut(block(0, nodes[2], nodes[0], nodes[1]));

        assertThat(others.stream().map(Placed::node))
                .containsExactlyElementsOf(parts.stream().map(Placed::node).toList());
    }

    @Test
    void block_withOneReplica_orSwitchedOff_orTooShort_isWhole() throws IOException {
        assertThat(parts(block(7, nodes[1]), settings)).singleElement().matches(HintedBlock::isWhole);
        configured("foresight.client.hint.part.min", "33m");
        assertThat(parts(block(7, nodes), settings)).singleElement().matches(HintedBlock::isWhole);
        configured("foresight.client.hint.part.min", "16m");
        configured("foresight.client.hint.part.replicas", "1");
        assertThat(new BlockCutter(settings, readers).cut(block(7, nodes[2], nodes[1])))
                .singleElement()
                .satisfies(whole -> {
                    assertThat(whole.block().isWhole()).isTrue();
                    assertThat(whole.node().node()).isEqualTo(nodes[2]);
                });
    }

    @Test
    void dataNode_withFarMoreTransfersThanAnother_servesNoPart() {
        nodes[0].setXceiverCount(10);
        nodes[1].setXceiverCount(36);
        nodes[2].setXceiverCount(37);
        assertThat(new BlockCutter(settings, readers).cut(block(7, nodes)))
                .hasSize(2)
                .noneMatch(part -> part.node().node().equals(nodes[2]));
    }

    @Test
    void dataNodes_thatLeave_orAreStale_orOnAnotherRack_serveNoPart() {
        nodes[0].setLastUpdateMonotonic(100_000);
        nodes[1].setLastUpdateMonotonic(70_001);
        nodes[2].setLastUpdateMonotonic(70_000);
        assertThat(parts(block(7, nodes), settings)).as("one is stale").hasSize(2);
        nodes[1].setDecommissioned();
        assertThat(nodes[1].getAdminState()).isEqualTo(AdminStates.DECOMMISSIONED);
        assertThat(parts(block(7, nodes), settings)).as("and one leaves").hasSize(1);

        DatanodeInfo[] remote = IntStream.range(0, 3)
                .mapToObj(i -> new DatanodeInfo.DatanodeInfoBuilder()
                        .setIpAddr("192.0.2." + i)
                        .setHostName("host" + i)
                        .setDatanodeUuid("remote" + i)
                        .setXferPort(9866)
                        .setNetworkLocation(i == 1 ? "/rack2" : "/rack1")
                        .build())
                .toArray(DatanodeInfo[]::new);
        assertThat(parts(block(7, remote), settings)).hasSize(2);
        assertThat(parts(block(7, remote[1], remote[0]), settings)).hasSize(1);
        assertThat(parts(block(7, nodes[0], remote[0], remote[2]), settings))
                .as("the first is on the reader's host")
                .hasSize(1);
    }
}

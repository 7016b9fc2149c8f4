/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import static io.github.foresight.operator.placement.PlacementFixture.blocks;
import static io.github.foresight.operator.placement.PlacementFixture.cluster;
import static io.github.foresight.operator.placement.PlacementFixture.file;
import static io.github.foresight.operator.placement.PlacementFixture.fileOf;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.junit.jupiter.api.Test;

final class FilePlanTest {

    private final ClusterMap cluster = cluster(6);
    private final long ofNode0 = fileOf(cluster, 0);

    @Test
    void orthogonalFile_hasNothingToMove() {
        FilePlan plan = FilePlan.of(file(ofNode0, 2), blocks(false, new int[] {0, 1}, new int[] {2, 0}), cluster);
        assertThat(plan.isOrthogonal()).isTrue();
        assertThat(plan.hasOneNode()).isTrue();
        assertThat(plan.moves()).isEmpty();
    }

    @Test
    void scatteredFile_movesOneReplicaOfEachBlockThatTheFullestHolderLacks() {
        FilePlan plan = FilePlan.of(
                file(ofNode0, 2),
                blocks(false, new int[] {1, 2}, new int[] {0, 1}, new int[] {3, 4}, new int[] {1, 5}),
                cluster);
        assertThat(plan.missing()).isEqualTo(1);
        assertThat(plan.fewestMoves()).isEqualTo(1);
        assertThat(plan.hasOneNode()).isFalse();
        BlockMove move = plan.moves().get(0);
        assertThat(move.target.getDatanodeUuid()).isEqualTo("uuid-1");
        // Node 4 shares the replica node's rack.
        assertThat(move.source.getDatanodeUuid()).isEqualTo("uuid-4");
        assertThat(move.offset).isEqualTo(2 * PlacementFixture.BLOCK);
    }

    @Test
    void holdersOfAsManyBlocks_oneThatIsDrawnForTheFileHasIt() {
        int[][] blocks = {{0, 1}, {2, 3}, {4, 5}};
        for (int node = 0; node < 6; node++) {
            FilePlan plan = FilePlan.of(file(fileOf(cluster, node), 2), blocks(false, blocks), cluster);
            assertThat(plan.replicaNode()).isEqualTo("10.0.0." + node + ":9866");
            assertThat(plan.missing()).isEqualTo(2);
        }
    }

    @Test
    void moveThatIsPlannedAgain_keepsItsTarget() {
        FilePlan plan = FilePlan.towards(
                cluster.node(PlacementFixture.node(5, AdminStates.NORMAL)),
                file(ofNode0, 2),
                blocks(false, new int[] {0, 1}),
                cluster);
        assertThat(plan.moves().get(0).target.getDatanodeUuid()).isEqualTo("uuid-5");
    }

    @Test
    void block_isSentByAHolderInTheTargetsRack() {
        FilePlan plan = FilePlan.of(
                file(ofNode0, 3),
                blocks(false, new int[] {1, 4, 3}, new int[] {0, 1, 2}, new int[] {0, 2, 4}),
                cluster);
        BlockMove move = plan.moves().get(0);
        assertThat(move.sender.getDatanodeUuid()).isEqualTo("uuid-3");
        assertThat(move.source.getDatanodeUuid()).as("one of the pair").isIn("uuid-1", "uuid-4");
    }

    @Test
    void filesThatTakeNoPart_areSortedOut() {
        assertThat(FilePlan.of(file(ofNode0, 1), blocks(false, new int[] {1}), cluster)
                        .kind())
                .isEqualTo(FilePlan.Kind.SINGLE);
        assertThat(FilePlan.of(file(ofNode0, 2), blocks(true, new int[] {1, 2}), cluster)
                        .kind())
                .isEqualTo(FilePlan.Kind.OPEN);
        assertThat(FilePlan.of(file(ofNode0, 2), blocks(false), cluster).kind()).isEqualTo(FilePlan.Kind.EMPTY);
    }

    @Test
    void replicaNodeWithoutRoomOfTheKind_leavesTheBlockStuck() {
        DatanodeStorageReport[] reports = new DatanodeStorageReport[6];
        for (int i = 0; i < 6; i++) {
            reports[i] = PlacementFixture.report(
                    PlacementFixture.node(i, AdminStates.NORMAL),
                    i == 0 ? StorageType.SSD : StorageType.DISK,
                    1L << 40);
        }
        FilePlan plan = FilePlan.of(
                file(ofNode0, 2),
                blocks(false, new int[] {1, 2}, new int[] {0, 3}, new int[] {0, 4}),
                new ClusterMap(reports));
        assertThat(plan.stuck()).isEqualTo(1);
        assertThat(plan.moves()).isEmpty();
        assertThat(plan.isOrthogonal()).isFalse();
    }

    @Test
    void nodeThatIsLeaving_isNoReplicaNode() {
        DatanodeStorageReport[] reports = new DatanodeStorageReport[6];
        for (int i = 0; i < 6; i++) {
            reports[i] = PlacementFixture.report(
                    PlacementFixture.node(i, i == 0 ? AdminStates.DECOMMISSION_INPROGRESS : AdminStates.NORMAL),
                    StorageType.DISK,
                    1L << 40);
        }
        ClusterMap without = new ClusterMap(reports);
        assertThat(without.size()).isEqualTo(5);
        assertThat(without.replicaNode(ofNode0, blocks(false, new int[] {0, 1}, new int[] {0, 2}, new int[] {0, 2}))
                        .name())
                .isEqualTo("uuid-2");
        assertThat(without.replicaNode(ofNode0, blocks(false, new int[] {0})).name())
                .isNotEqualTo("uuid-0");
    }
}

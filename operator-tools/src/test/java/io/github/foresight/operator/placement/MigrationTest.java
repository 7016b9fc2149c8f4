/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import static io.github.foresight.operator.placement.PlacementFixture.blocks;
import static io.github.foresight.operator.placement.PlacementFixture.cluster;
import static io.github.foresight.operator.placement.PlacementFixture.file;
import static io.github.foresight.operator.placement.PlacementFixture.fileOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.junit.jupiter.api.Test;

final class MigrationTest {

    private final ClusterMap cluster = cluster(6);

    /** A plan that moves all blocks of a file to a node that has none. */
    private FilePlan plan(int blocks) {
        int[][] placed = new int[blocks][];
        for (int i = 0; i < blocks; i++) {
            placed[i] = new int[] {1 + i % 5, 1 + (i + 1) % 5};
        }
        return FilePlan.towards(
                cluster.node(PlacementFixture.node(0, AdminStates.NORMAL)),
                file(fileOf(cluster, 0), 2),
                blocks(false, placed),
                cluster);
    }

    @Test
    void moves_areAllMadeWithNoMoreThanTheBoundPerNode() throws Exception {
        Map<String, AtomicInteger> busy = new ConcurrentHashMap<>();
        AtomicInteger most = new AtomicInteger();
        Migration.Mover mover = move -> {
            for (String node : new String[] {move.target.getDatanodeUuid(), move.sender.getDatanodeUuid()}) {
                int now = busy.computeIfAbsent(node, any -> new AtomicInteger()).incrementAndGet();
                most.accumulateAndGet(now, Math::max);
            }
            Thread.onSpinWait();
            for (String node : new String[] {move.target.getDatanodeUuid(), move.sender.getDatanodeUuid()}) {
                busy.get(node).decrementAndGet();
            }
        };
        try (Migration migration = new Migration(mover, move -> move, new BandwidthLimit(0), 8, 2)) {
            migration.begin(plan(200));
            migration.await();
            assertThat(migration.moved()).isEqualTo(200);
            assertThat(migration.movedBytes()).isEqualTo(200 * PlacementFixture.BLOCK);
            assertThat(migration.failed() + migration.overtaken()).isZero();
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void moveThatFailsOnce_isTriedAgain_andOneThatIsOvertakenIsNot() throws Exception {
        Map<Long, AtomicInteger> attempts = new ConcurrentHashMap<>();
        Migration.Mover mover = move -> {
            int attempt = attempts.computeIfAbsent(move.block.getBlockId(), any -> new AtomicInteger())
                    .incrementAndGet();
            if (attempt == 1) {
                throw new IOException("the quota of movers is exceeded");
            }
        };
        try (Migration migration = new Migration(
                mover, move -> move.block.getBlockId() % 2 == 0 ? move : null, new BandwidthLimit(0), 4, 4)) {
            migration.begin(plan(4));
            migration.await();
            assertThat(migration.moved()).isEqualTo(2);
            assertThat(migration.overtaken()).isEqualTo(2);
            assertThat(migration.failed()).isZero();
        }
    }
}

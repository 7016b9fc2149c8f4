/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.junit.jupiter.api.Test;

final class ClusterNodesTest {

    private final TestNodes cluster = new TestNodes(List.of("/a", "/b"));
    private final ClusterNodes nodes = new ClusterNodes(cluster.topology());

    @Test
    void get_readsNothing() {
        long before = TestNodes.visitsByThisThread();
        assertThat(nodes.get().size()).isZero();
        assertThat(TestNodes.visitsByThisThread()).isEqualTo(before);
    }

    @Test
    void nodesThatJoin_areKnownAfterAPeriod() {
        nodes.renew();
        assertThat(nodes.get().size()).isEqualTo(2);
        NodesRefresh.begin(nodes, new FailureLog(100, new PlacementMetrics()), TimeUnit.MILLISECONDS.toNanos(10));
        cluster.add("/a", StorageType.DISK);
        await().untilAsserted(() -> assertThat(nodes.get().size()).isEqualTo(3));
        cluster.add("/a", StorageType.DISK);
        await().untilAsserted(() -> assertThat(nodes.get().size()).isEqualTo(4));
    }

    @Test
    void nodesThatAreGone_areNotThereAtOnce() {
        nodes.renew();
        DatanodeDescriptor gone = cluster.nodes().get(0);
        DatanodeDescriptor retired = cluster.nodes().get(1);
        assertThat(nodes.isThere(gone)).isTrue();
        assertThat(nodes.isThere(retired)).isTrue();

        cluster.remove(gone);
        TestNodes.retire(retired);
        assertThat(nodes.isThere(gone)).isFalse();
        assertThat(nodes.isThere(retired)).isFalse();
        nodes.renew();
        assertThat(nodes.get().size()).isZero();
    }
}

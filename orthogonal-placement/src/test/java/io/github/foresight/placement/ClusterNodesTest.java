/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.junit.jupiter.api.Test;

final class ClusterNodesTest {

    private static final long PERIOD = 1000;

    private final AtomicLong now = new AtomicLong(-7);
    private final TestNodes cluster = new TestNodes(List.of("/a", "/b"));
    private final ClusterNodes nodes = new ClusterNodes(cluster.topology(), PERIOD, now::get);

    @Test
    void nodesThatJoin_areKnownAfterAPeriod() {
        assertThat(nodes.get().size()).isEqualTo(2);
        cluster.add("/a", StorageType.DISK);
        assertThat(nodes.get().size()).isEqualTo(2);
        now.addAndGet(PERIOD);
        assertThat(nodes.latest().size()).isEqualTo(2);
        assertThat(nodes.get().size()).isEqualTo(3);
    }

    @Test
    void nodesThatAreGone_areNotThere_andRenewedByTheFirstWhoAsks() {
        ReplicaNodes<DatanodeDescriptor> old = nodes.get();
        DatanodeDescriptor gone = cluster.nodes().get(0);
        DatanodeDescriptor retired = cluster.nodes().get(1);
        assertThat(nodes.isThere(gone)).isTrue();
        assertThat(nodes.isThere(retired)).isTrue();

        cluster.remove(gone);
        TestNodes.retire(retired);
        assertThat(nodes.isThere(gone)).isFalse();
        assertThat(nodes.isThere(retired)).isFalse();
        assertThat(nodes.get()).isSameAs(old);
        ReplicaNodes<DatanodeDescriptor> renewed = nodes.renewed(old);
        assertThat(renewed.size()).isZero();
        assertThat(nodes.renewed(old)).isSameAs(renewed);
        assertThat(nodes.get()).isSameAs(renewed);
    }

    /** Who comes second may not place a block by the nodes that were there in another age, or by none. */
    @Test
    void firstCallsAtOnce_allSeeTheNodes() throws Exception {
        int threads = 8;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 200; round++) {
                ClusterNodes fresh = new ClusterNodes(cluster.topology(), PERIOD, now::get);
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Callable<Integer>> calls = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    calls.add(() -> {
                        start.await();
                        return fresh.get().size();
                    });
                }
                for (Future<Integer> size : callers.invokeAll(calls)) {
                    assertThat(size.get()).isEqualTo(2);
                }
            }
        } finally {
            callers.shutdownNow();
        }
    }
}

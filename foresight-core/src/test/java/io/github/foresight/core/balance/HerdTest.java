/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Many short reads between heartbeats: 1,500 reads a second of 20 ms each, over 12 DataNodes that report every 3 s in
 * turn. An order by the reports alone would send all readers to the DataNode with the lowest report.
 */
class HerdTest {

    private static final int NODES = 12;
    private static final long MILLISECOND = 1_000_000L;
    private static final int READS_PER_2_MILLIS = 3;
    private static final int READ_MILLIS = 20;
    private static final int HEARTBEAT_MILLIS = 3000;
    private static final int MILLIS = 15_000;

    private interface Choice {
        int choose(long block, List<Integer> nodes, long nowNanos);
    }

    @Test
    void readsInFlight_betweenHeartbeats_stayEven() {
        BalanceSettings settings = BalanceSettings.builder().build();
        NodeLoads<Integer> loads = new NodeLoads<>(settings);
        ReplicaOrder<Integer> order = new ReplicaOrder<>(loads, settings);
        int ours = mostInFlight(loads, (block, nodes, now) -> {
            FileReplicas<Integer> file = Requests.request(block, 0, List.of(nodes));
            order.arrange(file, now);
            return Requests.firsts(file, List.of(nodes)).get(0);
        });

        NodeLoads<Integer> reports = new NodeLoads<>(settings);
        int byReports = mostInFlight(reports, (block, nodes, now) -> nodes.stream()
                .min(Comparator.comparingDouble(node -> reports.load(node, now)))
                .orElseThrow());

        // The mean is 2.5.
        assertThat(ours).isLessThanOrEqualTo(8);
        assertThat(byReports).as("by heartbeats alone").isGreaterThan(2 * ours);
    }

    private static int mostInFlight(NodeLoads<Integer> loads, Choice choice) {
        int[] inFlight = new int[NODES];
        Deque<int[]> running = new ArrayDeque<>();
        int most = 0;
        long block = 0;
        for (int millis = 0; millis < MILLIS; millis += 2) {
            long now = millis * MILLISECOND;
            while (!running.isEmpty() && running.peekFirst()[0] <= millis) {
                inFlight[running.removeFirst()[1]]--;
            }
            for (int node = 0; node < NODES; node++) {
                if (millis % HEARTBEAT_MILLIS == node * HEARTBEAT_MILLIS / NODES) {
                    loads.heartbeat(node, inFlight[node], now);
                    loads.sweep(now);
                }
            }
            for (int read = 0; read < READS_PER_2_MILLIS; read++) {
                int node = choice.choose(
                        block, Placements.random(block, NODES, 3, 1).get(0), now);
                block++;
                inFlight[node]++;
                running.addLast(new int[] {millis + READ_MILLIS, node});
                most = Math.max(most, inFlight[node]);
            }
        }
        return most;
    }
}

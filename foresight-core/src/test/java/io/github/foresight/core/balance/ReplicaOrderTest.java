/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static io.github.foresight.core.balance.Requests.BLOCK_BYTES;
import static io.github.foresight.core.balance.Requests.firsts;
import static io.github.foresight.core.balance.Requests.ordered;
import static io.github.foresight.core.balance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaOrderTest {

    private static final int OWN_HOST = 0;
    private static final int OWN_RACK = 2;
    private static final int OTHER_RACK = 4;

    private BalanceSettings settings = BalanceSettings.builder().build();
    private NodeLoads<Integer> loads = new NodeLoads<>(settings);
    private ReplicaOrder<Integer> order = new ReplicaOrder<>(loads, settings);

    private void use(BalanceSettings.Builder builder) {
        settings = builder.build();
        loads = new NodeLoads<>(settings);
        order = new ReplicaOrder<>(loads, settings);
    }

    private void report(int... xceivers) {
        for (int node = 0; node < xceivers.length; node++) {
            loads.heartbeat(node, xceivers[node], 0);
        }
        loads.sweep(0);
    }

    @Test
    void arrange_loadsDiffer_ordersByLoad() {
        report(30, 10, 20);
        List<List<Integer>> blocks = List.of(List.of(0, 1, 2));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(ordered(file, 0, blocks.get(0))).containsExactly(1, 2, 0);
        assertThat(loads.load(1, 0)).as("a handed-out read counts").isEqualTo(11);
    }

    @Test
    void arrange_ownHost_isFirstWhateverItsLoad() {
        report(1000, 0, 0, 0);
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        file.block(1, BLOCK_BYTES);
        file.replica(0, OWN_HOST);
        file.replica(1, OWN_RACK);
        file.replica(2, OTHER_RACK);
        file.replica(3, OTHER_RACK);
        order.arrange(file, 0);
        assertThat(file.at(0, 0)).isZero();
        assertThat(file.at(0, 1)).isEqualTo(1);
    }

    @Test
    void arrange_ownHostInEachBlock_isFirstInEach() {
        List<Integer> nodes = List.of(0, 1, 2);
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        for (int block = 0; block < 16; block++) {
            file.block(block, BLOCK_BYTES);
            file.replica(0, OWN_HOST);
            file.replica(1, OTHER_RACK);
            file.replica(2, OTHER_RACK);
        }
        order.arrange(file, 0);
        assertThat(firsts(file, Collections.nCopies(16, nodes))).containsOnly(0);
    }

    @Test
    void arrange_yieldAllowed_yieldsOnlyOverloadedNodes() {
        use(BalanceSettings.builder().yieldFactor(2).overloadMinimum(10));
        report(100, 40, 12, 3, 0, 0, 0);
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        // The mean is 22, so node 0 alone is overloaded.
        file.block(1, BLOCK_BYTES);
        file.replica(0, OWN_HOST);
        file.replica(1, OWN_RACK);
        file.replica(2, OWN_RACK);
        file.replica(3, OTHER_RACK);
        file.block(2, BLOCK_BYTES);
        file.replica(1, OWN_HOST);
        file.replica(3, OWN_RACK);
        order.arrange(file, 0);
        assertThat(IntStream.range(0, 4).map(place -> file.at(0, place))).containsExactly(2, 1, 0, 3);
        assertThat(file.at(1, 0)).isZero();
    }

    @Test
    void arrange_yieldAllowedButAllOverloaded_keepsTheNearest() {
        use(BalanceSettings.builder().yieldFactor(1).overloadMinimum(10));
        report(100, 90, 0, 0, 0, 0, 0, 0);
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        file.block(1, BLOCK_BYTES);
        file.replica(0, OWN_HOST);
        file.replica(1, OWN_RACK);
        order.arrange(file, 0);
        assertThat(file.at(0, 0)).isZero();
    }

    @Test
    void arrange_overloadedNode_isNotFirstEvenWhereBlocksThenShare() {
        use(BalanceSettings.builder().overloadFactor(2).overloadMinimum(10));
        report(100, 0, 0, 0);
        List<List<Integer>> blocks = Collections.nCopies(4, List.of(0, 1));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(firsts(file, blocks)).containsOnly(1);
    }

    @Test
    void arrange_allOverloaded_stillAlternates() {
        use(BalanceSettings.builder().overloadFactor(2).overloadMinimum(10));
        report(100, 120, 0, 0, 0, 0, 0, 0);
        List<List<Integer>> blocks = Collections.nCopies(4, List.of(0, 1));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(firsts(file, blocks)).isIn(List.of(0, 1, 0, 1), List.of(1, 0, 1, 0));
    }

    @Test
    void arrange_noSweepYet_takesNoneForOverloaded() {
        loads.heartbeat(0, 1000, 0);
        loads.heartbeat(1, 0, 0);
        List<List<Integer>> blocks = Collections.nCopies(4, List.of(0, 1));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(firsts(file, blocks)).containsExactly(1, 0, 1, 0);
    }

    @Test
    void arrange_laterBlockHasOneReplica_leavesItToIt() {
        use(BalanceSettings.builder().distinctBlocks(2));
        report(0, 5, 5);
        List<List<Integer>> blocks = List.of(List.of(1, 2), List.of(0, 1), List.of(0));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(firsts(file, blocks))
                .as("idle 0 is kept for the last block, so 1 for the one before")
                .containsExactly(2, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void arrange_distinctBlocksOff_followsLoadAlone(int distinctBlocks) {
        use(BalanceSettings.builder().distinctBlocks(distinctBlocks));
        report(0, 50, 50);
        List<List<Integer>> blocks = Collections.nCopies(16, List.of(0, 1, 2));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(firsts(file, blocks)).containsOnly(0);
    }

    @Test
    void arrange_nextRequestOfTheReader_goesOnWhereTheLastEnded() {
        use(BalanceSettings.builder().distinctBlocks(4));
        List<Integer> nodes = List.of(0, 1, 2, 3);
        for (long file = 0; file < 500; file++) {
            List<Integer> all = new ArrayList<>();
            for (int request = 0; request < 8; request++) {
                List<List<Integer>> blocks = Collections.nCopies(1 + request % 5, nodes);
                FileReplicas<Integer> replicas = request(file, all.size(), blocks);
                order.arrange(replicas, 0);
                all.addAll(firsts(replicas, blocks));
            }
            assertThat(Optimum.shared(all, 3)).containsExactly(0, 0, 0);
        }
    }

    @Test
    void arrange_nextRequestWithoutMemory_beginsAnew() {
        use(BalanceSettings.builder().distinctBlocks(2).maxRemembered(0));
        report(0, 100);
        List<List<Integer>> blocks = List.of(List.of(0, 1));
        for (int block = 0; block < 4; block++) {
            FileReplicas<Integer> replicas = request(1, block, blocks);
            order.arrange(replicas, 0);
            assertThat(firsts(replicas, blocks)).containsExactly(0);
        }
    }

    @Test
    void arrange_blocksWithoutReplicas_areLeftAlone() {
        List<List<Integer>> blocks = List.of(List.of(0, 1), List.of(), List.of(0, 1), List.of());
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(file.blocks()).isEqualTo(4);
        assertThat(file.replicas(1)).isZero();
        assertThat(file.at(0, 0)).isNotEqualTo(file.at(2, 0));
        FileReplicas<Integer> empty = request(1, 0, List.of());
        order.arrange(empty, 0);
        assertThat(empty.blocks()).isZero();
    }

    @Test
    void arrange_manyReplicas_leavesThoseBehindWhereTheyAre() {
        List<Integer> nodes = IntStream.range(0, 40).boxed().toList();
        report(IntStream.range(0, 40).map(node -> 40 - node).toArray());
        FileReplicas<Integer> file = request(1, 0, List.of(nodes));
        order.arrange(file, 0);
        List<Integer> expected =
                new ArrayList<>(IntStream.range(0, 16).map(i -> 15 - i).boxed().toList());
        expected.addAll(nodes.subList(16, 40));
        assertThat(ordered(file, 0, nodes)).isEqualTo(expected);
    }

    @Test
    void arrange_afterAVeryLargeRequest_isAsBefore() {
        List<List<Integer>> large = Collections.nCopies(20_000, List.of(0, 1, 2));
        List<List<Integer>> small = Collections.nCopies(5, List.of(0, 1, 2));
        FileReplicas<Integer> file = request(1, 0, large);
        order.arrange(file, 0);
        assertThat(Optimum.shared(firsts(file, large), 2)).containsExactly(0, 0);
        Requests.fill(file, 2, 0, small);
        order.arrange(file, 0);
        assertThat(Optimum.shared(firsts(file, small), 2)).containsExactly(0, 0);
        assertThat(file.blocks()).isEqualTo(5);
    }

    @Test
    void arrange_moreNodesThanAreRemembered_stillOrders() {
        use(BalanceSettings.builder().maxNodes(1));
        List<List<Integer>> blocks = Collections.nCopies(4, List.of(0, 1, 2));
        FileReplicas<Integer> file = request(1, 0, blocks);
        order.arrange(file, 0);
        assertThat(ordered(file, 3, blocks.get(3))).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(loads.size()).isEqualTo(1);
        assertThat(loads.refusals()).isPositive();
    }

    @Test
    @Timeout(120)
    void arrange_byManyThreads_countsEachAndSpreads() throws Exception {
        use(BalanceSettings.builder().distinctBlocks(3).evenBlocks(0));
        int threads = 4;
        int files = 1000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long firstFile = (long) thread * files;
                done.add(executor.submit(() -> {
                    FileReplicas<Integer> replicas = new FileReplicas<>();
                    for (long file = firstFile; file < firstFile + files; file++) {
                        List<List<Integer>> blocks = Placements.random(file, 12, 3, 16);
                        Requests.fill(replicas, file, 0, blocks);
                        order.arrange(replicas, 0);
                        assertThat(Optimum.shared(firsts(replicas, blocks), 2)).containsExactly(0, 0);
                    }
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        double mean = threads * files * 16 / 12.0;
        assertThat(IntStream.range(0, 12).mapToDouble(node -> loads.load(node, 0)))
                .allSatisfy(load -> assertThat(load).isBetween(0.95 * mean, 1.05 * mean));
        assertThat(IntStream.range(0, 12)
                        .mapToDouble(node -> loads.load(node, 0))
                        .sum())
                .isEqualTo(threads * files * 16);
    }

    @Test
    void replica_outOfOrder_namesIt() {
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> file.replica(7, OWN_HOST))
                .withMessage("a replica needs a block first: 7");
        file.block(1, BLOCK_BYTES);
        file.replica(7, OTHER_RACK);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> file.replica(8, OWN_RACK))
                .withMessage("distance must be at least that of the replica before, 4: 2 of 8");
    }
}

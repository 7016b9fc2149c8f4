/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static io.github.foresight.core.balance.Requests.BLOCK_BYTES;
import static io.github.foresight.core.balance.Requests.firsts;
import static io.github.foresight.core.balance.Requests.ordered;
import static io.github.foresight.core.balance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ReplicaOrderPropertyTest {

    private static final int NODES = 7;

    /** Blocks of any number of replicas, all equally near. */
    @Provide
    Arbitrary<List<Set<Integer>>> blocks() {
        return placed(0, 5, 40);
    }

    /** Few blocks of few replicas, so that all choices can be tried. */
    @Provide
    Arbitrary<List<Set<Integer>>> fewBlocks() {
        return placed(1, 3, 6);
    }

    private static Arbitrary<List<Set<Integer>>> placed(int minReplicas, int maxReplicas, int maxBlocks) {
        return Arbitraries.integers()
                .between(0, NODES - 1)
                .set()
                .ofMinSize(minReplicas)
                .ofMaxSize(maxReplicas)
                .list()
                .ofMinSize(1)
                .ofMaxSize(maxBlocks)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    @Property
    void arrange_anyFile_neighboursShareAsSeldomAsCanBe(
            @ForAll("blocks") List<Set<Integer>> blocks,
            @ForAll @IntRange(min = 2, max = 64) int distinctBlocks,
            @ForAll @Size(NODES) List<@IntRange(max = 60) Integer> xceivers) {
        List<Set<Integer>> present =
                blocks.stream().filter(block -> !block.isEmpty()).toList();
        NodeLoads<Integer> loads = loads(settings(distinctBlocks), xceivers);
        FileReplicas<Integer> file = request(1, 0, present);
        new ReplicaOrder<>(loads, settings(distinctBlocks)).arrange(file, 0);
        assertThat(Optimum.shared(firsts(file, present), 1)).containsExactly(Optimum.fewestSharedByNeighbours(present));
    }

    @Property
    void arrange_fewReplicas_windowSharesAsSeldomAsCanBe(
            @ForAll("fewBlocks") List<Set<Integer>> blocks,
            @ForAll @IntRange(max = 4) int distinctBlocks,
            @ForAll @Size(NODES) List<@IntRange(max = 60) Integer> xceivers) {
        NodeLoads<Integer> loads = loads(settings(distinctBlocks), xceivers);
        FileReplicas<Integer> file = request(1, 0, blocks);
        new ReplicaOrder<>(loads, settings(distinctBlocks)).arrange(file, 0);
        int before = Math.max(distinctBlocks - 1, 0);
        assertThat(Optimum.shared(firsts(file, blocks), before)).isEqualTo(Optimum.fewestShared(blocks, before));
    }

    @Property
    void arrange_anyFile_permutesAndCountsAndIsDeterministic(
            @ForAll("blocks") List<Set<Integer>> blocks,
            @ForAll @IntRange(max = 64) int distinctBlocks,
            @ForAll @Size(NODES) List<@IntRange(max = 300) Integer> xceivers) {
        List<List<Integer>> first = run(blocks, distinctBlocks, xceivers);
        assertThat(first).hasSameSizeAs(blocks);
        for (int block = 0; block < blocks.size(); block++) {
            assertThat(first.get(block)).containsExactlyInAnyOrderElementsOf(blocks.get(block));
        }
        assertThat(run(blocks, distinctBlocks, xceivers)).isEqualTo(first);
    }

    private static List<List<Integer>> run(List<Set<Integer>> blocks, int distinctBlocks, List<Integer> xceivers) {
        BalanceSettings settings =
                BalanceSettings.builder().distinctBlocks(distinctBlocks).build();
        NodeLoads<Integer> loads = loads(settings, xceivers);
        FileReplicas<Integer> file = request(1, 0, blocks);
        new ReplicaOrder<>(loads, settings).arrange(file, 0);
        double handedOut = IntStream.range(0, NODES)
                .mapToDouble(node -> loads.load(node, 0) - xceivers.get(node))
                .sum();
        assertThat(handedOut)
                .isEqualTo(blocks.stream()
                        .mapToInt(block -> block.isEmpty() ? 0 : 1)
                        .sum());
        return IntStream.range(0, blocks.size())
                .mapToObj(block -> ordered(file, block, blocks.get(block)))
                .toList();
    }

    @Property
    void arrange_byDefault_nearestReplicasStayFirst(
            @ForAll @Size(min = 1, max = 20) List<@Size(min = 1, max = 5) List<@IntRange(max = 2) Integer>> distances,
            @ForAll @Size(NODES) List<@IntRange(max = 1000) Integer> xceivers) {
        BalanceSettings settings = BalanceSettings.builder().build();
        NodeLoads<Integer> loads = loads(settings, xceivers);
        FileReplicas<Integer> file = new FileReplicas<>();
        file.begin(1, 0);
        List<List<Integer>> sorted = new ArrayList<>();
        for (List<Integer> block : distances) {
            sorted.add(block.stream().sorted().toList());
            file.block(sorted.size(), BLOCK_BYTES);
            for (int replica = 0; replica < block.size(); replica++) {
                file.replica(
                        (3 * sorted.size() + replica) % NODES,
                        sorted.get(sorted.size() - 1).get(replica));
            }
        }
        new ReplicaOrder<>(loads, settings).arrange(file, 0);
        for (int block = 0; block < sorted.size(); block++) {
            for (int place = 0; place < sorted.get(block).size(); place++) {
                assertThat(sorted.get(block).get(file.at(block, place)))
                        .as("distance at a place")
                        .isEqualTo(sorted.get(block).get(place));
            }
        }
    }

    @Property
    void arrange_fileInAnyRequests_isDistinctAcrossThem(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 6) Integer> requests,
            @ForAll @IntRange(min = 2, max = 4) int distinctBlocks,
            @ForAll long seed) {
        BalanceSettings settings = settings(distinctBlocks);
        ReplicaOrder<Integer> order = new ReplicaOrder<>(new NodeLoads<>(settings), settings);
        int count = requests.stream().mapToInt(Integer::intValue).sum();
        List<List<Integer>> blocks = Placements.random(seed, NODES, distinctBlocks, count);
        List<Integer> firsts = new ArrayList<>();
        for (int size : requests) {
            List<List<Integer>> part = blocks.subList(firsts.size(), firsts.size() + size);
            FileReplicas<Integer> file = request(seed, firsts.size(), part);
            order.arrange(file, 0);
            firsts.addAll(firsts(file, part));
        }
        assertThat(Optimum.shared(firsts, distinctBlocks - 1)).containsOnly(0);
    }

    @Property
    void arrange_fewReplicas_evennessLeavesNeighboursAndCounts(
            @ForAll("fewBlocks") List<Set<Integer>> blocks,
            @ForAll @IntRange(min = 2, max = 4) int distinctBlocks,
            @ForAll @Size(NODES) List<@IntRange(max = 60) Integer> xceivers) {
        BalanceSettings uneven = settings(distinctBlocks);
        BalanceSettings even = BalanceSettings.builder()
                .distinctBlocks(distinctBlocks)
                .overloadFactor(0)
                .build();
        NodeLoads<Integer> loads = loads(even, xceivers);
        FileReplicas<Integer> file = request(1, 0, blocks);
        new ReplicaOrder<>(loads, even).arrange(file, 0);
        FileReplicas<Integer> before = request(1, 0, blocks);
        new ReplicaOrder<>(loads(uneven, xceivers), uneven).arrange(before, 0);

        List<Integer> firsts = firsts(file, blocks);
        int least = Optimum.fewestOfTheFullestNode(blocks);
        assertThat(Optimum.mostOfANode(firsts)).isBetween(least, Optimum.mostOfANode(firsts(before, blocks)));
        if (least == 1) {
            assertThat(firsts).doesNotHaveDuplicates();
        }
        assertThat(Optimum.shared(firsts, 1)).containsExactly(Optimum.fewestSharedByNeighbours(blocks));
        assertThat(IntStream.range(0, NODES)
                        .mapToDouble(node -> loads.load(node, 0) - xceivers.get(node))
                        .sum())
                .as("reads handed out")
                .isEqualTo(blocks.size());
    }

    /** Settings without overload, which would exclude some replicas, and without evenness, which counts more than overlaps of
     * blocks that are farther apart. */
    private static BalanceSettings settings(int distinctBlocks) {
        return BalanceSettings.builder()
                .distinctBlocks(distinctBlocks)
                .evenBlocks(0)
                .overloadFactor(0)
                .build();
    }

    private static NodeLoads<Integer> loads(BalanceSettings settings, List<Integer> xceivers) {
        NodeLoads<Integer> loads = new NodeLoads<>(settings);
        for (int node = 0; node < xceivers.size(); node++) {
            loads.heartbeat(node, xceivers.get(node), 0);
        }
        loads.sweep(0);
        return loads;
    }
}

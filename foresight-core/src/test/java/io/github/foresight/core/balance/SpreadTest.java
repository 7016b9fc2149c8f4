/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand files of 16 blocks in clusters of several sizes. */
class SpreadTest {

    private static final int FILES = 10_000;
    private static final int BLOCKS = 16;
    private static final long MILLISECOND = 1_000_000L;
    private static final long SECOND = 1000 * MILLISECOND;

    @ParameterizedTest
    @CsvSource({
        "3, 3, 2",
        "4, 3, 2",
        "5, 3, 2",
        "8, 3, 2",
        "12, 3, 2",
        "40, 3, 2",
        "100, 3, 2",
        "4, 3, 3",
        "12, 3, 3",
        "40, 3, 3",
        "12, 3, 4",
        "12, 2, 2",
        "12, 2, 3",
        "40, 10, 3"
    })
    void firsts_filesOneAfterTheOther_areDistinctAndEven(int nodes, int replication, int distinctBlocks) {
        long[] counts = run(nodes, replication, distinctBlocks, MILLISECOND);
        assertThat(unevenness(counts)).isLessThan(0.05);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12})
    void firsts_filesSoFarApartThatAllLoadsAreEqual_areEvenByHash(int nodes) {
        long[] counts = run(nodes, 3, 2, 100 * SECOND);
        assertThat(unevenness(counts)).isLessThan(0.05);
    }

    /**
     * One to three replicas on few nodes: some blocks must share a first node, and a locally free choice may make later
     * blocks share.
     */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 6})
    void firsts_lostReplicasOnFewNodes_shareAsSeldomAsCanBe(int nodes) {
        BalanceSettings settings =
                BalanceSettings.builder().distinctBlocks(2).overloadFactor(0).build();
        ReplicaOrder<Integer> order = new ReplicaOrder<>(new NodeLoads<>(settings), settings);
        FileReplicas<Integer> file = new FileReplicas<>();
        int filesThatMust = 0;
        for (int i = 0; i < FILES; i++) {
            Random random = new Random(i);
            List<List<Integer>> blocks = Placements.random(i, nodes, 3, BLOCKS).stream()
                    .map(block -> block.subList(0, 1 + random.nextInt(3)))
                    .toList();
            Requests.fill(file, i, 0, blocks);
            order.arrange(file, i * MILLISECOND);
            int fewest = Optimum.fewestSharedByNeighbours(
                    blocks.stream().map(Set::copyOf).toList());
            assertThat(Optimum.shared(Requests.firsts(file, blocks), 1))
                    .as("file %s: %s", i, blocks)
                    .containsExactly(fewest);
            filesThatMust += fewest > 0 ? 1 : 0;
        }
        assertThat(filesThatMust).isBetween(FILES / 20, FILES - 1);
    }

    @Test
    void firsts_replicaOnTheReadersHost_isFirstAndTheRestAreEven() {
        int nodes = 12;
        BalanceSettings settings = BalanceSettings.builder().build();
        ReplicaOrder<Integer> order = new ReplicaOrder<>(new NodeLoads<>(settings), settings);
        FileReplicas<Integer> file = new FileReplicas<>();
        long[] counts = new long[nodes];
        for (int i = 0; i < FILES; i++) {
            int reader = i % nodes;
            List<List<Integer>> blocks = Placements.random(i, nodes, 3, BLOCKS).stream()
                    .map(block -> nearestFirst(block, reader))
                    .toList();
            file.begin(i, 0);
            for (int block = 0; block < BLOCKS; block++) {
                file.block(((long) i << 16) + block, Requests.BLOCK_BYTES);
                for (int node : blocks.get(block)) {
                    file.replica(node, node == reader ? 0 : Requests.NEAR);
                }
            }
            order.arrange(file, i * MILLISECOND);
            List<Integer> firsts = Requests.firsts(file, blocks);
            for (int block = 0; block < BLOCKS; block++) {
                assertThat(firsts.get(block) == reader)
                        .isEqualTo(blocks.get(block).contains(reader));
                counts[firsts.get(block)]++;
            }
        }
        assertThat(unevenness(counts)).isLessThan(0.05);
    }

    private static List<Integer> nearestFirst(List<Integer> block, int reader) {
        List<Integer> nodes = new ArrayList<>(block);
        nodes.sort((a, b) -> Boolean.compare(b == reader, a == reader));
        return nodes;
    }

    private static long[] run(int nodes, int replication, int distinctBlocks, long pauseNanos) {
        BalanceSettings settings =
                BalanceSettings.builder().distinctBlocks(distinctBlocks).build();
        NodeLoads<Integer> loads = new NodeLoads<>(settings);
        ReplicaOrder<Integer> order = new ReplicaOrder<>(loads, settings);
        FileReplicas<Integer> file = new FileReplicas<>();
        long[] counts = new long[nodes];
        for (int i = 0; i < FILES; i++) {
            long now = i * pauseNanos;
            if (i % 1000 == 0) {
                IntStream.range(0, nodes).forEach(node -> loads.heartbeat(node, 5, now));
                loads.sweep(now);
            }
            List<List<Integer>> blocks = Placements.random(i, nodes, replication, BLOCKS);
            Requests.fill(file, i, 0, blocks);
            order.arrange(file, now);
            List<Integer> firsts = Requests.firsts(file, blocks);
            assertThat(Optimum.shared(firsts, 1))
                    .as("file %s: %s", i, blocks)
                    .containsExactly(Optimum.fewestSharedByNeighbours(
                            blocks.stream().map(Set::copyOf).toList()));
            firsts.forEach(node -> counts[node]++);
        }
        return counts;
    }

    /** The largest deviation of a node from the mean, as a part of the mean. */
    private static double unevenness(long[] counts) {
        double mean = Arrays.stream(counts).average().orElseThrow();
        return Math.max(
                Arrays.stream(counts).max().orElseThrow() / mean - 1,
                1 - Arrays.stream(counts).min().orElseThrow() / mean);
    }
}

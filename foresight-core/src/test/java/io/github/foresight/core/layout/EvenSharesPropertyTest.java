/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

final class EvenSharesPropertyTest {

    private static ReplicaNodes<Integer> nodes(List<Double> weights) {
        ReplicaNodes.Builder<Integer> builder = ReplicaNodes.builder();
        for (int node = 0; node < weights.size(); node++) {
            builder.add(node, "node-" + node, weights.get(node));
        }
        return builder.build();
    }

    private static ReplicaNodes<Integer> alike(int count) {
        return nodes(IntStream.range(0, count).mapToObj(any -> 1.0).collect(Collectors.toList()));
    }

    private static int give(EvenShares<Integer> shares, ReplicaNodes<Integer> nodes, long inode) {
        long file = LayoutHash.ofFile(inode);
        int chosen = shares.choose(nodes, nodes.drawn(file, 0), nodes.drawn(file, 1));
        shares.assigned(chosen, nodes);
        return chosen;
    }

    private static int[] give(EvenShares<Integer> shares, ReplicaNodes<Integer> nodes, long firstInode, int files) {
        int[] counts = new int[nodes.size()];
        for (long inode = firstInode; inode < firstInode + files; inode++) {
            counts[give(shares, nodes, inode)]++;
        }
        return counts;
    }

    /** With the hash alone this holds only once in ten times: {@link ReplicaNodesPropertyTest}. */
    @Property(tries = 500)
    void fiveHundredFilesOnSixNodes_areWithinATenthOfEven(
            @ForAll @LongRange(min = 16_386, max = 1L << 40) long firstInode) {
        int[] counts = give(new EvenShares<>(), alike(6), firstInode, 500);
        assertThat(IntStream.of(counts).boxed()).allMatch(count -> count >= 0.9 * 500 / 6 && count <= 1.1 * 500 / 6);
    }

    @Property(tries = 20)
    void weights_areKeptAndTheSpreadIsNarrow(
            @ForAll @Size(min = 3, max = 20) List<@DoubleRange(min = 1, max = 2) Double> weights,
            @ForAll @IntRange(min = 0, max = 1_000_000) int firstInode) {
        ReplicaNodes<Integer> nodes = nodes(weights);
        int[] counts = give(new EvenShares<>(), nodes, firstInode, 300 * weights.size());
        double total = weights.stream().mapToDouble(Double::doubleValue).sum();
        for (int node = 0; node < counts.length; node++) {
            double share = 300 * weights.size() * weights.get(node) / total;
            assertThat((double) counts[node]).isBetween(0.92 * share, 1.08 * share);
        }
    }

    /** A joining node does not get all new files until it has as many as the other nodes. */
    @Property(tries = 20)
    void nodeThatJoinsLate_getsAtMostTwiceItsShareAndSoonItsShare(
            @ForAll @IntRange(min = 0, max = 1_000_000) int firstInode) {
        EvenShares<Integer> shares = new EvenShares<>();
        give(shares, alike(9), firstInode, 20_000);
        int[] first = give(shares, alike(10), firstInode + 20_000, 500);
        assertThat(first[9]).isBetween(60, 150);
        give(shares, alike(10), firstInode + 20_500, 10_000);
        int[] later = give(shares, alike(10), firstInode + 30_500, 1000);
        assertThat(later[9]).isBetween(85, 115);
    }

    @Example
    void removedNode_isForgotten() {
        EvenShares<Integer> shares = new EvenShares<>();
        give(shares, alike(6), 1, 600);
        assertThat(shares.filesOf(5)).isPositive();
        give(shares, alike(5), 1000, 20 * 5 * EvenShares.FILES_PER_NODE);
        assertThat(shares.filesOf(5)).isZero();
    }

    @Example
    void manyThreads_stayEven() throws Exception {
        int threads = 4;
        int each = 2000;
        EvenShares<Integer> shares = new EvenShares<>();
        ReplicaNodes<Integer> nodes = alike(6);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<int[]>> tasks = IntStream.range(0, threads)
                    .<Callable<int[]>>mapToObj(thread -> () -> give(shares, nodes, 1 + thread * (long) each, each))
                    .collect(Collectors.toList());
            int[] counts = new int[6];
            for (var given : pool.invokeAll(tasks)) {
                int[] part = given.get();
                Arrays.setAll(counts, node -> counts[node] + part[node]);
            }
            assertThat(IntStream.of(counts).boxed())
                    .allMatch(count -> count >= 0.95 * 8000 / 6 && count <= 1.05 * 8000 / 6);
        } finally {
            pool.shutdownNow();
        }
    }
}

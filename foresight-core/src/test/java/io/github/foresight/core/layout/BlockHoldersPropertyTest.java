/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class BlockHoldersPropertyTest {

    private static final int NODES = 6;

    private static ReplicaNodes<Integer> nodes(int count) {
        ReplicaNodes.Builder<Integer> builder = ReplicaNodes.builder();
        IntStream.range(0, count).forEach(node -> builder.add(node, "node-" + node, 1));
        return builder.build();
    }

    private static BlockHolders<Integer> holders(List<Set<Integer>> blocks) {
        BlockHolders<Integer> holders = new BlockHolders<>();
        blocks.forEach(block -> block.forEach(holders::add));
        return holders;
    }

    /** Nodes from 6 on are not among the nodes of the layout. */
    @Property
    void most_isTheLikeliestOfThoseWithTheMostBlocks(
            @ForAll @Size(max = 12) List<@Size(min = 1, max = 3) Set<@IntRange(min = 0, max = 8) Integer>> blocks,
            @ForAll @IntRange(min = 1, max = 1_000_000) int inode) {
        long file = LayoutHash.ofFile(inode);
        ReplicaNodes<Integer> nodes = nodes(NODES);
        ReplicaNodes<Integer>.Order order = nodes.order(file);
        List<Integer> ranked = new ArrayList<>(List.of(nodes.drawn(file, 0), nodes.drawn(file, 1)));
        IntStream.range(0, NODES).forEach(any -> ranked.add(order.next()));
        Integer expected = ranked.stream()
                .distinct()
                .filter(node -> blocks.stream().anyMatch(block -> block.contains(node)))
                .min(Comparator.comparing((Integer node) -> -blocks.stream()
                                .filter(block -> block.contains(node))
                                .count())
                        .thenComparing(ranked::indexOf))
                .orElse(null);
        assertThat(holders(blocks).most(nodes, file)).isEqualTo(expected);
    }

    /** The result confirms itself: block by block, in any order, a file becomes complete on the same node. */
    @Property
    void most_staysTheSameWhileMissingReplicasAreMadeThere(
            @ForAll @Size(min = 1, max = 12)
                    List<@Size(min = 1, max = 3) Set<@IntRange(min = 0, max = 5) Integer>> blocks,
            @ForAll @IntRange(min = 1, max = 1_000_000) int inode) {
        long file = LayoutHash.ofFile(inode);
        ReplicaNodes<Integer> nodes = nodes(NODES);
        BlockHolders<Integer> holders = holders(blocks);
        Integer replicaNode = holders.most(nodes, file);
        for (Set<Integer> block : blocks) {
            if (!block.contains(replicaNode)) {
                holders.add(replicaNode);
                assertThat(holders.most(nodes, file)).isEqualTo(replicaNode);
            }
        }
        assertThat(holders.blocksOn(replicaNode)).isEqualTo(blocks.size());
    }

    @Example
    void mostOf_candidatesWithoutBlocks_isTheLikeliest() {
        ReplicaNodes<Integer> nodes = nodes(NODES);
        long file = LayoutHash.ofFile(16_386);
        List<Integer> all = List.of(5, 4, 3, 2, 1, 0);
        assertThat(new BlockHolders<Integer>().mostOf(nodes, file, all)).isEqualTo(nodes.drawn(file, 0));
        assertThat(new BlockHolders<Integer>().mostOf(nodes, file, List.of(7, 8)))
                .isNull();
        assertThat(new BlockHolders<Integer>().most(nodes, file)).isNull();
    }

    @Property
    void of_looksAtEachBlockOfAFileOrEvenlyOverALongOne(@ForAll @IntRange(max = 5_000) int blocks) {
        List<Integer> looked = new ArrayList<>();
        BlockHolders.<Integer>of(blocks, (holders, block) -> looked.add(block));
        if (blocks <= BlockHolders.LOOKED_AT_MAX) {
            assertThat(looked).isEqualTo(IntStream.range(0, blocks).boxed().toList());
            return;
        }
        assertThat(looked)
                .hasSize(BlockHolders.LOOKED_AT_MAX)
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(looked).startsWith(0).endsWith(blocks - 1);
        int step = (blocks - 1) / (BlockHolders.LOOKED_AT_MAX - 1);
        assertThat(IntStream.range(1, looked.size()).map(i -> looked.get(i) - looked.get(i - 1)))
                .allSatisfy(gap -> assertThat(gap).isBetween(step, step + 1));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.hint.BlockParts.Block;
import io.github.foresight.core.hint.BlockParts.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BlockPartsTest {

    private static final long MIB = 1 << 20;

    private static BlockParts<String> file(int replicasMax, long partMin) {
        return new BlockParts<>(replicasMax, partMin, Function.identity());
    }

    private static List<Long> ends(List<Part<String>> parts) {
        return parts.stream().map(Part::endBytes).toList();
    }

    private static List<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "node" + i).toList();
    }

    /** Some of the nodes, in an order of their own. */
    private static List<String> replicas(Random random, int nodes, int count) {
        List<String> all = new ArrayList<>(nodes(nodes));
        Collections.shuffle(all, random);
        return new ArrayList<>(all.subList(0, count));
    }

    private static List<Part<String>> cutOne(BlockParts<String> file, long length, List<String> replicas) {
        return file.cut(List.of(new Block<>(1, length, replicas))).get(0);
    }

    /** Blocks of one length, with replicas on three of the nodes each. */
    private static List<Block<String>> placed(Random random, int count, long length, int nodes) {
        return IntStream.range(0, count)
                .mapToObj(id -> new Block<>(id, length, replicas(random, nodes, 3)))
                .toList();
    }

    /** How many bytes each node serves. */
    private static Map<String, Long> bytes(List<? extends List<Part<String>>> cut) {
        Map<String, Long> bytes = new HashMap<>();
        for (List<Part<String>> parts : cut) {
            long begin = 0;
            for (Part<String> part : parts) {
                bytes.merge(part.node(), part.endBytes() - begin, Long::sum);
                begin = part.endBytes();
            }
        }
        return bytes;
    }

    @Property
    void cut_anyFile_coversEachBlockInOrderOnDifferentNodes(
            @ForAll Random random,
            @ForAll @IntRange(min = 1, max = 40) int count,
            @ForAll @LongRange(min = 1, max = 1L << 32) long longest,
            @ForAll @IntRange(min = 1, max = 16) int replicasMax,
            @ForAll @LongRange(min = MIB, max = 1L << 30) long partMin) {
        List<List<String>> replicas = new ArrayList<>();
        List<Block<String>> blocks = new ArrayList<>();
        List<Long> lengths = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            replicas.add(replicas(random, 8, 1 + random.nextInt(8)));
            lengths.add(1 + (long) (random.nextDouble() * (longest - 1)));
            blocks.add(new Block<>(id, lengths.get(id), replicas.get(id)));
        }
        List<? extends List<Part<String>>> cut = file(replicasMax, partMin).cut(blocks);
        assertThat(cut).hasSize(count);
        for (int id = 0; id < count; id++) {
            List<Part<String>> parts = cut.get(id);
            long length = lengths.get(id);
            assertThat(parts)
                    .hasSizeBetween(1, Math.min(replicasMax, replicas.get(id).size()));
            assertThat(new HashSet<>(parts.stream().map(Part::node).toList()))
                    .hasSameSizeAs(parts)
                    .isSubsetOf(replicas.get(id));
            assertThat(parts.get(parts.size() - 1).endBytes()).isEqualTo(length);
            long begin = 0;
            for (Part<String> part : parts) {
                if (parts.size() > 1) {
                    assertThat(part.endBytes() - begin).isPositive().isGreaterThan(partMin - MIB);
                }
                if (part.endBytes() < length) {
                    assertThat(part.endBytes() % MIB).isZero();
                }
                begin = part.endBytes();
            }
        }
    }

    @Property
    void cut_ofTheSameBlocks_doesNotDependOnTheOrderOfReplicas_norOnWhatFollowsTheGroup(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 20) int count) {
        List<List<String>> replicas =
                IntStream.range(0, count).mapToObj(i -> replicas(random, 6, 3)).toList();
        List<Block<String>> blocks = new ArrayList<>();
        List<Block<String>> shuffled = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            blocks.add(new Block<>(id, 128 * MIB, replicas.get(id)));
            Collections.shuffle(replicas.get(id), random);
            shuffled.add(new Block<>(id, 128 * MIB, replicas.get(id)));
        }
        List<? extends List<Part<String>>> parts = file(3, 16 * MIB).cut(blocks);
        int known = Math.min(count, BlockParts.GROUP_BLOCKS);
        List<? extends List<Part<String>>> same = file(3, 16 * MIB).cut(shuffled.subList(0, known));
        for (int id = 0; id < known; id++) {
            assertThat(ends(same.get(id))).isEqualTo(ends(parts.get(id)));
            assertThat(same.get(id).stream().map(Part::node))
                    .containsExactlyElementsOf(
                            parts.get(id).stream().map(Part::node).toList());
        }
    }

    @Example
    void cut_ofAFirstBlock_isEven() {
        assertThat(ends(cutOne(file(3, 16 * MIB), 128 * MIB, nodes(3)))).containsExactly(42 * MIB, 85 * MIB, 128 * MIB);
        assertThat(ends(cutOne(file(3, 16 * MIB), 64 * MIB, nodes(3)))).containsExactly(21 * MIB, 42 * MIB, 64 * MIB);
        assertThat(ends(cutOne(file(3, 16 * MIB), 40 * MIB, nodes(3)))).containsExactly(20 * MIB, 40 * MIB);
        assertThat(ends(cutOne(file(2, 16 * MIB), 128 * MIB, nodes(3)))).containsExactly(64 * MIB, 128 * MIB);
    }

    @Example
    void cut_ofABlockThatIsShort_orHasOneReplica_isTheFirstReplicasWhole() {
        assertThat(cutOne(file(3, 16 * MIB), 31 * MIB, List.of("b", "a")))
                .singleElement()
                .satisfies(part -> {
                    assertThat(part.node()).isEqualTo("b");
                    assertThat(part.endBytes()).isEqualTo(31 * MIB);
                });
        assertThat(cutOne(file(3, 16 * MIB), 128 * MIB, List.of("b"))).hasSize(1);
        assertThat(cutOne(file(1, 16 * MIB), 128 * MIB, List.of("c", "b", "a")))
                .singleElement()
                .matches(part -> part.node().equals("c"));
    }

    @Example
    void blocks_cutTogether_leaveAllNodesWithTheSame() {
        List<? extends List<Part<String>>> cut = file(3, 8 * MIB)
                .cut(List.of(
                        new Block<>(1, 120 * MIB, List.of("a", "b", "c")),
                        new Block<>(2, 120 * MIB, List.of("a", "d", "e"))));
        assertThat(bytes(cut).values()).hasSize(5).allMatch(bytes -> Math.abs(bytes - 48 * MIB) <= 2 * MIB);
    }

    @Example
    void blocksOfLater_goToTheNodesThatHaveLess() {
        BlockParts<String> file = file(3, 8 * MIB);
        cutOne(file, 120 * MIB, List.of("a", "b", "c"));
        List<Part<String>> parts = cutOne(file, 120 * MIB, List.of("a", "d", "e"));

        // Half of the 40 MiB of a counts; d and e have nothing.
        assertThat(parts.stream().map(Part::node)).endsWith("a");
        assertThat(ends(parts)).as("46.7, 46.7 and 26.7 MiB").containsExactly(46 * MIB, 93 * MIB, 120 * MIB);
    }

    /** Random placement of replicas, as HDFS's. */
    @Example
    void cut_ofRandomlyPlacedFiles_fillsNodesAsEvenlyAsCanBe() {
        Random random = new Random(4);
        double evened = 0;
        double equal = 0;
        for (int round = 0; round < 500; round++) {
            List<Block<String>> blocks = placed(random, 6, 128 * MIB, 6);
            Map<String, Long> cut = bytes(file(3, 16 * MIB).cut(blocks));
            Map<String, Long> thirds = bytes(blocks.stream()
                    .map(block -> file(3, 16 * MIB).cut(List.of(block)).get(0))
                    .toList());
            evened += Collections.max(cut.values()) / (128.0 * MIB) / 500;
            equal += Collections.max(thirds.values()) / (128.0 * MIB) / 500;
        }
        assertThat(equal).isBetween(1.5, 1.6);
        assertThat(evened).isBetween(1.0, 1.05);
    }

    @Example
    void outOfRange_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> file(0, MIB))
                .withMessage("replicasMax must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> file(3, MIB - 1))
                .withMessage("partMinBytes must be at least 1048576: 1048575");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Block<>(1, 0, nodes(1)))
                .withMessage("lengthBytes must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Block<>(1, 1, List.of()))
                .withMessage("replicas must not be empty");
    }
}

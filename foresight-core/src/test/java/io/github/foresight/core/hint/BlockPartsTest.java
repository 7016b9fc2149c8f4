/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

    @Property
    void cut_anyFile_coversEachBlockInOrderOnDifferentNodes(
            @ForAll Random random,
            @ForAll @IntRange(min = 1, max = 40) int blocks,
            @ForAll @LongRange(min = 1, max = 1L << 32) long length,
            @ForAll @IntRange(min = 1, max = 16) int replicasMax,
            @ForAll @LongRange(min = MIB, max = 1L << 30) long partMin) {
        BlockParts<String> file = file(replicasMax, partMin);
        for (int block = 0; block < blocks; block++) {
            List<String> replicas = replicas(random, 8, 1 + random.nextInt(8));
            List<Part<String>> parts = file.cut(block, length, replicas);

            assertThat(parts).hasSizeBetween(1, Math.min(replicasMax, replicas.size()));
            assertThat(new HashSet<>(parts.stream().map(Part::node).toList()))
                    .hasSameSizeAs(parts)
                    .isSubsetOf(replicas);
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
    void cut_ofTheSameBlocks_doesNotDependOnTheOrderOfReplicas_norOnWhatFollows(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 20) int blocks) {
        BlockParts<String> one = file(3, 16 * MIB);
        BlockParts<String> other = file(3, 16 * MIB);
        for (int block = 0; block < blocks; block++) {
            List<String> replicas = replicas(random, 6, 3);
            List<Part<String>> parts = one.cut(block, 128 * MIB, replicas);
            Collections.shuffle(replicas, random);
            List<Part<String>> same = other.cut(block, 128 * MIB, replicas);

            assertThat(ends(same)).isEqualTo(ends(parts));
            assertThat(same.stream().map(Part::node))
                    .containsExactlyElementsOf(parts.stream().map(Part::node).toList());
        }
    }

    @Example
    void cut_ofAFirstBlock_isEven() {
        assertThat(ends(file(3, 16 * MIB).cut(1, 128 * MIB, nodes(3)))).containsExactly(42 * MIB, 85 * MIB, 128 * MIB);
        assertThat(ends(file(3, 16 * MIB).cut(1, 64 * MIB, nodes(3)))).containsExactly(21 * MIB, 42 * MIB, 64 * MIB);
        assertThat(ends(file(3, 16 * MIB).cut(1, 40 * MIB, nodes(3)))).containsExactly(20 * MIB, 40 * MIB);
        assertThat(ends(file(2, 16 * MIB).cut(1, 128 * MIB, nodes(3)))).containsExactly(64 * MIB, 128 * MIB);
    }

    @Example
    void cut_ofABlockThatIsShort_orHasOneReplica_isTheFirstReplicasWhole() {
        assertThat(file(3, 16 * MIB).cut(1, 31 * MIB, List.of("b", "a")))
                .singleElement()
                .satisfies(part -> {
                    assertThat(part.node()).isEqualTo("b");
                    assertThat(part.endBytes()).isEqualTo(31 * MIB);
                });
        assertThat(file(3, 16 * MIB).cut(1, 128 * MIB, List.of("b"))).hasSize(1);
        assertThat(file(1, 16 * MIB).cut(1, 128 * MIB, List.of("c", "b", "a")))
                .singleElement()
                .matches(part -> part.node().equals("c"));
    }

    @Example
    void nextBlock_goesToTheNodesThatHaveLess() {
        BlockParts<String> file = file(3, 8 * MIB);
        file.cut(1, 120 * MIB, List.of("a", "b", "c"));
        List<Part<String>> parts = file.cut(2, 120 * MIB, List.of("a", "d", "e"));

        // a keeps 15/16 of 40 MiB; d and e have nothing.
        assertThat(parts.stream().map(Part::node)).endsWith("a");
        assertThat(ends(parts)).as("52.5, 52.5 and 15 MiB").containsExactly(52 * MIB, 105 * MIB, 120 * MIB);
    }

    /** Random placement of replicas, as HDFS's. */
    @Example
    void cut_ofRandomlyPlacedFiles_fillsNodesMoreEvenlyThanEqualParts() {
        Random random = new Random(4);
        double evened = 0;
        double equal = 0;
        for (int round = 0; round < 500; round++) {
            BlockParts<String> file = file(3, 16 * MIB);
            Map<String, Double> cut = new HashMap<>();
            Map<String, Double> thirds = new HashMap<>();
            for (int block = 0; block < 6; block++) {
                List<String> replicas = replicas(random, 6, 3);
                long begin = 0;
                for (Part<String> part : file.cut(block, 128 * MIB, replicas)) {
                    cut.merge(part.node(), (double) (part.endBytes() - begin), Double::sum);
                    begin = part.endBytes();
                }
                replicas.forEach(node -> thirds.merge(node, 128.0 * MIB / 3, Double::sum));
            }
            evened += Collections.max(cut.values()) / (128 * MIB) / 500;
            equal += Collections.max(thirds.values()) / (128 * MIB) / 500;
        }
        assertThat(equal).isBetween(1.5, 1.6);
        assertThat(evened).isBetween(1.1, 1.25);
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
                .isThrownBy(() -> file(3, MIB).cut(1, 0, nodes(1)))
                .withMessage("lengthBytes must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> file(3, MIB).cut(1, 1, List.of()))
                .withMessage("replicas must not be empty");
    }
}

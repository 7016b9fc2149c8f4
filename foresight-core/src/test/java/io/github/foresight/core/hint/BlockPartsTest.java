/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BlockPartsTest {

    private static final long MIB = 1 << 20;

    @Property
    void ends_anyBlock_coverItInOrder(
            @ForAll @LongRange(min = 1, max = 1L << 40) long length,
            @ForAll @IntRange(min = 1, max = 16) int replicas,
            @ForAll @LongRange(min = 1, max = 1L << 30) long partMin) {
        List<Long> ends = BlockParts.ends(length, replicas, partMin);

        assertThat(ends).isSorted().doesNotHaveDuplicates().hasSizeBetween(1, replicas);
        assertThat(ends.get(ends.size() - 1)).isEqualTo(length);
        for (int i = 0; i < ends.size() - 1; i++) {
            long begin = i == 0 ? 0 : ends.get(i - 1);
            assertThat(ends.get(i) % BlockParts.ALIGNMENT_BYTES).isZero();
            assertThat(ends.get(i) - begin)
                    .as("only the last part may be shorter")
                    .isGreaterThanOrEqualTo(partMin)
                    .isEqualTo(ends.get(0));
        }
    }

    @Example
    void ends_ofUsualBlocks() {
        assertThat(BlockParts.ends(128 * MIB, 3, 16 * MIB)).containsExactly(43 * MIB, 86 * MIB, 128 * MIB);
        assertThat(BlockParts.ends(64 * MIB, 3, 16 * MIB)).containsExactly(22 * MIB, 44 * MIB, 64 * MIB);
        assertThat(BlockParts.ends(40 * MIB, 3, 16 * MIB)).containsExactly(20 * MIB, 40 * MIB);
        assertThat(BlockParts.ends(31 * MIB, 3, 16 * MIB)).containsExactly(31 * MIB);
        assertThat(BlockParts.ends(128 * MIB, 1, 16 * MIB)).containsExactly(128 * MIB);
    }

    @Example
    void ends_outOfRange_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockParts.ends(0, 3, 1))
                .withMessage("lengthBytes, replicas and partMinBytes must be at least 1: 0, 3, 1");
    }

    @Property
    void order_ofReplicas_doesNotDependOnTheirOrder(
            @ForAll long blockId, @ForAll @IntRange(min = 1, max = 10) int replicas, @ForAll Random random) {
        List<String> nodes = new java.util.ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            nodes.add("node" + i);
        }
        ImmutableList<String> order = BlockParts.order(nodes, blockId, Function.identity());
        Collections.shuffle(nodes, random);

        assertThat(order).containsExactlyInAnyOrderElementsOf(nodes);
        assertThat(BlockParts.order(nodes, blockId, Function.identity())).isEqualTo(order);
    }

    @Example
    void order_ofManyBlocks_givesEachReplicaTheFirstPartOfAThird() {
        Map<String, Integer> firsts = new HashMap<>();
        List<String> nodes = List.of("a", "b", "c");
        for (long blockId = 1 << 30; blockId < (1 << 30) + 3000; blockId++) {
            firsts.merge(BlockParts.order(nodes, blockId, Function.identity()).get(0), 1, Integer::sum);
        }

        assertThat(firsts.values()).allMatch(count -> count > 850 && count < 1150);
    }
}

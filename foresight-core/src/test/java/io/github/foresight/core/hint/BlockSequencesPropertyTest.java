/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableListMultimap;
import io.github.foresight.core.hint.BlockSequences.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class BlockSequencesPropertyTest {

    @Property
    void byNode_anyLayout_keepsEveryBlockOnceInFileOrder(@ForAll List<@IntRange(max = 5) Integer> nodes) {
        List<Placed<Integer>> layout = layout(nodes);
        ImmutableListMultimap<Integer, HintedBlock> sequences = BlockSequences.byNode(layout);
        assertThat(sequences.values())
                .containsExactlyInAnyOrderElementsOf(
                        layout.stream().map(Placed::block).toList());
        assertThat(sequences.keySet())
                .containsExactlyElementsOf(nodes.stream().distinct().toList());
        for (int node : sequences.keySet()) {
            assertThat(sequences.get(node)).isSortedAccordingTo(Comparator.comparing(HintedBlock::fileOffset));
            assertThat(sequences.get(node)).allMatch(block -> nodes.get((int) block.fileOffset()) == node);
        }
    }

    @Property
    void window_anyPart_isThatPart(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(max = 5) Integer> nodes,
            @ForAll @IntRange(max = 29) int start,
            @ForAll @IntRange(min = 1) int windowBlocks,
            @ForAll @IntRange(max = 40) int endBytes) {
        List<Placed<Integer>> layout = layout(nodes);
        int from = start % nodes.size();
        List<Placed<Integer>> window = BlockSequences.window(layout, from, windowBlocks, endBytes);
        // Blocks of one byte: a block's place is its offset.
        long end = Math.min(nodes.size(), Math.max(from + 1, endBytes));
        assertThat(window).hasSize((int) Math.min(windowBlocks, end - from));
        for (int i = 0; i < window.size(); i++) {
            assertThat(window.get(i)).isSameAs(layout.get(from + i));
        }
    }

    @Example
    void window_outOfRange_namesTheArgument() {
        List<Placed<Integer>> layout = layout(List.of(1, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockSequences.window(layout, 2, 1, 9))
                .withMessage("from must be in [0, 2): 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockSequences.window(layout, -1, 1, 9))
                .withMessage("from must be in [0, 2): -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockSequences.window(layout, 0, 0, 9))
                .withMessage("windowBlocks must be at least 1: 0");
    }

    private static List<Placed<Integer>> layout(List<Integer> nodes) {
        List<Placed<Integer>> layout = new ArrayList<>();
        for (int node : nodes) {
            int index = layout.size();
            layout.add(new Placed<>(new HintedBlock(new BlockKey("pool", index), 1, index, 1), node));
        }
        return layout;
    }
}

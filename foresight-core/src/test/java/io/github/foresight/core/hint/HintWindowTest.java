/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintWindowTest {

    @Test
    void window_nothingHinted_isDueAtOnce() {
        assertThat(new HintWindow(8).isDue(0, 100)).isTrue();
        assertThat(new HintWindow(8).isDue(50, 100)).isTrue();
        assertThat(new HintWindow(8).isDue(0, 0)).as("an empty layout").isFalse();
    }

    @Test
    void window_half_isDueExactlyThere() {
        HintWindow window = new HintWindow(8);
        window.hintedFrom(0, 100);
        assertThat(window.isDue(3, 100)).isFalse();
        assertThat(window.isDue(4, 100)).isTrue();
    }

    @Test
    void window_wholeLayoutHinted_isNeverDueUntilMoreIsKnown() {
        HintWindow window = new HintWindow(8);
        window.hintedFrom(92, 100);
        assertThat(window.isDue(99, 100)).isFalse();
        assertThat(window.isDue(99, 120)).isTrue();
    }

    @Test
    void window_reset_isDueAgain() {
        HintWindow window = new HintWindow(8);
        window.hintedFrom(0, 5);
        assertThat(window.isDue(0, 5)).isFalse();
        window.reset();
        assertThat(window.isDue(0, 5)).isTrue();
    }

    @Test
    void window_largest_coversEveryLayout() {
        HintWindow window = new HintWindow(Integer.MAX_VALUE);
        window.hintedFrom(7, Integer.MAX_VALUE);
        assertThat(window.isDue(7, Integer.MAX_VALUE)).isFalse();
        assertThat(new HintWindow(Integer.MAX_VALUE).isDue(Integer.MAX_VALUE - 1, Integer.MAX_VALUE))
                .isTrue();
    }

    /**
     * From the first block to the last: each block was hinted before, with the number of hints that the Javadoc states.
     */
    @ParameterizedTest
    @CsvSource({"1000,2", "1000,8", "1000,32", "17,64", "1,2"})
    void window_fileReadThrough_hintsAheadForTwoPerWindow(int blocks, int windowBlocks) {
        HintWindow window = new HintWindow(windowBlocks);
        int hints = 0;
        int hintedUpTo = 0;
        for (int index = 0; index < blocks; index++) {
            if (window.isDue(index, blocks)) {
                window.hintedFrom(index, blocks);
                hintedUpTo = Math.min(blocks, index + windowBlocks);
                hints++;
            }
            assertThat(hintedUpTo).isGreaterThan(index);
            if (index + 1 < blocks) {
                assertThat(hintedUpTo).as("the next one is named in time").isGreaterThan(index + 1);
            }
        }
        assertThat(hints).isLessThanOrEqualTo(2 * blocks / windowBlocks + 1);
    }

    @Test
    void constructor_empty_namesTheArgument() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HintWindow(0))
                .withMessage("windowBlocks must be at least 1: 0");
    }
}

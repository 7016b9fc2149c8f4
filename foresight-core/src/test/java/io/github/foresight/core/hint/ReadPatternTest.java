/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.hint.ReadPattern.Advice;
import org.junit.jupiter.api.Test;

class ReadPatternTest {

    private static final long EVIDENCE = 1000;

    private final ReadPattern pattern = new ReadPattern(20, EVIDENCE);

    @Test
    void freshStream_turnsToBlock_isWatchedThere() {
        assertThat(pattern.currentBlock()).isEqualTo(-1);
        assertThat(pattern.recordBlockRead(3)).isEqualTo(Advice.WATCH);
        assertThat(pattern.isWatched()).isTrue();
        assertThat(pattern.isSequential()).isFalse();
        assertThat(pattern.currentBlock()).isEqualTo(3);
    }

    @Test
    void freshStream_turnsToLastBlockOfMany_looksAtFooter() {
        assertThat(pattern.recordBlockRead(19)).isEqualTo(Advice.NONE);
        assertThat(pattern.isWatched()).isFalse();
        assertThat(pattern.recordBlockRead(0)).isEqualTo(Advice.WATCH);
    }

    @Test
    void freshStream_fileOfOneBlock_isWatched() {
        assertThat(new ReadPattern(1, EVIDENCE).recordBlockRead(0)).isEqualTo(Advice.WATCH);
    }

    @Test
    void streamThatIsSaidToBeSequential_isHintedFromItsFirstBlock_untilItJumps() {
        ReadPattern said = new ReadPattern(20, EVIDENCE, ReadIntent.Order.SEQUENTIAL);
        assertThat(said.recordBlockRead(3)).isEqualTo(Advice.HINT);
        assertThat(said.recordBlockRead(4)).isEqualTo(Advice.HINT);
        assertThat(said.recordBlockRead(9)).isEqualTo(Advice.WATCH);
    }

    @Test
    void streamThatIsSaidToBeRandom_isNeverHinted() {
        ReadPattern said = new ReadPattern(20, EVIDENCE, ReadIntent.Order.RANDOM);
        for (int block = 0; block < 5; block++) {
            assertThat(said.recordBlockRead(block)).isEqualTo(Advice.NONE);
            assertThat(said.progressed(EVIDENCE)).isEqualTo(Advice.NONE);
        }
    }

    @Test
    void watchedStream_turnsToSuccessor_isSequential() {
        assertThat(pattern.recordBlockRead(4)).isEqualTo(Advice.WATCH);
        assertThat(pattern.recordBlockRead(5)).isEqualTo(Advice.HINT);
        assertThat(pattern.isSequential()).isTrue();
        assertThat(pattern.recordBlockRead(5)).as("a retry").isEqualTo(Advice.HINT);
        assertThat(pattern.recordBlockRead(6)).isEqualTo(Advice.HINT);
    }

    @Test
    void watchedStream_evidenceExactlyReached_isSequential() {
        assertThat(pattern.progressed(EVIDENCE)).as("nothing read yet").isEqualTo(Advice.NONE);
        assertThat(pattern.recordBlockRead(4)).isEqualTo(Advice.WATCH);
        assertThat(pattern.progressed(EVIDENCE - 1)).isEqualTo(Advice.NONE);
        assertThat(pattern.progressed(EVIDENCE)).isEqualTo(Advice.HINT);
        assertThat(pattern.currentBlock()).isEqualTo(4);
        assertThat(pattern.progressed(EVIDENCE)).as("known already").isEqualTo(Advice.NONE);
    }

    @Test
    void sequentialStream_turnsElsewhere_isWatchedAgain() {
        assertThat(pattern.recordBlockRead(0)).isEqualTo(Advice.WATCH);
        assertThat(pattern.recordBlockRead(1)).isEqualTo(Advice.HINT);
        assertThat(pattern.recordBlockRead(9)).isEqualTo(Advice.WATCH);
        assertThat(pattern.isWatched()).isTrue();
        assertThat(pattern.recordBlockRead(10)).isEqualTo(Advice.HINT);
    }

    @Test
    void watchedStream_moreJumpsThanAllowed_isRandom() {
        assertThat(pattern.recordBlockRead(0)).isEqualTo(Advice.WATCH);
        int block = 2;
        for (int jump = 1; jump <= ReadPattern.MAX_JUMPS; jump++, block += 2) {
            assertThat(pattern.recordBlockRead(block)).isEqualTo(Advice.WATCH);
        }
        assertThat(pattern.recordBlockRead(block)).isEqualTo(Advice.WITHDRAW);
        assertThat(pattern.isWatched()).isFalse();
        assertThat(pattern.isSequential()).isFalse();
        assertThat(pattern.recordBlockRead(block + 4)).isEqualTo(Advice.NONE);
        assertThat(pattern.progressed(EVIDENCE)).isEqualTo(Advice.NONE);
    }

    @Test
    void watchedStream_seeksWithinItsBlock_countsAsJumps() {
        assertThat(pattern.recordBlockRead(5)).isEqualTo(Advice.WATCH);
        for (int jump = 1; jump <= ReadPattern.MAX_JUMPS; jump++) {
            assertThat(pattern.recordBlockRead(5)).isEqualTo(Advice.WATCH);
        }
        assertThat(pattern.recordBlockRead(5)).isEqualTo(Advice.WITHDRAW);
    }

    @Test
    void randomStream_turnsToSuccessor_isWatchedButNotTrusted() {
        watchedStream_moreJumpsThanAllowed_isRandom();
        int next = pattern.currentBlock() + 1;
        assertThat(pattern.recordBlockRead(next)).isEqualTo(Advice.WATCH);
        assertThat(pattern.recordBlockRead(0)).as("one more jump").isEqualTo(Advice.WITHDRAW);
        assertThat(pattern.recordBlockRead(1)).isEqualTo(Advice.WATCH);
        assertThat(pattern.recordBlockRead(2)).isEqualTo(Advice.HINT);
        assertThat(pattern.recordBlockRead(9)).as("forgiven").isEqualTo(Advice.WATCH);
    }

    @Test
    void constructor_outOfRange_namesTheArgument() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadPattern(0, 1))
                .withMessage("blockCount must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadPattern(1, 0))
                .withMessage("evidenceBytes must be at least 1: 0");
    }
}

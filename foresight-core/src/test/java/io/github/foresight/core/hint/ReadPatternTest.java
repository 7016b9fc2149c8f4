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
        assertThat(pattern.turnedTo(3)).isEqualTo(Advice.WATCH);
        assertThat(pattern.isWatched()).isTrue();
        assertThat(pattern.isSequential()).isFalse();
        assertThat(pattern.currentBlock()).isEqualTo(3);
    }

    @Test
    void freshStream_turnsToLastBlockOfMany_looksAtFooter() {
        assertThat(pattern.turnedTo(19)).isEqualTo(Advice.NONE);
        assertThat(pattern.isWatched()).isFalse();
        assertThat(pattern.turnedTo(0)).isEqualTo(Advice.WATCH);
    }

    @Test
    void freshStream_fileOfOneBlock_isWatched() {
        assertThat(new ReadPattern(1, EVIDENCE).turnedTo(0)).isEqualTo(Advice.WATCH);
    }

    @Test
    void streamThatIsSaidToBeSequential_isHintedFromItsFirstBlock_untilItJumps() {
        ReadPattern said = new ReadPattern(20, EVIDENCE, ReadIntent.Order.SEQUENTIAL);
        assertThat(said.turnedTo(3)).isEqualTo(Advice.HINT);
        assertThat(said.turnedTo(4)).isEqualTo(Advice.HINT);
        assertThat(said.turnedTo(9)).isEqualTo(Advice.WATCH);
    }

    @Test
    void streamThatIsSaidToBeRandom_isNeverHinted() {
        ReadPattern said = new ReadPattern(20, EVIDENCE, ReadIntent.Order.RANDOM);
        for (int block = 0; block < 5; block++) {
            assertThat(said.turnedTo(block)).isEqualTo(Advice.NONE);
            assertThat(said.progressed(EVIDENCE)).isEqualTo(Advice.NONE);
        }
    }

    @Test
    void watchedStream_turnsToSuccessor_isSequential() {
        assertThat(pattern.turnedTo(4)).isEqualTo(Advice.WATCH);
        assertThat(pattern.turnedTo(5)).isEqualTo(Advice.HINT);
        assertThat(pattern.isSequential()).isTrue();
        assertThat(pattern.turnedTo(5)).as("a retry").isEqualTo(Advice.HINT);
        assertThat(pattern.turnedTo(6)).isEqualTo(Advice.HINT);
    }

    @Test
    void watchedStream_evidenceExactlyReached_isSequential() {
        assertThat(pattern.progressed(EVIDENCE)).as("nothing read yet").isEqualTo(Advice.NONE);
        assertThat(pattern.turnedTo(4)).isEqualTo(Advice.WATCH);
        assertThat(pattern.progressed(EVIDENCE - 1)).isEqualTo(Advice.NONE);
        assertThat(pattern.progressed(EVIDENCE)).isEqualTo(Advice.HINT);
        assertThat(pattern.currentBlock()).isEqualTo(4);
        assertThat(pattern.progressed(EVIDENCE)).as("known already").isEqualTo(Advice.NONE);
    }

    @Test
    void sequentialStream_turnsElsewhere_isWatchedAgain() {
        assertThat(pattern.turnedTo(0)).isEqualTo(Advice.WATCH);
        assertThat(pattern.turnedTo(1)).isEqualTo(Advice.HINT);
        assertThat(pattern.turnedTo(9)).isEqualTo(Advice.WATCH);
        assertThat(pattern.isWatched()).isTrue();
        assertThat(pattern.turnedTo(10)).isEqualTo(Advice.HINT);
    }

    @Test
    void watchedStream_moreJumpsThanAllowed_isRandom() {
        assertThat(pattern.turnedTo(0)).isEqualTo(Advice.WATCH);
        int block = 2;
        for (int jump = 1; jump <= ReadPattern.MAX_JUMPS; jump++, block += 2) {
            assertThat(pattern.turnedTo(block)).isEqualTo(Advice.WATCH);
        }
        assertThat(pattern.turnedTo(block)).isEqualTo(Advice.WITHDRAW);
        assertThat(pattern.isWatched()).isFalse();
        assertThat(pattern.isSequential()).isFalse();
        assertThat(pattern.turnedTo(block + 4)).isEqualTo(Advice.NONE);
        assertThat(pattern.progressed(EVIDENCE)).isEqualTo(Advice.NONE);
    }

    @Test
    void watchedStream_seeksWithinItsBlock_countsAsJumps() {
        assertThat(pattern.turnedTo(5)).isEqualTo(Advice.WATCH);
        for (int jump = 1; jump <= ReadPattern.MAX_JUMPS; jump++) {
            assertThat(pattern.turnedTo(5)).isEqualTo(Advice.WATCH);
        }
        assertThat(pattern.turnedTo(5)).isEqualTo(Advice.WITHDRAW);
    }

    @Test
    void randomStream_turnsToSuccessor_isWatchedButNotTrusted() {
        watchedStream_moreJumpsThanAllowed_isRandom();
        int next = pattern.currentBlock() + 1;
        assertThat(pattern.turnedTo(next)).isEqualTo(Advice.WATCH);
        assertThat(pattern.turnedTo(0)).as("one more jump").isEqualTo(Advice.WITHDRAW);
        assertThat(pattern.turnedTo(1)).isEqualTo(Advice.WATCH);
        assertThat(pattern.turnedTo(2)).isEqualTo(Advice.HINT);
        assertThat(pattern.turnedTo(9)).as("forgiven").isEqualTo(Advice.WATCH);
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

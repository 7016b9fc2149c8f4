/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WindowMovePolicyTest {

    private static int moves(WindowMovePolicy patience, int outside) {
        return moves(patience, outside, true);
    }

    private static int moves(WindowMovePolicy patience, int outside, boolean useful) {
        int moves = 0;
        for (int i = 0; i < outside; i++) {
            moves += patience.decideMove(false, useful) ? 1 : 0;
        }
        return moves;
    }

    @Test
    void accessesOutside_stopTheWindowExceptProbes() {
        WindowMovePolicy patience = new WindowMovePolicy(10);
        assertThat(moves(patience, 10)).isEqualTo(10);
        assertThat(moves(patience, 15)).isZero();
        assertThat(moves(patience, 1)).isOne();
        assertThat(moves(patience, 160)).isEqualTo(10);
    }

    @Test
    void accessInside_movesTheWindowAgain() {
        WindowMovePolicy patience = new WindowMovePolicy(10);
        moves(patience, 20);
        assertThat(patience.decideMove(true, true)).isTrue();
        assertThat(moves(patience, 10)).isEqualTo(10);
        assertThat(patience.decideMove(false, true)).isFalse();
    }

    @Test
    void noLimit_neverStopsTheWindow() {
        assertThat(moves(new WindowMovePolicy(0), 1000)).isEqualTo(1000);
        assertThatThrownBy(() -> new WindowMovePolicy(-1)).hasMessageContaining("most");
    }

    @Test
    void objectsThatNobodyReads_stopTheWindow_andProbesBecomeRare() {
        WindowMovePolicy patience = new WindowMovePolicy(10);
        assertThat(moves(patience, 15, false)).isZero();
        assertThat(moves(patience, 1, false)).isOne();
        assertThat(moves(patience, 31, false)).isZero();
        assertThat(moves(patience, 1, false)).isOne();
        assertThat(moves(patience, 100_000, false)).isBetween(90, 110);
        assertThat(patience.decideMove(true, false)).as("what is there is used").isTrue();

        assertThat(moves(patience, 10, true)).isEqualTo(10);
        assertThat(moves(patience, 16, false)).as("anew").isOne();
    }
}

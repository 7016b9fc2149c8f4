/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Which objects are on a trail, and whether they were worth prefetching. */
class WindowTrailTest {

    private static final int MOST = 2048;
    private static final int WIDTH = 40;

    private final WindowTrail trail = new WindowTrail(MOST);

    /** A reader at random, whose window moves with each read outside while that is useful; its moves. */
    private static int moves(WindowTrail trail, int fileObjects, int reads, long seed) {
        Random random = new Random(seed);
        int moves = 0;
        for (int i = 0; i < reads; i++) {
            int object = random.nextInt(fileObjects);
            if (trail.contains(object)) {
                trail.read(object);
            } else if (trail.isUseful() || i % 100 == 0) {
                moves++;
                for (int near = object / WIDTH * WIDTH; near < (object / WIDTH + 1) * WIDTH; near++) {
                    trail.add(near);
                }
            }
        }
        return moves;
    }

    @Property(tries = 50)
    void readerAtRandom_inAFileThatFits_isHelped(@ForAll @IntRange(min = 100, max = MOST - WIDTH) int objects) {
        assertThat(moves(new WindowTrail(MOST), objects, 20_000, objects)).isLessThanOrEqualTo(objects / WIDTH + 1);
    }

    /** The trail is filled once; the rest are moves that come in any case. */
    @Property(tries = 50)
    void readerAtRandom_inALongerFile_movesNoMoreOnceTheTrailIsFull(@ForAll @IntRange(min = 2, max = 100) int times) {
        assertThat(moves(new WindowTrail(MOST), times * MOST, 20_000, times)).isLessThan(MOST / WIDTH + 200 + 30);
    }

    @Test
    void readerThatComesToWhatIsPrefetched_isHelped_howeverLongTheFileIs() {
        for (int object = 0; object < 50 * MOST; object++) {
            trail.add(object);
            trail.read(object);
            assertThat(trail.isUseful()).isTrue();
        }
    }

    @Test
    void readerThatFindsLocality_isHelpedAgain() {
        moves(trail, 100 * MOST, 20_000, 1);
        assertThat(trail.isUseful()).isFalse();
        int added = 0;
        while (!trail.isUseful()) {
            trail.add(added);
            trail.read(added);
            added++;
        }
        assertThat(added).isLessThan(200);
    }

    @Test
    void full_leavesTheOldest_andForgetsWhatIsNotHeld() {
        WindowTrail small = new WindowTrail(3);
        for (int i = 0; i < 4; i++) {
            small.add(i);
        }
        assertThat(small.contains(0)).isFalse();
        assertThat(small.contains(1)).isTrue();
        small.forget(1, 3);
        assertThat(small.contains(2)).isFalse();
        assertThat(small.contains(3)).isTrue();
    }

    @Test
    void none_holdsNothingAndIsUseful() {
        WindowTrail none = new WindowTrail(0);
        none.add(1);
        assertThat(none.contains(1)).isFalse();
        assertThat(none.isUseful()).isTrue();
    }
}

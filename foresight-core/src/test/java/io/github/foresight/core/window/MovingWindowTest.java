/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.window.MovingWindow.Move;
import io.github.foresight.core.window.MovingWindow.Place;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MovingWindowTest {

    private static final long OBJECT = 128 << 10;
    private static final long FILE = 800 * OBJECT;

    private static MovingWindow window(WindowKind kind, int first, int most) {
        return new MovingWindow(new WindowSettings(kind, OBJECT, first, most, 0), FILE);
    }

    private static Extent objects(long begin, long end) {
        return Extent.of(begin * OBJECT, end * OBJECT);
    }

    @Test
    void window_firstAccess_isOneObjectAndOutside() {
        Move move = window(WindowKind.WING, 1, 40).accessed(100 * OBJECT + 16_384);

        assertThat(move.place()).isEqualTo(Place.OUTSIDE);
        assertThat(move.window()).isEqualTo(objects(100, 101));
        assertThat(move.added()).containsExactly(objects(100, 101));
        assertThat(move.addedObjects()).isEqualTo(1);
    }

    /** The paper's figure 7 (b): an access outside doubles the window around the new pivot. */
    @Test
    void window_accessOutside_doublesUpToTheMost() {
        MovingWindow window = window(WindowKind.WING, 1, 40);
        int[] sizes = {1, 2, 4, 8, 16, 32, 40, 40};
        for (int i = 0; i < sizes.length; i++) {
            assertThat(window.accessed(i * (100L * OBJECT)).place()).isEqualTo(Place.OUTSIDE);
            assertThat(window.size()).isEqualTo(sizes[i]);
        }
        assertThat(window.extent()).isEqualTo(objects(681, 721));
    }

    /** The paper's figure 7 (a): an access inside moves the window, and only the difference is prefetched. */
    @Test
    void window_accessInside_keepsItsSizeAndAddsTheDifference() {
        MovingWindow window = window(WindowKind.WING, 10, 10);
        window.accessed(100 * OBJECT);
        assertThat(window.extent()).isEqualTo(objects(96, 106));

        Move move = window.accessed(104 * OBJECT);

        assertThat(move.place()).isEqualTo(Place.INSIDE);
        assertThat(window.size()).isEqualTo(10);
        assertThat(move.window()).isEqualTo(objects(100, 110));
        assertThat(move.added()).containsExactly(objects(106, 110));
    }

    @Test
    void window_accessNearThePivot_staysWhereItIs() {
        MovingWindow window = window(WindowKind.WING, 10, 10);
        window.accessed(100 * OBJECT);

        for (long object : new long[] {103, 97, 101}) {
            Move move = window.accessed(object * OBJECT);
            assertThat(move.place()).isEqualTo(Place.INSIDE);
            assertThat(move.added()).isEmpty();
            assertThat(move.window()).isEqualTo(objects(96, 106));
        }
    }

    /** A sequential reader moves a wide window once in several objects, and is always inside the window. */
    @Test
    void window_readerGoesOn_movesOnceInSeveralObjects() {
        MovingWindow window = window(WindowKind.WING, 40, 40);
        window.accessed(0);
        int moves = 0;
        for (long object = 1; object < 800; object++) {
            Move move = window.accessed(object * OBJECT);
            assertThat(move.place()).isEqualTo(Place.INSIDE);
            moves += move.added().isEmpty() ? 0 : 1;
        }
        assertThat(moves).isBetween(40, 60);
    }

    /** The paper's window would have stayed two objects wide and requested each object separately. */
    @Test
    void dynamicWindow_readerGoesOn_widensAsItMoves() {
        MovingWindow window = window(WindowKind.WING, 1, 40);
        List<Integer> movedAt = new ArrayList<>();
        for (int object = 0; object < 100; object++) {
            if (!window.accessed(object * OBJECT).added().isEmpty()) {
                movedAt.add(object);
            }
        }
        assertThat(movedAt).containsExactly(0, 1, 2, 4, 7, 13, 24, 38, 52, 66, 80, 94);
        assertThat(window.size()).isEqualTo(40);
    }

    @Test
    void dynamicWindow_readerGoesDown_widensAsItMoves() {
        MovingWindow window = window(WindowKind.WING, 1, 40);
        int moves = 0;
        for (int object = 799; object >= 700; object--) {
            moves += window.accessed(object * OBJECT).added().isEmpty() ? 0 : 1;
        }
        assertThat(moves).isLessThan(14);
        assertThat(window.size()).isEqualTo(40);
    }

    @Test
    void dynamicWindow_readerLeavesAnObjectOut_staysAsWideAsItIs() {
        MovingWindow window = window(WindowKind.WING, 8, 40);
        for (int object = 100; object < 140; object += 2) {
            window.accessed(object * OBJECT);
        }
        assertThat(window.size()).isEqualTo(8);
    }

    @Test
    void dynamicWindow_readerJumpsAway_losesItsSequentialGrowth() {
        MovingWindow window = window(WindowKind.WING, 1, 40);
        for (int object = 0; object < 100; object++) {
            window.accessed(object * OBJECT);
        }

        assertThat(window.accessed(400 * OBJECT).place()).isEqualTo(Place.OUTSIDE);

        assertThat(window.size()).as("the third access outside").isEqualTo(4);
    }

    @Test
    void window_sameObjectAgain_addsNothing() {
        MovingWindow window = window(WindowKind.WING, 1, 40);
        window.accessed(7 * OBJECT);

        Move move = window.accessed(8 * OBJECT - 1);

        assertThat(move.place()).isEqualTo(Place.INSIDE);
        assertThat(move.added()).isEmpty();
    }

    @Test
    void window_returnToTheTrail_staysAsLongAsTheTrailReaches() {
        MovingWindow window = new MovingWindow(new WindowSettings(WindowKind.WING, OBJECT, 4, 4, 8), FILE);
        window.accessed(100 * OBJECT);
        window.accessed(200 * OBJECT);

        Move back = window.accessed(101 * OBJECT);
        assertThat(back.place()).isEqualTo(Place.ON_TRAIL);
        assertThat(back.added()).isEmpty();
        assertThat(back.window()).isEqualTo(objects(199, 203));
        assertThat(window.accessed(103 * OBJECT).place()).as("beside the trail").isEqualTo(Place.OUTSIDE);

        window.accessed(300 * OBJECT);
        assertThat(window.accessed(99 * OBJECT).place())
                .as("fell off the trail's end")
                .isEqualTo(Place.OUTSIDE);
    }

    @Test
    void forwardWindow_everywhere_beginsAtThePivot() {
        MovingWindow window = window(WindowKind.FORWARD, 8, 8);

        assertThat(window.accessed(50 * OBJECT).window()).isEqualTo(objects(50, 58));
        assertThat(window.accessed(49 * OBJECT).place()).isEqualTo(Place.OUTSIDE);
        assertThat(window.accessed(799 * OBJECT).window()).isEqualTo(objects(799, 800));
    }

    @Test
    void window_doubledInPlace_addsBothSides() {
        MovingWindow window = window(WindowKind.WING, 5, 40);
        window.accessed(100 * OBJECT);

        Move move = window.accessed(103 * OBJECT);

        assertThat(move.place()).isEqualTo(Place.OUTSIDE);
        assertThat(move.added()).containsExactly(objects(103, 109));
    }

    @Test
    void window_fileWithAShortLastObject_endsWithTheFile() {
        MovingWindow window = new MovingWindow(new WindowSettings(WindowKind.WING, OBJECT, 4, 4, 0), 2 * OBJECT + 1);

        Move move = window.accessed(2 * OBJECT);

        assertThat(move.window()).isEqualTo(Extent.of(OBJECT, 2 * OBJECT + 1));
        assertThat(move.addedObjects()).isEqualTo(2);
    }

    @Test
    void window_offsetBeyondTheFile_isRefused() {
        MovingWindow window = window(WindowKind.WING, 1, 40);

        assertThatThrownBy(() -> window.accessed(FILE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(FILE));
    }

    @Test
    void settings_outOfRange_areRefusedByName() {
        assertThatThrownBy(() -> new WindowSettings(WindowKind.WING, 0, 1, 40, 0))
                .hasMessageContaining("objectBytes");
        assertThatThrownBy(() -> new WindowSettings(WindowKind.WING, 1, 0, 40, 0))
                .hasMessageContaining("firstObjects");
        assertThatThrownBy(() -> new WindowSettings(WindowKind.WING, 1, 8, 4, 0))
                .hasMessageContaining("mostObjects");
        assertThatThrownBy(() -> new WindowSettings(WindowKind.WING, 1, 1, 1, -1))
                .hasMessageContaining("trailObjects");
    }
}

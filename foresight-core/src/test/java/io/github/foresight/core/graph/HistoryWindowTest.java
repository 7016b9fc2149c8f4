/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HistoryWindowTest {

    @Property
    void holdsTheLastAccesses_newestFirst(
            @ForAll List<Long> accesses, @ForAll @IntRange(min = 1, max = 10) int capacity) {
        HistoryWindow window = new HistoryWindow(capacity, Long.MAX_VALUE);
        accesses.forEach(window::push);

        List<Long> held = new ArrayList<>();
        for (int distance = 1; distance <= window.size(); distance++) {
            held.add(window.file(distance));
        }
        List<Long> expected =
                new ArrayList<>(accesses.subList(Math.max(0, accesses.size() - capacity), accesses.size()));
        Collections.reverse(expected);
        assertThat(held).isEqualTo(expected);
    }

    @Test
    void pause_longerThanAllowed_empties() {
        HistoryWindow window = new HistoryWindow(3, 100);
        window.advanceTo(0);
        window.push(1);
        window.advanceTo(100);
        assertThat(window.size()).isEqualTo(1);
        window.advanceTo(201);
        assertThat(window.size()).isZero();
    }

    @Test
    void beyondItsEnd_isRefused() {
        HistoryWindow window = new HistoryWindow(3, 100);
        window.push(1);
        assertThatThrownBy(() -> window.file(2)).hasMessageContaining("accepted is 1 to 1");
    }
}

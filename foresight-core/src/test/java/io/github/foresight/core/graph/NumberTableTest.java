/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Compares a table of numbers with a list. */
class NumberTableTest {

    private static final int CAPACITY = 20;

    @Property
    void isAListWithoutRepetitions(
            @ForAll @Size(max = 5) List<@Size(max = CAPACITY) List<@LongRange(min = -8, max = 8) Long>> rounds) {
        NumberTable table = new NumberTable(CAPACITY);
        for (List<Long> round : rounds) {
            table.clear();
            List<Long> expected = new ArrayList<>();
            for (long number : round) {
                if (!expected.contains(number)) {
                    assertThat(table.indexOf(number)).isEqualTo(table.size());
                    table.add(number);
                    expected.add(number);
                }
                assertThat(table.indexOf(number)).isEqualTo(expected.indexOf(number));
            }
            assertThat(table.size()).isEqualTo(expected.size());
            for (int index = 0; index < expected.size(); index++) {
                assertThat(table.number(index)).isEqualTo(expected.get(index));
            }
        }
    }

    @Test
    void isEmptyAfterAnyNumberOfRounds() {
        NumberTable table = new NumberTable(65_535);
        for (int round = 0; round < 200_000; round++) {
            assertThat(table.indexOf(round % 3)).isEqualTo(0);
            table.add(round % 3);
            table.clear();
        }
    }
}

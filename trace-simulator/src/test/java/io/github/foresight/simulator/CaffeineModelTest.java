/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.graph.Allowance;
import io.github.foresight.simulator.ModelCache.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaffeineModelTest {

    private final List<Entry> evicted = new ArrayList<>();
    private final ModelCache cache = ModelCache.Policy.CAFFEINE.of(10, evicted::add);

    @Test
    void holdsAsManyAsItMay_andTellsOfEachThatGoes() {
        for (int file = 0; file < 100; file++) {
            cache.put(file, new Entry(3, new Allowance(0)));
        }

        assertThat(evicted).hasSize(90).allMatch(Entry::isPredicted);
        int held = 0;
        for (int file = 0; file < 100; file++) {
            held += cache.expect(file) ? 1 : 0;
        }
        assertThat(held).isEqualTo(10);
    }

    @Test
    void givesWhatWasPut() {
        Entry predicted = new Entry(3, new Allowance(0));
        cache.put(1, predicted);

        assertThat(cache.touch(1)).isSameAs(predicted);
        assertThat(cache.touch(2)).isNull();
    }
}

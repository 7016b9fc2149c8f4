/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.graph.Allowance;
import io.github.foresight.simulator.ModelCache.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentedModelTest {

    private final List<Entry> evicted = new ArrayList<>();
    private final ModelCache cache = new SegmentedModel(10, 2, true, evicted::add);

    private void demand(int from, int to) {
        for (int file = from; file < to; file++) {
            cache.put(file, Entry.DEMANDED);
        }
    }

    @Test
    void holdsAsManyAsItMay_theOldestGoesFirst() {
        demand(0, 10);
        Entry predicted = new Entry(3, new Allowance(0));

        cache.put(10, predicted);
        assertThat(evicted).containsExactly(Entry.DEMANDED);

        assertThat(cache.expect(0)).isFalse();
        assertThat(cache.expect(1)).isTrue();
        assertThat(cache.touch(10)).isSameAs(predicted);
        assertThat(cache.touch(0)).isNull();
    }

    @Test
    void whatIsAskedForAgain_outlivesWhatIsNot() {
        demand(0, 10);
        cache.touch(0);

        demand(10, 30);

        assertThat(cache.expect(0)).isTrue();
        assertThat(cache.expect(1)).isFalse();
    }

    @Test
    void protectsAFifth_andThenTheOneAskedForLongestAgoNoMore() {
        demand(0, 10);
        cache.touch(0);
        cache.touch(1);
        cache.touch(2);

        demand(10, 30);

        assertThat(cache.expect(0)).isFalse();
        assertThat(cache.expect(1)).isTrue();
        assertThat(cache.expect(2)).isTrue();
    }

    @Test
    void predictedEntryThatGoes_isGivenBack() {
        Entry predicted = new Entry(3, new Allowance(0));
        cache.put(0, predicted);
        demand(1, 10);

        cache.put(10, Entry.DEMANDED);

        assertThat(evicted).containsExactly(predicted);
    }

    @Test
    void whatIsPredictedAgain_staysLonger_thoughNotProtected() {
        demand(0, 10);
        cache.expect(0);

        demand(10, 14);

        assertThat(cache.expect(0)).isTrue();
        assertThat(cache.expect(1)).isFalse();
        demand(14, 24);
        assertThat(cache.expect(0)).isFalse();
    }

    @Test
    void withoutRoomForProtectedEntries_itIsLru_andPredictionRenewsNothing() {
        ModelCache lru = ModelCache.Policy.LRU.of(3, evicted::add);
        lru.put(0, Entry.DEMANDED);
        lru.put(1, Entry.DEMANDED);
        lru.put(2, Entry.DEMANDED);
        lru.touch(0);
        lru.expect(1);

        lru.put(3, Entry.DEMANDED);

        assertThat(lru.expect(1)).isFalse();
        assertThat(lru.expect(0)).isTrue();
        lru.put(4, Entry.DEMANDED);
        lru.put(5, Entry.DEMANDED);
        assertThat(lru.expect(0)).isFalse();
    }
}

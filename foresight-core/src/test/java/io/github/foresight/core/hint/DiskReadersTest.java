/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class DiskReadersTest {

    private final DiskReaders readers = new DiskReaders();

    private List<DiskReaders.Reading> begin(int count, Set<String> disks, long nowNanos) {
        List<DiskReaders.Reading> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(readers.begin(disks, nowNanos));
        }
        return begun;
    }

    @Test
    void diskOfManyFiles_isBusy_andOneOfFewIsNot() {
        begin(DiskReaders.CROWD, Set.of("a"), 0);
        begin(DiskReaders.CROWD - 1, Set.of("b"), 0);

        assertThat(readers.areBusy(List.of("a"), 0)).isTrue();
        assertThat(readers.areBusy(List.of("b"), 0)).isFalse();
        assertThat(readers.areBusy(List.of("a", "b"), 0)).isFalse();
        assertThat(readers.areBusy(List.of(), 0)).isFalse();
    }

    @Test
    void fileOnSeveralDisks_countsAtEachByItsShare() {
        begin(4 * DiskReaders.CROWD - 1, Set.of("a", "b", "c", "d"), 0);
        assertThat(readers.areBusy(List.of("a", "b"), 0)).isFalse();

        begin(1, Set.of("a", "b", "c", "d"), 0);
        assertThat(readers.areBusy(List.of("a", "b"), 0)).isTrue();
    }

    @Test
    void fileThatIsNotUsedForAMinute_countsNoLonger_untilItIsUsedAgain() {
        List<DiskReaders.Reading> begun = begin(DiskReaders.CROWD, Set.of("a"), 0);
        begun.forEach(reading -> reading.used(0));
        begun.get(0).used(DiskReaders.IDLE_NANOS / 2);

        assertThat(readers.areBusy(List.of("a"), DiskReaders.IDLE_NANOS - 1)).isTrue();
        assertThat(readers.areBusy(List.of("a"), 2 * DiskReaders.IDLE_NANOS)).isFalse();

        begun.forEach(reading -> reading.used(2 * DiskReaders.IDLE_NANOS));
        assertThat(readers.areBusy(List.of("a"), 2 * DiskReaders.IDLE_NANOS)).isTrue();
        begun.forEach(DiskReaders.Reading::end);
        assertThat(readers.areBusy(List.of("a"), 2 * DiskReaders.IDLE_NANOS)).isFalse();
    }

    @Test
    void fileThatIsNeverUsed_countsForASecond() {
        begin(DiskReaders.CROWD, Set.of("a"), 0);

        assertThat(readers.areBusy(List.of("a"), DiskReaders.FIRST_USE_NANOS - 1))
                .isTrue();
        assertThat(readers.areBusy(List.of("a"), 2 * DiskReaders.FIRST_USE_NANOS))
                .isFalse();
    }

    @Test
    void filesBeyondTheBound_doNotCount() {
        List<DiskReaders.Reading> others = begin(DiskReaders.READINGS_MAX, Set.of("a"), 0);
        List<DiskReaders.Reading> late = begin(DiskReaders.CROWD, Set.of("b"), 0);
        assertThat(readers.areBusy(List.of("b"), 0)).isFalse();

        others.forEach(DiskReaders.Reading::end);
        late.forEach(reading -> reading.used(0));
        assertThat(readers.areBusy(List.of("b"), 0)).isTrue();
    }

    /** Files begin and end in any order. Each counts once while it is read, whatever ends twice. */
    @Property
    void counts_areThoseOfTheFilesThatAreRead(@ForAll @Size(max = 60) List<@IntRange(max = 11) Integer> steps) {
        DiskReaders all = new DiskReaders();
        List<DiskReaders.Reading> open = new ArrayList<>();
        Map<DiskReaders.Reading, String> disk = new HashMap<>();
        for (int step : steps) {
            if (step < 6 || open.isEmpty()) {
                String name = step % 2 == 0 ? "even" : "odd";
                DiskReaders.Reading begun = all.begin(List.of(name), 0);
                open.add(begun);
                disk.put(begun, name);
            } else {
                DiskReaders.Reading ended = open.remove(step % open.size());
                ended.end();
                ended.end();
            }
            for (String name : List.of("even", "odd")) {
                long count =
                        open.stream().filter(one -> disk.get(one).equals(name)).count();
                assertThat(all.areBusy(List.of(name), 0)).isEqualTo(count >= DiskReaders.CROWD);
            }
        }
    }
}

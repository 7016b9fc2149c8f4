/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the readers of a pass come, and what each reads. */
class StressArrivalsTest {

    private static final List<Integer> FILES =
            IntStream.range(0, 10_000).boxed().collect(Collectors.toList());

    private static List<StressArrivals.Reader> readers(long seed) {
        return StressArrivals.of(20, 100, FILES, 8 << 20, 1 << 20, new Random(seed));
    }

    @Test
    void readers_comeAtTheirRate_inOrder_eachToAnotherFile() {
        List<StressArrivals.Reader> readers = readers(1);
        assertThat(readers).hasSizeBetween(1_800, 2_200);
        Set<Integer> files = new HashSet<>();
        long before = 0;
        for (StressArrivals.Reader reader : readers) {
            assertThat(reader.atNanos()).isBetween(before, 100_000_000_000L);
            before = reader.atNanos();
            assertThat(files.add(reader.file())).isTrue();
        }
    }

    @Test
    void oneReaderInFour_stopsAfterAQuarter() {
        List<StressArrivals.Reader> readers = readers(1);
        long early =
                readers.stream().filter(reader -> reader.bytes() == 2 << 20).count();
        assertThat((double) early / readers.size()).isBetween(0.22, 0.28);
        assertThat(readers).allMatch(reader -> reader.bytes() == 2 << 20 || reader.bytes() == 8 << 20);
    }

    @Test
    void readers_areTheSameForTheSameSeed() {
        assertThat(readers(7)).isEqualTo(readers(7)).isNotEqualTo(readers(8));
    }

    @Test
    void readers_areNoMoreThanFiles() {
        assertThat(StressArrivals.of(20, 100, FILES.subList(0, 3), 8 << 20, 1 << 20, new Random(1)))
                .hasSize(3);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.Multiset;
import io.github.foresight.core.lease.LeaseWorld.Count;
import io.github.foresight.core.lease.LeaseWorld.Defect;
import java.util.EnumSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs many worlds. {@code -Dforesight.lease.runs} is their number, {@code -Dforesight.lease.seed} the first seed. A
 * failure prints its seed.
 */
class LeaseSimulationTest {

    private static final int STEPS = 1_000;
    private static final int RUNS = Integer.getInteger("foresight.lease.runs", 10_000);
    private static final long FIRST_SEED = Long.getLong("foresight.lease.seed", 1);

    @Test
    void worlds_withLeases_areLinearizable() {
        Multiset<Count> totals = ConcurrentHashMultiset.create();
        LongStream.range(FIRST_SEED, FIRST_SEED + RUNS).parallel().forEach(seed -> {
            LeaseWorld world = LeaseWorld.sound(seed);
            assertThat(world.run(STEPS)).as("seed %s", seed).isNull();
            totals.addAll(world.counts());
        });
        System.out.printf("seeds %d to %d, %d steps each: %s%n", FIRST_SEED, FIRST_SEED + RUNS - 1, STEPS, totals);
        assertThat(totals.count(Count.OPENS_FROM_MEMORY)).isGreaterThan(totals.count(Count.OPENS) / 4);
        assertThat(totals.count(Count.CHANGES_THAT_WAITED)).isGreaterThan(totals.count(Count.CHANGES) / 20);
        assertThat(totals.count(Count.FAILOVERS)).isGreaterThan(RUNS / 20);
    }

    @ParameterizedTest
    @EnumSource(Defect.class)
    void worlds_withADefect_areFoundOut(Defect defect) {
        long found = LongStream.range(FIRST_SEED, FIRST_SEED + 200_000)
                .filter(seed -> new LeaseWorld(seed, EnumSet.of(defect)).run(STEPS) != null)
                .findFirst()
                .orElse(-1);
        System.out.printf("%s: found out with seed %d%n", defect, found);
        assertThat(found).as("a seed that shows %s", defect).isNotNegative();
    }

    @Test
    void world_withTheSameSeed_isTheSame() {
        LeaseWorld one = LeaseWorld.sound(7);
        LeaseWorld other = LeaseWorld.sound(7);
        one.run(STEPS);
        other.run(STEPS);
        assertThat(one.counts()).isEqualTo(other.counts());
    }
}

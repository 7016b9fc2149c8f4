/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

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
        long fromMemory = 0;
        long served = 0;
        long changes = 0;
        long awaited = 0;
        long failovers = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            LeaseWorld world = LeaseWorld.sound(seed);
            assertThat(world.run(STEPS)).as("seed %s", seed).isNull();
            fromMemory += world.servedFromMemory();
            served += world.served();
            changes += world.changesDone();
            awaited += world.changesAwaited();
            failovers += world.failovers();
        }
        System.out.printf(
                "seeds %d to %d, %d steps each: %d opens, %d of them from memory, %d changes, %d of them waited, %d failovers%n",
                FIRST_SEED, FIRST_SEED + RUNS - 1, STEPS, served, fromMemory, changes, awaited, failovers);
        assertThat(fromMemory).as("opens from memory, of %s", served).isGreaterThan(served / 4);
        assertThat(awaited).as("changes that waited, of %s", changes).isGreaterThan(changes / 20);
        assertThat(failovers).isGreaterThan(RUNS / 20);
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
        assertThat(one.served()).isEqualTo(other.served());
        assertThat(one.servedFromMemory()).isEqualTo(other.servedFromMemory());
        assertThat(one.changesDone()).isEqualTo(other.changesDone());
    }
}

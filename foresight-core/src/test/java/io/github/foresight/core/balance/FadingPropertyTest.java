/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class FadingPropertyTest {

    private static final long MILLISECOND = 1_000_000L;
    private static final long SECOND = 1000 * MILLISECOND;

    @Property
    void count_atAnyTimes_isTheSumOfTheFadedOnes(
            @ForAll @LongRange(min = MILLISECOND, max = 10 * SECOND) long halfLifeNanos,
            @ForAll long startNanos,
            @ForAll @Size(max = 50) List<@IntRange(max = 1000) Integer> pausesPerMille) {
        Fading fading = new Fading(halfLifeNanos);
        long count = 0;
        long now = startNanos;
        double expected = 0;
        for (int perMille : pausesPerMille) {
            long pause = halfLifeNanos / 1000 * perMille;
            now += pause;
            expected = expected * Math.pow(0.5, (double) pause / halfLifeNanos) + 1;
            count = fading.plusOne(count, now);
        }
        // A tick is at most a 16th of a half-life; in this time about a twentieth of a count fades.
        assertThat(fading.units(count, now) / (double) Fading.ONE).isCloseTo(expected, within(0.05 * expected + 0.05));
    }

    @Example
    void units_afterHalfLives_halve() {
        Fading fading = new Fading(SECOND);
        long count = fading.plusOne(0, 0);
        assertThat(fading.units(count, 0)).isEqualTo(256);
        assertThat(fading.units(count, SECOND)).isBetween(122L, 134L);
        assertThat(fading.units(count, 8 * SECOND)).isBetween(0L, 1L);
        assertThat(fading.units(count, 10_000_000 * SECOND)).isZero();
    }

    @Example
    void units_readingOlderThanTheLastChange_isWhole() {
        Fading fading = new Fading(SECOND);
        long count = fading.plusOne(fading.plusOne(0, 10 * SECOND), 0);
        assertThat(fading.units(count, 0)).isEqualTo(512);
        assertThat(fading.units(count, 10 * SECOND)).isEqualTo(512);
    }

    @Example
    void plusOne_atTheTop_stays() {
        Fading fading = new Fading(SECOND);
        long count = 0xffff_ffffL;
        assertThat(fading.units(fading.plusOne(count, 0), 0)).isEqualTo(0xffff_ffffL);
    }
}

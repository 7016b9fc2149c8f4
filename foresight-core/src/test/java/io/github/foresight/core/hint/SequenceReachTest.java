/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SequenceReachTest {

    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000;

    private final SequenceReach reach = new SequenceReach();

    @Example
    void reach_isFiveSecondsAhead_atTheRateOfTheLastStep() {
        reach.begins(4 * MIB, 0);
        assertThat(reach.reached(64 * MIB, 2 * SECOND)).isEqualTo((64 + 150) * MIB);
        assertThat(reach.reached(128 * MIB, 2 * SECOND + SECOND / 2)).isEqualTo((128 + 640) * MIB);
        assertThat(reach.reached(129 * MIB, 12 * SECOND + SECOND / 2))
                .as("a reader that became slow")
                .isEqualTo(129 * MIB + MIB / 2);
    }

    @Property
    void reach_isNeverBehindTheReads_whateverTheClockSays(
            @ForAll @LongRange(max = 1L << 50) long from,
            @ForAll @LongRange(max = 1L << 50) long to,
            @ForAll long then,
            @ForAll long now) {
        reach.begins(from, then);
        assertThat(reach.reached(to, now)).isGreaterThanOrEqualTo(to);
    }
}

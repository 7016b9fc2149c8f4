/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RefusalsPropertyTest {

    @Property
    void refusal_isRememberedForOneToTwoPeriods(
            @ForAll long beginNanos,
            @ForAll @LongRange(min = 1, max = 1L << 40) long periodNanos,
            @ForAll @LongRange(min = 0, max = 1L << 42) long refusedAfter,
            @ForAll @LongRange(min = 0, max = 1L << 42) long askedAfter) {
        Refusals refusals = new Refusals(16, periodNanos, beginNanos);
        long refusedNanos = beginNanos + refusedAfter;
        refusals.add(7, refusedNanos);
        boolean remembered = refusals.contains(7, refusedNanos + askedAfter);
        if (askedAfter < periodNanos) {
            assertThat(remembered).isTrue();
        }
        if (askedAfter >= 2 * periodNanos) {
            assertThat(remembered).isFalse();
        }
        assertThat(refusals.contains(8, refusedNanos)).isFalse();
    }
}

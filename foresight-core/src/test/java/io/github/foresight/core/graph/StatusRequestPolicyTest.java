/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The decision of a client to ask for a file's layout with its status. */
class StatusRequestPolicyTest {

    private static final int STATUSES = 5_000;

    private final StatusRequestPolicy policy = new StatusRequestPolicy();

    @Test
    void whoOpensEachFileAfterItsStatus_asksFromTheEighthOn() {
        for (int path = 1; path <= 7; path++) {
            assertThat(policy.statusAsked(path)).as("status %d", path).isFalse();
            policy.opened(path);
        }
        assertThat(policy.statusAsked(8)).isTrue();
    }

    /** Threads interleave their statuses and opens. */
    @Property
    void whoOpensEachFileAFewStatusesLater_asks(@ForAll @IntRange(max = 31) int later) {
        int asked = 0;
        for (int path = 0; path < STATUSES; path++) {
            asked += policy.statusAsked(path) ? 1 : 0;
            if (path >= later) {
                policy.opened(path - later);
            }
        }
        assertThat(asked).isGreaterThan(STATUSES - 40);
    }

    @Test
    void whoOpensTooLate_neverAsks() {
        for (int path = 0; path < STATUSES; path++) {
            assertThat(policy.statusAsked(path)).isFalse();
            policy.opened(path - 32);
        }
    }

    @Property
    void whoOpensFewOfThem_rarelyAsks(@ForAll @DoubleRange(max = 0.2) double opened, @ForAll long seed) {
        assertThat(shareAsked(opened, seed)).isLessThan(0.02);
    }

    @Property
    void whoOpensNearlyAll_nearlyAlwaysAsks(@ForAll @DoubleRange(min = 0.95) double opened, @ForAll long seed) {
        assertThat(shareAsked(opened, seed)).isGreaterThan(0.98);
    }

    @Test
    void whoNoLongerOpens_stopsAsking() {
        shareAsked(1, 0);
        int asked = 0;
        for (int path = -1; path > -STATUSES; path--) {
            asked += policy.statusAsked(path) ? 1 : 0;
        }
        assertThat(asked).isLessThan(48);
    }

    @Test
    void statusesOfOneFileBeforeItsOpen_countOnce() {
        for (int path = 0; path < 20; path++) {
            for (int times = 0; times < 100; times++) {
                policy.statusAsked(path);
            }
            policy.opened(path);
        }
        assertThat(policy.statusAsked(20)).isTrue();
    }

    @Test
    void opensWithoutAStatus_sayNothing() {
        for (int path = 0; path < STATUSES; path++) {
            policy.opened(path);
        }
        assertThat(policy.statusAsked(STATUSES)).isFalse();
    }

    private double shareAsked(double opened, long seed) {
        Random random = new Random(seed);
        int asked = 0;
        for (int path = 0; path < STATUSES; path++) {
            asked += policy.statusAsked(path) ? 1 : 0;
            if (random.nextDouble() < opened) {
                policy.opened(path);
            }
        }
        return (double) asked / STATUSES;
    }
}

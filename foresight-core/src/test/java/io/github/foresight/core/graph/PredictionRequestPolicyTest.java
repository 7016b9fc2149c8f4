/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** The decision of a client to ask for predictions. */
class PredictionRequestPolicyTest {

    private static final int OPENS = 10_000;

    private final PredictionRequestPolicy policy = new PredictionRequestPolicy();

    @Test
    void beginnerAsks() {
        assertThat(shareOfMissesAsked(policy, 5, 0, new Random(0))).isEqualTo(1);
    }

    @Property
    void whomPredictionsServe_asksEachTime(
            @ForAll @DoubleRange(min = 0.25, max = 0.95) double served, @ForAll long seed) {
        assertThat(shareOfMissesAsked(new PredictionRequestPolicy(), OPENS, served, new Random(seed)))
                .isGreaterThan(0.97);
    }

    @Property
    void whomTheyDoNotServe_asksRarely(@ForAll @DoubleRange(max = 0.01) double served, @ForAll long seed) {
        assertThat(shareOfMissesAsked(new PredictionRequestPolicy(), OPENS, served, new Random(seed)))
                .isLessThan(0.03);
    }

    /** An order that recurs is noticed soon if predictions were useful recently, and later if they never were. */
    @Test
    void probes_becomeRarer_andOftenAgainOnceTheyServe() {
        shareOfMissesAsked(policy, OPENS, 0, new Random(0));
        assertThat(opensUntilAsked()).isBetween(1, 256);
        assertThat(opensUntilAsked()).isEqualTo(256);
        for (int i = 0; i < 3; i++) {
            policy.served();
        }
        int asked = 0;
        while (policy.recordMiss()) {
            asked++;
        }
        assertThat(asked).isPositive();
        assertThat(opensUntilAsked()).isLessThanOrEqualTo(16);
        assertThat(opensUntilAsked()).isEqualTo(32);
    }

    private int opensUntilAsked() {
        int opens = 1;
        while (!policy.recordMiss()) {
            opens++;
        }
        return opens;
    }

    @Test
    void asksAgainOnceTheyServe() {
        shareOfMissesAsked(policy, OPENS, 0, new Random(0));

        for (int i = 0; i < 3; i++) {
            policy.served();
        }

        assertThat(shareOfMissesAsked(policy, 10, 0, new Random(0))).isEqualTo(1);
    }

    /**
     * The share of misses for which the client asks for predictions, over a number of opens of which a share is served.
     */
    private static double shareOfMissesAsked(PredictionRequestPolicy policy, int opens, double served, Random random) {
        int misses = 0;
        int asked = 0;
        for (int open = 0; open < opens; open++) {
            if (random.nextDouble() < served) {
                policy.served();
            } else {
                misses++;
                asked += policy.recordMiss() ? 1 : 0;
            }
        }
        return (double) asked / misses;
    }
}

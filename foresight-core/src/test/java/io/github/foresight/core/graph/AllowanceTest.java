/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The number of files that a client is granted before it has used some. */
class AllowanceTest {

    private static final double DEMANDED = 0.25;

    @Test
    void startsWithAGroup() {
        assertThat(new Allowance(DEMANDED).left()).isEqualTo(16);
    }

    @Property
    void clientThatUsesNothing_isGrantedFew(@ForAll @IntRange(min = 1, max = 20_000) int opens) {
        assertThat(toldOf(new Allowance(DEMANDED), opens, 0, new Random(0))).isLessThanOrEqualTo(16 + opens / 64);
    }

    @Property
    void whoUsesEnoughIsNotLimited(@ForAll @DoubleRange(min = 2 * DEMANDED, max = 1) double share, @ForAll long seed) {
        int opens = 10_000;
        assertThat(toldOf(new Allowance(DEMANDED), opens, share, new Random(seed)))
                .isGreaterThan(opens * 9 / 10);
    }

    @Test
    void recoversWhenPredictionsComeTrueAgain() {
        Allowance allowance = new Allowance(DEMANDED);
        Random random = new Random(0);
        toldOf(allowance, 10_000, 0, random);

        assertThat(toldOf(allowance, 1000, 1, random)).isGreaterThan(800);
    }

    @Test
    void whereNothingIsDemandedNothingIsLimited() {
        Allowance allowance = new Allowance(0);
        allowance.used(3);
        allowance.spend(1_000_000);

        assertThat(allowance.left()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void demanded_outOfRange_isRefused() {
        assertThatThrownBy(() -> new Allowance(1.5)).hasMessage("demanded is 1.5; accepted is 0 to 1");
        assertThatThrownBy(() -> new Allowance(Double.NaN)).hasMessage("demanded is NaN; accepted is 0 to 1");
    }

    /** The number of granted files of a client that asks for one more file at each open and uses a share of them. */
    private static int toldOf(Allowance allowance, int opens, double share, Random random) {
        int told = 0;
        for (int open = 0; open < opens; open++) {
            allowance.opened(1);
            if (allowance.left() > 0) {
                allowance.spend(1);
                told++;
                if (random.nextDouble() < share) {
                    allowance.used(1);
                }
            }
        }
        return told;
    }
}

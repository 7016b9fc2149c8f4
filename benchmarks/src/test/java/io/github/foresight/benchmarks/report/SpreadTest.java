/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void of_oneFigure_isThatFigureThroughout() {
        Spread spread = Spread.of(List.of(3.0));

        assertThat(List.of(
                        spread.lowest(),
                        spread.lowerQuartile(),
                        spread.median(),
                        spread.upperQuartile(),
                        spread.highest()))
                .containsOnly(3.0);
    }

    @Test
    void of_fiveFigures_areItsOwnPoints() {
        Spread spread = Spread.of(List.of(5.0, 1.0, 4.0, 2.0, 3.0));

        assertThat(List.of(
                        spread.lowest(),
                        spread.lowerQuartile(),
                        spread.median(),
                        spread.upperQuartile(),
                        spread.highest()))
                .containsExactly(1.0, 2.0, 3.0, 4.0, 5.0);
    }

    @Test
    void median_ofAnEvenNumber_liesBetweenTheMiddleTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 10.0)).median()).isEqualTo(3.0);
    }

    @Test
    void of_nothing_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WeightSchemeTest {

    @ParameterizedTest
    @CsvSource({
        "IDENTICAL,   10 10 10 10 10",
        "LINEAR,      10 9 8 7 6",
        "POLYNOMIAL,  10 3 1 1 1",
        "EXPONENTIAL, 10 5 3 1 1"
    })
    void weights(WeightScheme scheme, String expected) {
        String weights = IntStream.rangeClosed(1, 5)
                .mapToObj(distance -> String.valueOf(scheme.weight(distance)))
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
        assertThat(weights).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void farAway_aSuccessorStillCounts(WeightScheme scheme) {
        assertThat(scheme.weight(1000)).isPositive();
    }
}

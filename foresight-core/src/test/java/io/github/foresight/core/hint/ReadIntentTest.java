/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.ReadIntent.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadIntentTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sequential | SEQUENTIAL",
                "whole-file | SEQUENTIAL",
                "parquet, vector, random | RANDOM",
                "' Vector ' | RANDOM",
                "of.tomorrow, sequential | SEQUENTIAL",
                "adaptive, random | UNKNOWN",
                "of.tomorrow | UNKNOWN",
                "'' | UNKNOWN",
                "',,' | UNKNOWN"
            })
    void policies_theFirstKnownOneCounts(String policies, Order order) {
        assertThat(ReadIntent.of(policies, 0).order()).isEqualTo(order);
    }

    @Test
    void end_isTheSplits_orNowhere() {
        assertThat(ReadIntent.of("", 7).endBytes()).isEqualTo(7);
        assertThat(ReadIntent.of("random", 0).endBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(ReadIntent.of("random", -1).endBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(ReadIntent.of("", 0)).isSameAs(ReadIntent.NONE);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BalanceSettingsTest {

    @Test
    void build_nothingSet_hasTheDefaults() {
        BalanceSettings settings = BalanceSettings.builder().build();
        assertThat(settings.distinctBlocks()).isEqualTo(3);
        assertThat(settings.overloadFactor()).isEqualTo(2);
        assertThat(settings.yieldFactor()).isZero();
        assertThat(settings.overloadMinimum()).isEqualTo(64);
        assertThat(settings.halfLifeNanos()).isEqualTo(1_000_000_000L);
        assertThat(settings.forgetNanos()).isEqualTo(600_000_000_000L);
        assertThat(settings.maxNodes()).isEqualTo(16_384);
        assertThat(settings.maxRemembered()).isEqualTo(65_536);
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                Arguments.of(BalanceSettings.builder().distinctBlocks(-1), "distinctBlocks must be in [0, 64]: -1"),
                Arguments.of(BalanceSettings.builder().distinctBlocks(65), "distinctBlocks must be in [0, 64]: 65"),
                Arguments.of(
                        BalanceSettings.builder().overloadFactor(0.5),
                        "overloadFactor must be 0, or finite and at least 1: 0.5"),
                Arguments.of(
                        BalanceSettings.builder().yieldFactor(Double.NaN),
                        "yieldFactor must be 0, or finite and at least 1: NaN"),
                Arguments.of(
                        BalanceSettings.builder().overloadMinimum(-1),
                        "overloadMinimum must be in [0, 2147483647]: -1"),
                Arguments.of(
                        BalanceSettings.builder().halfLifeNanos(999_999),
                        "halfLifeNanos must be in [1000000, 3600000000000]: 999999"),
                Arguments.of(BalanceSettings.builder().forgetNanos(0), "forgetNanos must be at least 1: 0"),
                Arguments.of(BalanceSettings.builder().maxNodes(0), "maxNodes must be in [1, 16777216]: 0"),
                Arguments.of(
                        BalanceSettings.builder().maxRemembered(-1), "maxRemembered must be in [0, 67108864]: -1"));
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void build_outOfRange_namesTheSetting(BalanceSettings.Builder builder, String message) {
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CacheSettingsTest {

    @Test
    void builder_onlyCapacitySet_givesDocumentedDefaults() {
        CacheSettings settings = CacheSettings.builder().capacityBytes(6_400).build();
        assertThat(settings.capacityBytes()).isEqualTo(6_400);
        assertThat(settings.chunkBytes()).isEqualTo(100);
        assertThat(settings.retryNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());
        assertThat(settings.idleNanos()).isEqualTo(Duration.ofMinutes(10).toNanos());
        assertThat(settings.unaccessedMaxNanos())
                .isEqualTo(Duration.ofMinutes(2).toNanos());
        assertThat(settings.reassignPeriodNanos())
                .isEqualTo(Duration.ofSeconds(10).toNanos());
        assertThat(settings.reassignThreshold()).isEqualTo(0.20);
        assertThat(settings.reassignMinHits()).isEqualTo(5);
        assertThat(settings.maxEntries()).isEqualTo(65_536);
        assertThat(settings.policy()).isEqualTo(CachingPolicyKind.W_TINYLFU);
    }

    @Test
    void chunkBytes_tinyCapacity_isOneByte() {
        assertThat(CacheSettings.builder().capacityBytes(63).build().chunkBytes())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource
    void build_valueOutOfRange_namesSettingRangeAndValue(CacheSettings.Builder builder, String message) {
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }

    static Stream<Arguments> build_valueOutOfRange_namesSettingRangeAndValue() {
        return Stream.of(
                Arguments.of(CacheSettings.builder(), "capacityBytes must be at least 1: 0"),
                Arguments.of(valid().chunkBytes(0), "chunkBytes must be in [1, 100]: 0"),
                Arguments.of(valid().chunkBytes(101), "chunkBytes must be in [1, 100]: 101"),
                Arguments.of(valid().retryNanos(-1), "retryNanos must be at least 0: -1"),
                Arguments.of(valid().idleNanos(0), "idleNanos must be at least 1: 0"),
                Arguments.of(valid().unaccessedMaxNanos(0), "unaccessedMaxNanos must be at least 1: 0"),
                Arguments.of(valid().reassignPeriodNanos(0), "reassignPeriodNanos must be at least 1: 0"),
                Arguments.of(valid().reassignThreshold(-0.1), "reassignThreshold must be finite and at least 0: -0.1"),
                Arguments.of(
                        valid().reassignThreshold(Double.NaN), "reassignThreshold must be finite and at least 0: NaN"),
                Arguments.of(valid().reassignMinHits(-1), "reassignMinHits must be at least 0: -1"),
                Arguments.of(valid().maxEntries(0), "maxEntries must be in [1, 2147483647]: 0"));
    }

    private static CacheSettings.Builder valid() {
        return CacheSettings.builder().capacityBytes(100);
    }
}

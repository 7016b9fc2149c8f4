/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfKeyTest {

    private static final ConfKey<Integer> KEY =
            ConfKey.of("foresight.test.count", ValueType.integer(1, 9), "4", "How many.");

    @Test
    void key_notConfigured_isItsDefault() {
        assertThat(KEY.get(Map.<String, String>of()::get)).isEqualTo(4);
        assertThat(KEY.defaultValue()).isEqualTo(4);
        assertThat(KEY.defaultText()).isEqualTo("4");
    }

    @Test
    void key_configured_isThat() {
        assertThat(KEY.get(Map.of("foresight.test.count", " 7 ")::get)).isEqualTo(7);
    }

    @Test
    void key_otherKeysConfigured_isItsDefault() {
        assertThat(KEY.get(Map.of("foresight.test.count.more", "7")::get)).isEqualTo(4);
    }

    @Test
    void key_configuredEmpty_isInvalidAndNotTheDefault() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> KEY.get(Map.of("foresight.test.count", "")::get))
                .withMessage("foresight.test.count is ''; accepted is a whole number from 1 to 9");
    }

    @Test
    void key_configuredWrongly_namesKeyValueAndAcceptedValues() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> KEY.get(Map.of("foresight.test.count", " Ten")::get))
                .withMessage("foresight.test.count is ' Ten'; accepted is a whole number from 1 to 9");
    }

    @Test
    void key_defaultThatItsTypeRefuses_cannotBeDefined() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> ConfKey.of("foresight.test.count", ValueType.integer(1, 9), "10", "How many."))
                .withMessageContaining("foresight.test.count is '10'");
    }

    @Test
    void key_asText_isItsName() {
        assertThat(KEY).hasToString("foresight.test.count");
        assertThat(KEY.description()).isEqualTo("How many.");
    }
}

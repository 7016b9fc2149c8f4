/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyValuesTest {

    private final Map<String, String> configured = new HashMap<>();

    @Test
    void value_isTheConfiguredOneOrTheDefault_asItWasWhenRead() {
        configured.put("foresight.client.hint.threads", "7");
        KeyValues values = KeyValues.read(Role.CLIENT, configured::get);
        configured.put("foresight.client.hint.threads", "9");

        assertThat(values.get(ClientKeys.HINT_THREADS)).isEqualTo(7);
        assertThat(values.get(ClientKeys.HINT_ENABLED)).isTrue();
    }

    @Test
    void valueThatIsNotAccepted_isNamedAtOnce() {
        configured.put("foresight.client.hint.threads", "0");

        assertThatThrownBy(() -> KeyValues.read(Role.CLIENT, configured::get))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("foresight.client.hint.threads");
    }

    @Test
    void keyOfAnotherRole_isRefused() {
        assertThatThrownBy(() -> KeyValues.read(Role.CLIENT, configured::get).get(DataNodeKeys.PREFETCH_ENABLED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("foresight.datanode.prefetch.enabled");
    }
}

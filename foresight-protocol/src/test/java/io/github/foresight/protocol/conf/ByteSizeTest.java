/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ByteSizeTest {

    @Test
    void parse_suffixes_arePowersOf1024() {
        assertThat(ByteSize.parse("17")).isEqualTo(17);
        assertThat(ByteSize.parse(" 2K ")).isEqualTo(2048);
        assertThat(ByteSize.parse("64m")).isEqualTo(64L << 20);
        assertThat(ByteSize.parse("1g")).isEqualTo(1L << 30);
        assertThat(ByteSize.parse("3t")).isEqualTo(3L << 40);
    }

    @Test
    void parse_noSize_isRefusedWithTheAcceptedForms() {
        for (String text : List.of("", "m", "-1", "1x", "1.5g", "9999999999t")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ByteSize.parse(text))
                    .withMessageContaining("'" + text + "'")
                    .withMessageContaining("suffix k, m, g or t");
        }
    }
}

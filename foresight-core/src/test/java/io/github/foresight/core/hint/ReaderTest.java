/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReaderTest {

    private static final String LONGEST = "n".repeat(Reader.NAME_MAX);

    @Test
    void name_asLongAsIsKept_tellsReadersApart() {
        assertThat(new Reader(LONGEST, "a").matches(new Reader(LONGEST, "b"))).isTrue();
        assertThat(new Reader(LONGEST, "a").matches(new Reader("n", "a"))).isFalse();
    }

    @Test
    void name_longerThanIsKept_isNoName() {
        Reader reader = new Reader(LONGEST + "n", "a");
        assertThat(reader).hasToString("? at a");
        assertThat(reader.matches(new Reader("another", "a"))).isTrue();
        assertThat(reader.matches(new Reader("another", "b"))).isFalse();
    }
}

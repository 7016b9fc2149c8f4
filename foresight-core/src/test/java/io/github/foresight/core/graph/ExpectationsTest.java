/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The outcomes of files that were expected to be opened. */
class ExpectationsTest {

    private static final int CLASS = 20;

    private final Usefulness judge = new Usefulness(0.5, 1_000_000, 1000);
    private final Expectations<String> expectations = new Expectations<>(3);

    @Test
    void fileThatIsOpened_wasExpectedOnce_whereItWasMadeReady() {
        expectations.expect(7, CLASS, "node", judge);
        assertThat(expectations.isExpected(7)).isTrue();
        assertThat(expectations.opened(7, judge)).isEqualTo("node");
        assertThat(expectations.opened(7, judge)).isNull();
        assertThat(expectations.isExpected(7)).isFalse();
        assertThat(expectations.opened(8, judge)).isNull();
    }

    @Test
    void oldestIsGivenUp_andCountsAgainstItsClass() {
        for (long file = 0; file < 23; file++) {
            expectations.expect(file, CLASS, "node", judge);
        }
        assertThat(expectations.isExpected(19)).isFalse();
        assertThat(expectations.isExpected(20)).isTrue();
        assertThat(judge.admit(CLASS)).isFalse();
    }

    @Test
    void opened_countsForItsClass() {
        for (long file = 0; file < 100; file++) {
            expectations.expect(file, CLASS, "node", judge);
            if (file % 10 != 0) {
                expectations.opened(file, judge);
            }
        }
        assertThat(judge.admit(CLASS)).isTrue();
    }

    @Test
    void roomForNone_isRefused() {
        assertThatThrownBy(() -> new Expectations<String>(0)).hasMessageContaining("0");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureBudgetTest {

    private final FailureBudget budget = new FailureBudget(2);

    @Test
    void spend_oneMoreThanBorneWithinAMinute_isTheOneTooMany() {
        assertThat(budget.spend(0)).isFalse();
        assertThat(budget.spend(1)).isFalse();
        assertThat(budget.isSpent()).isFalse();
        assertThat(budget.spend(2)).isTrue();
        assertThat(budget.isSpent()).isTrue();
        assertThat(budget.spend(3))
                .as("only the first failure above the budget counts")
                .isFalse();
    }

    @Test
    void spend_slowly_isBorne() {
        for (int i = 0; i < 100; i++) {
            assertThat(budget.spend(TimeUnit.SECONDS.toNanos(40L * i))).isFalse();
        }
        assertThat(budget.isSpent()).isFalse();
    }

    @Test
    void reset_afterTooMany_beginsAnew() {
        for (int i = 0; i < 3; i++) {
            budget.spend(i);
        }
        budget.reset();
        assertThat(budget.isSpent()).isFalse();
        assertThat(budget.spend(4)).isFalse();
    }

    @Test
    void of_noFailureAtAll_isRefused() {
        assertThatThrownBy(() -> new FailureBudget(0))
                .hasMessageContaining("maxPerMinute")
                .hasMessageContaining("0");
    }
}

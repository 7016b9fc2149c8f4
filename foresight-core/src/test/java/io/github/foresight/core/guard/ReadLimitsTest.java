/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ReadLimitsTest {

    @Test
    void hold_isOverByFilesOrByTime() {
        ReadLimits limits = new ReadLimits(4, 1000, 8, 100);
        assertThat(limits.isHoldOver(3, 999)).isFalse();
        assertThat(limits.isHoldOver(4, 0)).isTrue();
        assertThat(limits.isHoldOver(1, 1000)).isTrue();
    }

    @Test
    void queues_areLongAboveTheirLimit() {
        ReadLimits limits = new ReadLimits(4, 1000, 8, 100);
        assertThat(limits.isLockBusy(8)).isFalse();
        assertThat(limits.isLockBusy(9)).isTrue();
        assertThat(limits.areCallsWaiting(100)).isFalse();
        assertThat(limits.areCallsWaiting(101)).isTrue();
    }

    @Test
    void zero_isNoLimit() {
        ReadLimits limits = new ReadLimits(0, 0, 0, 0);
        assertThat(limits.isHoldOver(Integer.MAX_VALUE, Long.MAX_VALUE)).isFalse();
        assertThat(limits.isLockBusy(Integer.MAX_VALUE)).isFalse();
        assertThat(limits.areCallsWaiting(Integer.MAX_VALUE)).isFalse();
        assertThatThrownBy(() -> new ReadLimits(-1, 0, 0, 0)).hasMessage("filesPerHold must be at least 0: -1");
    }
}

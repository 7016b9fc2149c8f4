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

    @Test
    void files_whileCallsWait_halveWithEachPriorityLevel_andEndBelowTheLast() {
        ReadLimits limits = new ReadLimits(0, 0, 0, 0, 3);
        assertThat(limits.filesAt(0, 10, 16)).isEqualTo(16);
        assertThat(limits.filesAt(1, 10, 16)).isEqualTo(8);
        assertThat(limits.filesAt(2, 10, 16)).isEqualTo(4);
        assertThat(limits.filesAt(3, 10, 16)).isZero();
        assertThat(limits.filesAt(3, 0, 16)).as("no call waits").isEqualTo(16);
        assertThat(new ReadLimits(0, 0, 0, 0).filesAt(3, 10, 16)).as("no limit").isEqualTo(16);
        assertThat(new ReadLimits(0, 0, 0, 0, 100).filesAt(64, 10, 16)).isZero();
    }
}

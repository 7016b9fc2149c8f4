/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class VolumeAllowanceTest {

    private static final long MIB = 1 << 20;
    private static final long FREE_MIN = 100 * MIB;
    private static final long CAP = 64 * MIB;

    private final PreallocationSettings settings = PreallocationSettings.builder()
            .volumeMaxBytes(CAP)
            .volumeFreeMinBytes(FREE_MIN)
            .windowMaxBytes(32 * MIB)
            .slowNanos(1_000_000)
            .slowMax(3)
            .build();

    @Property
    void grant_whateverIsWanted_staysWithinTheCapAndLeavesTheMinimumFree(
            @ForAll @Size(max = 60) List<@LongRange(min = 1, max = 64 << 20) Long> wanted,
            @ForAll @LongRange(max = 300 << 20) long availableBytes) {
        VolumeAllowance allowance = new VolumeAllowance(settings);
        long available = availableBytes;
        long unused = 0;
        for (long bytes : wanted) {
            long granted = allowance.grant(bytes, available);
            assertThat(granted).isBetween(0L, Math.min(bytes, 32 * MIB));
            unused += granted;
            available -= granted;
            assertThat(allowance.unusedBytes()).isEqualTo(unused).isLessThanOrEqualTo(CAP);
            if (granted > 0) {
                assertThat(available).isGreaterThanOrEqualTo(FREE_MIN);
            }
        }
        allowance.release(unused);
        assertThat(allowance.unusedBytes()).isZero();
    }

    @Example
    void grant_onANearlyFullVolume_isNothing() {
        VolumeAllowance allowance = new VolumeAllowance(settings);
        assertThat(allowance.grant(MIB, FREE_MIN)).isZero();
        assertThat(allowance.grant(MIB, FREE_MIN + 4 * MIB)).isEqualTo(MIB);
        assertThat(allowance.grant(MIB, -1)).isZero();
    }

    @Example
    void took_slowly_halvesAndThenSwitchesOff() {
        VolumeAllowance allowance = new VolumeAllowance(settings);
        assertThat(allowance.recordDuration(2_000_000)).isFalse();
        assertThat(allowance.grant(32 * MIB, 1L << 40)).isEqualTo(16 * MIB);
        assertThat(allowance.recordDuration(2_000_000)).isFalse();
        assertThat(allowance.grant(32 * MIB, 1L << 40)).isEqualTo(8 * MIB);
        assertThat(allowance.recordDuration(2_000_000)).isTrue();
        assertThat(allowance.isOff()).isTrue();
        assertThat(allowance.grant(MIB, 1L << 40)).isZero();
        assertThat(allowance.recordDuration(2_000_000)).isFalse();
    }

    @Example
    void took_fastAgain_growsBack() {
        VolumeAllowance allowance = new VolumeAllowance(settings);
        allowance.recordDuration(2_000_000);
        allowance.recordDuration(2_000_000);
        allowance.recordDuration(1);
        allowance.recordDuration(1);
        assertThat(allowance.grant(32 * MIB, 1L << 40)).isEqualTo(16 * MIB);
        assertThat(allowance.isOff()).isFalse();
    }
}

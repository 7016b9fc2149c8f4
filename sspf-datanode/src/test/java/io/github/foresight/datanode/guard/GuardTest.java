/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardTest {

    private final ReadAheadMetrics metrics = new ReadAheadMetrics();
    private final AtomicInteger trips = new AtomicInteger();
    private final Guard guard = new Guard(metrics, 3, trips::incrementAndGet);

    private void fail() {
        guard.run("be tested", () -> {
            throw new java.io.IOException("on purpose");
        });
    }

    @Test
    void guard_noFailure_runsAndCountsNothing() {
        AtomicInteger runs = new AtomicInteger();
        guard.run("be tested", runs::incrementAndGet);
        assertThat(guard.call("be tested", "otherwise", () -> "done")).isEqualTo("done");
        assertThat(runs).hasValue(1);
        assertThat(metrics.internalErrors.value()).isZero();
    }

    @Test
    void guard_failure_isCountedAndStaysInside() {
        fail();
        String given = guard.call("be tested", "otherwise", () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(given).isEqualTo("otherwise");
        guard.run("be tested", () -> {
            throw new NoSuchMethodError("on purpose");
        });
        assertThat(metrics.internalErrors.value()).isEqualTo(3);
        assertThat(guard.isTripped()).isFalse();
    }

    @Test
    void guard_onAThreadOfOurOwn_keepsEvenErrorsOfTheMachineInside() {
        guard.runOnOwnThread("be tested", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        guard.runAlways("be tested", () -> {
            throw new StackOverflowError("on purpose");
        });
        assertThat(metrics.internalErrors.value()).isEqualTo(2);
    }

    @Test
    void guard_tripped_stillRunsWhatGivesMemoryBack() {
        for (int i = 0; i < 4; i++) {
            fail();
        }
        AtomicInteger runs = new AtomicInteger();
        guard.runOnOwnThread("be tested", runs::incrementAndGet);
        assertThat(runs).hasValue(0);
        guard.runAlways("be tested", runs::incrementAndGet);
        assertThat(runs).hasValue(1);
    }

    @Test
    void guard_moreFailuresThanAllowed_tripsOnceAndRunsNothingMore() {
        for (int i = 0; i < 3; i++) {
            fail();
        }
        assertThat(guard.isTripped()).isFalse();
        fail();
        assertThat(guard.isTripped()).isTrue();
        assertThat(trips).hasValue(1);

        AtomicInteger runs = new AtomicInteger();
        guard.run("be tested", runs::incrementAndGet);
        assertThat(guard.call("be tested", -1, runs::incrementAndGet)).isEqualTo(-1);
        fail();
        assertThat(runs).hasValue(0);
        assertThat(trips).hasValue(1);
        assertThat(metrics.internalErrors.value()).isEqualTo(4);
    }

    @Test
    void guard_virtualMachineError_passes() {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> guard.run("be tested", () -> {
                    throw new OutOfMemoryError("on purpose");
                }));
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> guard.call("be tested", "otherwise", () -> {
                    throw new StackOverflowError("on purpose");
                }));
        assertThat(metrics.internalErrors.value()).isZero();
    }

    @Test
    void guard_givingUpFails_staysInsideToo() {
        Guard brittle = new Guard(metrics, 1, () -> {
            throw new IllegalStateException("on purpose");
        });
        for (int i = 0; i < 2; i++) {
            assertThat(brittle.call("be tested", "otherwise", () -> {
                        throw new IllegalStateException("on purpose");
                    }))
                    .isEqualTo("otherwise");
        }
        assertThat(brittle.isTripped()).isTrue();
    }
}

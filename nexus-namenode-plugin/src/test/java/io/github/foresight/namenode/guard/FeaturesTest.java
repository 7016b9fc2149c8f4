/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FeaturesTest {

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong clockReads = new AtomicLong();
    private final Features features = new Features(NameNodeSettings.read(unused -> null), new NameNodeMetrics(), () -> {
        clockReads.incrementAndGet();
        return clock.get();
    });

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            features.run(Feature.PREFETCH, () -> {
                throw new IllegalStateException("a file that nobody foresaw");
            });
        }
    }

    @Test
    void featureThatFailsTooOftenOfOneCause_rests_andIsTriedAgain() {
        fail(101);
        assertThat(features.isOn(Feature.PREFETCH)).isFalse();
        assertThat(features.isResting(Feature.PREFETCH)).isTrue();
        assertThat(features.resting()).isEqualTo(1);
        assertThat(features.isOn(Feature.LEARN)).isTrue();

        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(features.isOn(Feature.PREFETCH)).isTrue();
        assertThat(features.resting()).isZero();
    }

    @Test
    void featureThatHasRested_asksForTheTimeNoMore() {
        fail(101);
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        features.run(Feature.PREFETCH, () -> {});
        long reads = clockReads.get();
        assertThat(features.isOn(Feature.PREFETCH)).isTrue();
        features.run(Feature.PREFETCH, () -> {});
        assertThat(clockReads).hasValue(reads);
    }

    @Test
    void featureThatRests_canBeSwitchedOnByAnOperator() {
        fail(101);
        features.enable(Feature.PREFETCH);
        assertThat(features.isOn(Feature.PREFETCH)).isTrue();
    }

    @Test
    void failuresOfSeveralCauses_areCountedApart() {
        fail(99);
        for (int i = 0; i < 99; i++) {
            features.run(Feature.PREFETCH, () -> {
                throw new UnsupportedOperationException("another");
            });
        }
        assertThat(features.isOn(Feature.PREFETCH)).isTrue();
    }
}

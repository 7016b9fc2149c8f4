/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {

    private final Trace trace = new Trace();

    private ReplayResult replay(int entries, int group) {
        ReplaySettings settings = new ReplaySettings();
        settings.entries = entries;
        settings.group = group;
        return Replay.run(trace, settings);
    }

    @Test
    void withoutPrediction_itIsLeastRecentlyUsed() {
        for (String file : "A B C A D A B".split(" ")) {
            trace.add(0, "client", file);
        }

        // With two entries, only the last A is still in the cache when it is opened again.
        assertThat(replay(2, 0).hitRatio()).isCloseTo(1 / 7.0, within(1e-9));
        assertThat(replay(4, 0).hitRatio()).isCloseTo(3 / 7.0, within(1e-9));
    }

    @Test
    void orderThatComesAgain_isPredicted() {
        for (int round = 0; round < 10; round++) {
            for (int file = 0; file < 100; file++) {
                trace.add(0, "client", "/file" + file);
            }
        }

        assertThat(replay(20, 0).hitRatio()).isZero();
        ReplayResult predicted = replay(20, 6);
        assertThat(predicted.hitRatio()).isGreaterThan(0.85);
        assertThat(predicted.precision()).isGreaterThan(0.95);
    }

    @Test
    void randomAccesses_areLeftAlone() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            trace.add(0, "client", "/file" + random.nextInt(5000));
        }

        ReplayResult predicted = replay(500, 6);
        assertThat(predicted.hitRatio()).isGreaterThan(replay(500, 0).hitRatio() - 0.02);
        assertThat(predicted.prefetchesPerAccess()).isLessThan(0.3);
    }

    @Test
    void windowPerClient_isNotConfusedByOthers() {
        Random random = new Random(1);
        for (int round = 0; round < 10; round++) {
            for (int file = 0; file < 100; file++) {
                trace.add(0, "orderly", "/file" + file);
                for (int noise = 0; noise < 3; noise++) {
                    trace.add(0, "random", "/noise" + random.nextInt(100_000));
                }
            }
        }
        ReplaySettings settings = new ReplaySettings();
        settings.entries = 50;
        double apart = Replay.run(trace, settings).hitRatio();
        settings.oneWindow = true;

        assertThat(apart).isGreaterThan(2 * Replay.run(trace, settings).hitRatio());
    }

    @Test
    void emptyTrace_hasNoFigures() {
        assertThat(replay(1, 6).hitRatio()).isZero();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintRateLimiterTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void tryAcquire_burst_isAllowedOnce() {
        HintRateLimiter limiter = new HintRateLimiter(2, 3, 100);
        assertThat(acquired(limiter, "a", 10, 0)).isEqualTo(3);
        assertThat(acquired(limiter, "a", 10, SECOND)).isEqualTo(2);
        assertThat(acquired(limiter, "a", 10, 100 * SECOND))
                .as("no more than a burst is saved")
                .isEqualTo(3);
    }

    @Test
    void tryAcquire_exactlyWhenATokenIsThere_succeeds() {
        HintRateLimiter limiter = new HintRateLimiter(1, 1, 100);
        assertThat(limiter.tryAcquire("a", 0)).isTrue();
        assertThat(limiter.tryAcquire("a", SECOND - 1)).isFalse();
        assertThat(limiter.tryAcquire("a", SECOND)).isTrue();
    }

    @Test
    void tryAcquire_twoClients_doNotShare() {
        HintRateLimiter limiter = new HintRateLimiter(1, 2, 100);
        assertThat(acquired(limiter, "a", 10, 0)).isEqualTo(2);
        assertThat(acquired(limiter, "b", 10, 0)).isEqualTo(2);
    }

    @Test
    void tryAcquire_longRun_keepsTheRate() {
        HintRateLimiter limiter = new HintRateLimiter(50, 5, 100);
        int taken = 0;
        for (long millis = 0; millis < 10_000; millis++) {
            taken += limiter.tryAcquire("a", millis * 1_000_000) ? 1 : 0;
        }
        assertThat(taken).isBetween(500, 505);
    }

    @Test
    void tryAcquire_readingsOutOfOrder_refillOnce() {
        HintRateLimiter limiter = new HintRateLimiter(1, 1, 100);
        assertThat(limiter.tryAcquire("a", 10 * SECOND)).isTrue();
        assertThat(limiter.tryAcquire("a", 0)).isFalse();
        assertThat(limiter.tryAcquire("a", 10 * SECOND + 1)).isFalse();
    }

    @Test
    void tryAcquire_clockWrapsAround_keepsTheRate() {
        HintRateLimiter limiter = new HintRateLimiter(1, 1, 100);
        long start = Long.MAX_VALUE - SECOND / 2;
        assertThat(limiter.tryAcquire("a", start)).isTrue();
        assertThat(limiter.tryAcquire("a", start + SECOND)).isTrue();
        assertThat(limiter.tryAcquire("a", start + SECOND + 1)).isFalse();
        assertThat(limiter.tryAcquire("a", start + SECOND + 2)).isFalse();
    }

    @Test
    void tryAcquire_manyClients_stillServesEach() {
        HintRateLimiter limiter = new HintRateLimiter(1, 1, 4);
        for (int client = 0; client < 1000; client++) {
            assertThat(limiter.tryAcquire("client" + client, 0)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void constructor_rateOutOfRange_namesIt(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HintRateLimiter(rate, 1, 1))
                .withMessage("ratePerSecond must be finite and above 0: " + rate);
    }

    @Test
    void constructor_otherwiseOutOfRange_namesTheArgument() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HintRateLimiter(1, 0, 1))
                .withMessage("burst must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HintRateLimiter(1, 1, 0))
                .withMessage("maxClients must be at least 1: 0");
    }

    private static int acquired(HintRateLimiter limiter, String client, int attempts, long nowNanos) {
        int taken = 0;
        for (int i = 0; i < attempts; i++) {
            taken += limiter.tryAcquire(client, nowNanos) ? 1 : 0;
        }
        return taken;
    }
}

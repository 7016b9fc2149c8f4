/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Bounds how many hints a DataNode takes from one client: a token bucket per client.
 *
 * <p>Holds the buckets of the clients seen most; one that is forgotten begins anew with a full bucket, so a flood from very
 * many addresses is bounded by the session table and not here. Constant time and memory per call. Thread-safe.
 */
public final class HintRateLimiter {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double ratePerSecond;
    private final double burst;
    private final Cache<String, Bucket> buckets;

    /**
     * Makes a limiter.
     *
     * @param ratePerSecond hints per second and client in the long run, above 0
     * @param burst hints that an idle client may send at once, at least 1
     * @param maxClients clients remembered at once, at least 1
     */
    public HintRateLimiter(double ratePerSecond, int burst, int maxClients) {
        if (!(ratePerSecond > 0 && ratePerSecond < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("ratePerSecond must be finite and above 0: " + ratePerSecond);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be at least 1: " + burst);
        }
        if (maxClients < 1) {
            throw new IllegalArgumentException("maxClients must be at least 1: " + maxClients);
        }
        this.ratePerSecond = ratePerSecond;
        this.burst = burst;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(maxClients)
                .executor(Runnable::run)
                .build();
    }

    /** Whether the client may send one more hint now; takes it from the client's allowance if so. */
    public boolean tryAcquire(String client, long nowNanos) {
        return buckets.get(client, unused -> new Bucket(burst, nowNanos)).tryTake(nowNanos);
    }

    private final class Bucket {
        private double tokens;
        private long filledNanos;

        Bucket(double tokens, long filledNanos) {
            this.tokens = tokens;
            this.filledNanos = filledNanos;
        }

        synchronized boolean tryTake(long nowNanos) {
            // Callers may come in another order than they read the clock, and the clock may wrap around.
            long elapsedNanos = nowNanos - filledNanos;
            if (elapsedNanos > 0) {
                tokens = Math.min(burst, tokens + elapsedNanos / NANOS_PER_SECOND * ratePerSecond);
                filledNanos = nowNanos;
            }
            if (tokens < 1) {
                return false;
            }
            tokens -= 1;
            return true;
        }
    }
}

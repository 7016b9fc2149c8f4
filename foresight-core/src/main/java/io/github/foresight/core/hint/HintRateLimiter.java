/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Bounds the rate of hints from each client to a DataNode: a token bucket for each client.
 *
 * <p>The limiter remembers the clients that it sees most often; a forgotten client begins anew with a full bucket. For
 * this reason it does not bound a flood of hints from very many addresses; the session table does. Constant time and
 * memory for each call. Thread-safe.
 */
public final class HintRateLimiter {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double ratePerSecond;
    private final double burst;
    private final Cache<String, Bucket> buckets;

    /**
     * Makes a limiter.
     *
     * @param ratePerSecond the long-run rate of hints for each client, per second, above 0
     * @param burst the hints that an idle client may send at once, at least 1
     * @param maxClients the most remembered clients, at least 1
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

    /** Takes a token from the client's bucket; false if the bucket is empty and the hint is refused. */
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
            // Callers may arrive in another order than they read the clock, and the clock may wrap around.
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

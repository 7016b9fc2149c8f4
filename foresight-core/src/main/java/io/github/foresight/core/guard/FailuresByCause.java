/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A feature's failures, counted by their cause: a feature rests for a while when one cause comes too often within a minute, and comes
 * back by itself.
 *
 * <p>The first rest lasts a minute. A cause that comes too often again within a minute of its feature's return makes the rest twice as
 * long, up to an hour. At most {@value #CAUSES_MAX} causes are told apart; those beyond count as one.
 *
 * <p>Constant time; a feature that does not rest costs one volatile read a call, also after a rest that was {@linkplain #endRest ended}.
 * Thread-safe.
 */
public final class FailuresByCause {

    static final int CAUSES_MAX = 64;
    static final long MINUTE_NANOS = 60_000_000_000L;
    static final long REST_MAX_NANOS = 60 * MINUTE_NANOS;

    private static final String OTHERS = "";

    /** How often a cause came within its minute. */
    private static final class Count {
        long beginNanos;
        int failures;
    }

    private final int maxPerMinute;
    private volatile boolean resting;

    @GuardedBy("this")
    private final Map<String, Count> causes = new HashMap<>();

    /** Whether the feature has rested since it began, and so has a last rest. */
    @GuardedBy("this")
    private boolean hasRested;

    @GuardedBy("this")
    private long restUntilNanos;

    @GuardedBy("this")
    private long restNanos;

    /**
     * Makes one that has seen no failure.
     *
     * @param maxPerMinute failures of one cause that are borne within a minute, at least 1
     */
    public FailuresByCause(int maxPerMinute) {
        if (maxPerMinute < 1) {
            throw new IllegalArgumentException("maxPerMinute must be at least 1: " + maxPerMinute);
        }
        this.maxPerMinute = maxPerMinute;
    }

    /** Whether the feature may be resting, or its rest is over and nobody has ended it; if not, nobody has to ask for the time. */
    public boolean mayRest() {
        return resting;
    }

    /**
     * Whether the feature rests.
     *
     * @param nowNanos of any steady clock
     */
    public synchronized boolean isRestingAt(long nowNanos) {
        return resting && nowNanos - restUntilNanos < 0;
    }

    /** Ends a rest whose time is over, so that nobody has to ask for the time any more. */
    public synchronized void endRest(long nowNanos) {
        resting = isRestingAt(nowNanos);
    }

    /**
     * Counts a failure.
     *
     * @param cause equal for failures that have one cause
     * @param nowNanos of any steady clock
     * @return how long the feature is to rest from now on, nanoseconds; 0 if it goes on, or rests already
     */
    public synchronized long failed(String cause, long nowNanos) {
        if (isRestingAt(nowNanos)) {
            return 0;
        }
        String counted = causes.containsKey(cause) || causes.size() < CAUSES_MAX ? cause : OTHERS;
        Count count = causes.computeIfAbsent(counted, unused -> new Count());
        if (count.failures == 0 || nowNanos - count.beginNanos > MINUTE_NANOS) {
            count.beginNanos = nowNanos;
            count.failures = 0;
        }
        count.failures++;
        if (count.failures <= maxPerMinute) {
            return 0;
        }
        boolean again = hasRested && nowNanos - restUntilNanos <= MINUTE_NANOS;
        restNanos = again ? Math.min(REST_MAX_NANOS, 2 * restNanos) : MINUTE_NANOS;
        restUntilNanos = nowNanos + restNanos;
        resting = true;
        hasRested = true;
        causes.clear();
        return restNanos;
    }

    /** Begins anew. */
    public synchronized void reset() {
        causes.clear();
        resting = false;
        hasRested = false;
    }
}

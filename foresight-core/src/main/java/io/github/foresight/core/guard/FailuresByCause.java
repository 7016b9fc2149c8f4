/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A feature's failures by their cause. A feature rests for some time when one cause occurs too often within a minute,
 * and resumes by itself.
 *
 * <p>The first rest lasts a minute. If a cause again occurs too often within a minute after the rest, the next rest is
 * twice as long, up to an hour. At most {@value #CAUSES_MAX} causes are distinguished; all further causes count as one.
 * The numbers are chosen, not measured.
 *
 * <p>Constant time. A feature that does not rest costs one volatile read for each call, also after a rest that was
 * {@linkplain #endRest ended}. Thread-safe.
 */
public final class FailuresByCause {

    static final int CAUSES_MAX = 64;
    static final long MINUTE_NANOS = 60_000_000_000L;
    static final long REST_MAX_NANOS = 60 * MINUTE_NANOS;

    private static final String OTHERS = "";

    /** The failures of a cause within its minute. */
    private static final class Count {
        long beginNanos;
        int failures;
    }

    private final int maxPerMinute;
    private volatile boolean resting;

    @GuardedBy("this")
    private final Map<String, Count> causes = new HashMap<>();

    /** Whether the feature has rested since the start, so that there is a last rest. */
    @GuardedBy("this")
    private boolean hasRested;

    @GuardedBy("this")
    private long restUntilNanos;

    @GuardedBy("this")
    private long restNanos;

    /**
     * Makes counts without failures.
     *
     * @param maxPerMinute the most failures of one cause within a minute, at least 1
     */
    public FailuresByCause(int maxPerMinute) {
        if (maxPerMinute < 1) {
            throw new IllegalArgumentException("maxPerMinute must be at least 1: " + maxPerMinute);
        }
        this.maxPerMinute = maxPerMinute;
    }

    /**
     * Whether the feature may be resting. If not, the caller need not read a clock. Also true after a rest, until
     * {@link #endRest} is called.
     */
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

    /** Ends a rest whose time has passed, so that callers need not read a clock any longer. */
    public synchronized void endRest(long nowNanos) {
        resting = isRestingAt(nowNanos);
    }

    /**
     * Counts a failure.
     *
     * @param cause equal for failures of the same cause
     * @param nowNanos of any steady clock
     * @return the rest that begins now, nanoseconds; 0 if the feature continues or already rests
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

    /** Removes all failures and rests. */
    public synchronized void reset() {
        causes.clear();
        resting = false;
        hasRested = false;
    }
}

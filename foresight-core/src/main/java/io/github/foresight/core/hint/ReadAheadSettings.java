/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** The bounds of a DataNode's read-ahead; immutable and thread-safe. */
public final class ReadAheadSettings {

    private final int maxSessions;
    private final int maxTrackedBlocks;
    private final double callerShare;
    private final int firstDepth;
    private final int maxDepth;
    private final long idleNanos;
    private final long yieldNanos;
    private final long rampBytes;
    private final long advanceBytes;

    private ReadAheadSettings(Builder builder) {
        this.maxSessions = atLeast("maxSessions", builder.maxSessions, 1);
        this.maxTrackedBlocks = atLeast("maxTrackedBlocks", builder.maxTrackedBlocks, 1);
        if (!(builder.callerShare > 0 && builder.callerShare <= 1)) {
            throw new IllegalArgumentException("callerShare must be above 0 and at most 1: " + builder.callerShare);
        }
        this.callerShare = builder.callerShare;
        this.firstDepth = atLeast("firstDepth", builder.firstDepth, 1);
        this.maxDepth = atLeast("maxDepth", builder.maxDepth, 1);
        this.idleNanos = atLeast("idleNanos", builder.idleNanos, 1);
        this.yieldNanos = atLeast("yieldNanos", builder.yieldNanos, 0);
        this.rampBytes = atLeast("rampBytes", builder.rampBytes, 1);
        this.advanceBytes = atLeast("advanceBytes", builder.advanceBytes, 1);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The most sessions. */
    public int maxSessions() {
        return maxSessions;
    }

    /** The most block records over all sessions. */
    public int maxTrackedBlocks() {
        return maxTrackedBlocks;
    }

    /** The share of the sessions, and of the block records, that a caller may keep while other callers need room. */
    public double callerShare() {
        return callerShare;
    }

    /** The depth of a session whose reader has not arrived at a second block; {@link #maxDepth()} bounds it. */
    public int firstDepth() {
        return firstDepth;
    }

    /** The most unread blocks of one session that are prefetched at once. */
    public int maxDepth() {
        return maxDepth;
    }

    /** A session ends after this time without a hint and without a read byte. */
    public long idleNanos() {
        return idleNanos;
    }

    /** A session without an open stream for this time yields its room to a new session. */
    public long yieldNanos() {
        return yieldNanos;
    }

    /** The bytes that a prefetch runs ahead of a reader without sequential progress. */
    public long rampBytes() {
        return rampBytes;
    }

    /** The sent bytes after which a block counts as read. */
    public long advanceBytes() {
        return advanceBytes;
    }

    private static int atLeast(String name, int value, int min) {
        return (int) atLeast(name, (long) value, min);
    }

    private static long atLeast(String name, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(name + " must be at least " + min + ": " + value);
        }
        return value;
    }

    /**
     * Collects settings. The initial values are chosen, not measured; in a DataNode configuration keys set all values
     * except the bytes after which a block counts as read.
     */
    public static final class Builder {
        private int maxSessions = 4096;
        private int maxTrackedBlocks = 65_536;
        private double callerShare = 1;
        private int firstDepth = 1;
        private int maxDepth = 4;
        private long idleNanos = 60_000_000_000L;
        private long yieldNanos = 5_000_000_000L;
        private long rampBytes = 4L << 20;
        private long advanceBytes = 1L << 20;

        private Builder() {}

        @CanIgnoreReturnValue
        public Builder maxSessions(int value) {
            this.maxSessions = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder maxTrackedBlocks(int value) {
            this.maxTrackedBlocks = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder callerShare(double value) {
            this.callerShare = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder firstDepth(int value) {
            this.firstDepth = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder maxDepth(int value) {
            this.maxDepth = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder idleNanos(long value) {
            this.idleNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder yieldNanos(long value) {
            this.yieldNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder rampBytes(long value) {
            this.rampBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder advanceBytes(long value) {
            this.advanceBytes = value;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @throws IllegalArgumentException if a setting is out of range; the message names the setting
         */
        public ReadAheadSettings build() {
            return new ReadAheadSettings(this);
        }
    }
}

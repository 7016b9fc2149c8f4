/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Bounds of a DataNode's read-ahead; immutable and thread-safe. */
public final class ReadAheadSettings {

    private final int maxSessions;
    private final int maxTrackedBlocks;
    private final double callerShare;
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
        this.maxDepth = atLeast("maxDepth", builder.maxDepth, 1);
        this.idleNanos = atLeast("idleNanos", builder.idleNanos, 1);
        this.yieldNanos = atLeast("yieldNanos", builder.yieldNanos, 0);
        this.rampBytes = atLeast("rampBytes", builder.rampBytes, 1);
        this.advanceBytes = atLeast("advanceBytes", builder.advanceBytes, 1);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Sessions known at once. */
    public int maxSessions() {
        return maxSessions;
    }

    /** Block records over all sessions. */
    public int maxTrackedBlocks() {
        return maxTrackedBlocks;
    }

    /** Which part of the sessions, and of the block records, a caller may have while other callers need them. */
    public double callerShare() {
        return callerShare;
    }

    /** How many unread blocks of one session may be prefetched at once. */
    public int maxDepth() {
        return maxDepth;
    }

    /** A session without a hint or a byte read for this long ends. */
    public long idleNanos() {
        return idleNanos;
    }

    /** A session without an open stream for this long leaves where a new one needs its place. */
    public long yieldNanos() {
        return yieldNanos;
    }

    /** How far prefetch runs in front of a reader that has not yet shown sequential progress. */
    public long rampBytes() {
        return rampBytes;
    }

    /** A block counts as being read once this much of it has been sent. */
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

    /** Collects settings; what is not set has the default given here. */
    public static final class Builder {
        private int maxSessions = 4096;
        private int maxTrackedBlocks = 65_536;
        private double callerShare = 1;
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
         * @throws IllegalArgumentException naming the setting that is out of range
         */
        public ReadAheadSettings build() {
            return new ReadAheadSettings(this);
        }
    }
}

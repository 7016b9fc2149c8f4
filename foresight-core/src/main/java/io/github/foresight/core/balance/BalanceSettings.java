/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Bounds and thresholds of {@link NodeLoads} and {@link ReplicaOrder}; immutable and thread-safe. */
public final class BalanceSettings {

    static final int MOST_DISTINCT_BLOCKS = 64;

    private static final long MILLISECOND = 1_000_000L;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long HOUR = 3600 * SECOND;

    private final int distinctBlocks;
    private final double overloadFactor;
    private final double yieldFactor;
    private final int overloadMinimum;
    private final long halfLifeNanos;
    private final long forgetNanos;
    private final int maxNodes;
    private final int maxRemembered;

    private BalanceSettings(Builder builder) {
        this.distinctBlocks = (int) inRange("distinctBlocks", builder.distinctBlocks, 0, MOST_DISTINCT_BLOCKS);
        this.overloadFactor = factor("overloadFactor", builder.overloadFactor);
        this.yieldFactor = factor("yieldFactor", builder.yieldFactor);
        this.overloadMinimum = (int) inRange("overloadMinimum", builder.overloadMinimum, 0, Integer.MAX_VALUE);
        this.halfLifeNanos = inRange("halfLifeNanos", builder.halfLifeNanos, MILLISECOND, HOUR);
        this.forgetNanos = inRange("forgetNanos", builder.forgetNanos, 1, Long.MAX_VALUE);
        this.maxNodes = (int) inRange("maxNodes", builder.maxNodes, 1, 1 << 24);
        this.maxRemembered = (int) inRange("maxRemembered", builder.maxRemembered, 0, 1 << 26);
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Of so many blocks in a row no two start at the same DataNode, where their replicas allow it; in [0, 64], and 0 and 1 leave
     * them as load will have it. SSPF's n, plus one: it looks at the n blocks before.
     */
    public int distinctBlocks() {
        return distinctBlocks;
    }

    /**
     * A DataNode whose load is above so many times the mean, and so many times that of another at the same distance, gives way to
     * it even where that lets blocks in a row share one; at least 1, or 0 for never.
     */
    public double overloadFactor() {
        return overloadFactor;
    }

    /**
     * Where the load of each DataNode at a distance is above so many times the mean, and so many times that of one farther away,
     * they give way to it; at least 1, or 0 for never.
     */
    public double yieldFactor() {
        return yieldFactor;
    }

    /** Reads at once up to which no DataNode counts as overloaded, whatever the mean; at least 0. */
    public int overloadMinimum() {
        return overloadMinimum;
    }

    /** After so long a read that was handed out counts half; in [1 ms, 1 h]. */
    public long halfLifeNanos() {
        return halfLifeNanos;
    }

    /** A DataNode that sends no heartbeat for so long is forgotten; at least 1. */
    public long forgetNanos() {
        return forgetNanos;
    }

    /** DataNodes known at once; in [1, 2^24]. */
    public int maxNodes() {
        return maxNodes;
    }

    /**
     * First locations kept so that a reader's next request goes on where its last one ended, {@link #distinctBlocks} less one per
     * request, 8 bytes each, rounded up to a power of two; in [0, 2^26], and 0 begins every request anew.
     */
    public int maxRemembered() {
        return maxRemembered;
    }

    private static long inRange(String name, long value, long min, long max) {
        if (value >= min && value <= max) {
            return value;
        }
        String range = max == Long.MAX_VALUE ? "at least " + min : "in [" + min + ", " + max + "]";
        throw new IllegalArgumentException(name + " must be " + range + ": " + value);
    }

    private static double factor(String name, double value) {
        if (value == 0 || (value >= 1 && value < Double.POSITIVE_INFINITY)) {
            return value;
        }
        throw new IllegalArgumentException(name + " must be 0, or finite and at least 1: " + value);
    }

    /** Collects settings; what is not set has the default given here. */
    public static final class Builder {
        private int distinctBlocks = 3;
        private double overloadFactor = 2;
        private double yieldFactor = 0;
        private int overloadMinimum = 64;
        private long halfLifeNanos = SECOND;
        private long forgetNanos = 600 * SECOND;
        private int maxNodes = 16_384;
        private int maxRemembered = 65_536;

        private Builder() {}

        @CanIgnoreReturnValue
        public Builder distinctBlocks(int value) {
            this.distinctBlocks = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder overloadFactor(double value) {
            this.overloadFactor = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder yieldFactor(double value) {
            this.yieldFactor = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder overloadMinimum(int value) {
            this.overloadMinimum = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder halfLifeNanos(long value) {
            this.halfLifeNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder forgetNanos(long value) {
            this.forgetNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder maxNodes(int value) {
            this.maxNodes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder maxRemembered(int value) {
            this.maxRemembered = value;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @throws IllegalArgumentException naming the setting that is out of range
         */
        public BalanceSettings build() {
            return new BalanceSettings(this);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Bounds and thresholds of {@link NodeLoads} and {@link ReplicaOrder}; immutable and thread-safe. */
public final class BalanceSettings {

    /** The most distinct blocks: {@link ReplicaOrder} holds their overlaps in the bits of one long. */
    static final int MOST_DISTINCT_BLOCKS = 64;

    private static final long MILLISECOND = 1_000_000L;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long HOUR = 3600 * SECOND;

    private final int distinctBlocks;
    private final int evenBlocks;
    private final double overloadFactor;
    private final double yieldFactor;
    private final int overloadMinimum;
    private final long halfLifeNanos;
    private final long forgetNanos;
    private final int maxNodes;
    private final int maxRemembered;

    private BalanceSettings(Builder builder) {
        this.distinctBlocks = (int) inRange("distinctBlocks", builder.distinctBlocks, 0, MOST_DISTINCT_BLOCKS);
        this.evenBlocks = (int) inRange("evenBlocks", builder.evenBlocks, 0, MOST_DISTINCT_BLOCKS);
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
     * The number of consecutive blocks that start at different DataNodes where their replicas allow it; in [0, 64].
     * With 0 and 1 only load counts. This is SSPF's n plus one, because the paper counts the n blocks before a block.
     */
    public int distinctBlocks() {
        return distinctBlocks;
    }

    /**
     * The most blocks of a request that are spread evenly, even where blocks that are two or more apart then share a
     * DataNode; in [0, 64]. A client's open asks for ten.
     */
    public int evenBlocks() {
        return evenBlocks;
    }

    /**
     * The factor for overload within one distance; at least 1, or 0 for never. A DataNode is overloaded if its load
     * exceeds two loads by this factor: the mean, and the load of another DataNode at the same distance. The overloaded
     * DataNode yields to the other, even if consecutive blocks then share the other.
     */
    public double overloadFactor() {
        return overloadFactor;
    }

    /**
     * The factor for yielding to farther DataNodes; at least 1, or 0 for never. The DataNodes at a distance yield if
     * the load of each exceeds two loads by this factor: the mean, and the load of a farther DataNode.
     */
    public double yieldFactor() {
        return yieldFactor;
    }

    /** A DataNode with at most this many concurrent reads is never overloaded, whatever the mean; at least 0. */
    public int overloadMinimum() {
        return overloadMinimum;
    }

    /** The time after which a handed-out read counts half; in [1 ms, 1 h]. */
    public long halfLifeNanos() {
        return halfLifeNanos;
    }

    /** A DataNode without a heartbeat for this time is forgotten; at least 1. */
    public long forgetNanos() {
        return forgetNanos;
    }

    /** The most known DataNodes; in [1, 2^24]. */
    public int maxNodes() {
        return maxNodes;
    }

    /**
     * The most remembered first locations, by which a reader's next request continues its last request; in [0, 2^26]. A
     * request remembers {@link #distinctBlocks} minus one locations of 8 bytes each. The number is rounded up to a
     * power of two. With 0 each request begins anew.
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

    /**
     * Collects settings. The default half-life follows from the simulation in ADR 0013; the other defaults are chosen,
     * not measured. A NameNode uses them except for the distinct blocks, which have a configuration key.
     */
    public static final class Builder {
        private int distinctBlocks = 3;
        private int evenBlocks = 32;
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
        public Builder evenBlocks(int value) {
            this.evenBlocks = value;
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
         * @throws IllegalArgumentException if a setting is out of range; the message names the setting
         */
        public BalanceSettings build() {
            return new BalanceSettings(this);
        }
    }
}

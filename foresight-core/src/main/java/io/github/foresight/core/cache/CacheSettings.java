/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bounds and times of a {@link MultiQueueCache}; immutable and thread-safe. */
public final class CacheSettings {

    /** The chunks of a cache by default; chosen, not measured. */
    private static final int CHUNKS = 64;

    private final long capacityBytes;
    private final long chunkBytes;
    private final long retryNanos;
    private final long idleNanos;
    private final long unaccessedMaxNanos;
    private final long reassignPeriodNanos;
    private final double reassignThreshold;
    private final long reassignMinHits;
    private final int maxEntries;
    private final CachingPolicyKind policy;

    private CacheSettings(Builder builder) {
        this.capacityBytes = inRange("capacityBytes", builder.capacityBytes, 1, Long.MAX_VALUE);
        this.chunkBytes = builder.chunkBytes == null
                ? Math.max(capacityBytes / CHUNKS, 1)
                : inRange("chunkBytes", builder.chunkBytes, 1, capacityBytes);
        this.retryNanos = inRange("retryNanos", builder.retryNanos, 0, Long.MAX_VALUE);
        this.idleNanos = inRange("idleNanos", builder.idleNanos, 1, Long.MAX_VALUE);
        this.unaccessedMaxNanos = inRange("unaccessedMaxNanos", builder.unaccessedMaxNanos, 1, Long.MAX_VALUE);
        this.reassignPeriodNanos = inRange("reassignPeriodNanos", builder.reassignPeriodNanos, 1, Long.MAX_VALUE);
        if (!(builder.reassignThreshold >= 0 && builder.reassignThreshold < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "reassignThreshold must be finite and at least 0: " + builder.reassignThreshold);
        }
        this.reassignThreshold = builder.reassignThreshold;
        this.reassignMinHits = inRange("reassignMinHits", builder.reassignMinHits, 0, Long.MAX_VALUE);
        this.maxEntries = (int) inRange("maxEntries", builder.maxEntries, 1, Integer.MAX_VALUE);
        this.policy = Objects.requireNonNull(builder.policy, "policy");
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The memory of all blocks together, at least 1. */
    public long capacityBytes() {
        return capacityBytes;
    }

    /** The region of a queue whose hits are compared, and the share that one reassignment moves; in [1, capacity]. */
    public long chunkBytes() {
        return chunkBytes;
    }

    /** The time for which a read block stays for a client that repeats its request; 0 evicts the block at once. */
    public long retryNanos() {
        return retryNanos;
    }

    /** A popular block is evicted after this time without a hit, at least 1. */
    public long idleNanos() {
        return idleNanos;
    }

    /** After this time an unread prefetched block may be evicted for another prefetch, at least 1. */
    public long unaccessedMaxNanos() {
        return unaccessedMaxNanos;
    }

    /** The period after which the benefits of the queues are compared, at least 1. */
    public long reassignPeriodNanos() {
        return reassignPeriodNanos;
    }

    /**
     * A share moves only if the higher benefit exceeds the lower by more than this fraction of the lower, at least 0.
     */
    public double reassignThreshold() {
        return reassignThreshold;
    }

    /** A share moves only if the higher benefit exceeds this number of hits, at least 0. */
    public long reassignMinHits() {
        return reassignMinHits;
    }

    /** The most blocks in all queues together, at least 1. */
    public int maxEntries() {
        return maxEntries;
    }

    /** The policy by which the caching queue chooses its victims. */
    public CachingPolicyKind policy() {
        return policy;
    }

    private static long inRange(String name, long value, long min, long max) {
        if (value >= min && value <= max) {
            return value;
        }
        String range = max == Long.MAX_VALUE ? "at least " + min : "in [" + min + ", " + max + "]";
        throw new IllegalArgumentException(name + " must be " + range + ": " + value);
    }

    /**
     * Collects settings. The capacity must be set. The initial values of the others are chosen, not measured; in a
     * DataNode the configuration keys set most of them.
     */
    public static final class Builder {
        private static final long SECOND = 1_000_000_000L;

        private long capacityBytes;
        private @Nullable Long chunkBytes;
        private long retryNanos = 60 * SECOND;
        private long idleNanos = 600 * SECOND;
        private long unaccessedMaxNanos = 120 * SECOND;
        private long reassignPeriodNanos = 10 * SECOND;
        private double reassignThreshold = 0.20;
        private long reassignMinHits = 5;
        private int maxEntries = 65_536;
        private CachingPolicyKind policy = CachingPolicyKind.W_TINYLFU;

        private Builder() {}

        @CanIgnoreReturnValue
        public Builder capacityBytes(long value) {
            this.capacityBytes = value;
            return this;
        }

        /** The default is a 64th of the capacity, and at least one byte. */
        @CanIgnoreReturnValue
        public Builder chunkBytes(long value) {
            this.chunkBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder retryNanos(long value) {
            this.retryNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder idleNanos(long value) {
            this.idleNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder unaccessedMaxNanos(long value) {
            this.unaccessedMaxNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder reassignPeriodNanos(long value) {
            this.reassignPeriodNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder reassignThreshold(double value) {
            this.reassignThreshold = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder reassignMinHits(long value) {
            this.reassignMinHits = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder maxEntries(int value) {
            this.maxEntries = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder policy(CachingPolicyKind value) {
            this.policy = value;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @throws IllegalArgumentException if a setting is out of range; the message names the setting
         */
        public CacheSettings build() {
            return new CacheSettings(this);
        }
    }
}

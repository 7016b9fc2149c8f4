/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

/** The limits of a NameNode's layout leases. Immutable. */
public final class LeaseSettings {

    private final long leaseNanos;
    private final long marginNanos;
    private final long ageMaxNanos;
    private final long capacityBytes;
    private final int sessionsMax;
    private final int sessionFilesMax;
    private final int holdersMax;
    private final int recallsMax;
    private final int scanMax;
    private final double userShare;

    private LeaseSettings(Builder builder) {
        leaseNanos = atLeast("leaseNanos", builder.leaseNanos, 1);
        marginNanos = atLeast("marginNanos", builder.marginNanos, 0);
        ageMaxNanos = atLeast("ageMaxNanos", builder.ageMaxNanos, 1);
        capacityBytes = atLeast("capacityBytes", builder.capacityBytes, 0);
        sessionsMax = (int) atLeast("sessionsMax", builder.sessionsMax, 1);
        sessionFilesMax = (int) atLeast("sessionFilesMax", builder.sessionFilesMax, 0);
        holdersMax = (int) atLeast("holdersMax", builder.holdersMax, 1);
        recallsMax = (int) atLeast("recallsMax", builder.recallsMax, 1);
        scanMax = (int) atLeast("scanMax", builder.scanMax, 1);
        userShare = builder.userShare;
        if (!(userShare > 0 && userShare <= 1)) {
            throw new IllegalArgumentException("userShare must be above 0 and at most 1: " + userShare);
        }
    }

    private static long atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
        return value;
    }

    /** Begins with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How long a client may use cached layouts, from when it sent the request that last renewed its lease, by its own clock. */
    public long leaseNanos() {
        return leaseNanos;
    }

    /** How much longer the NameNode waits by its own clock; covers the drift of two clocks over one lease. */
    public long marginNanos() {
        return marginNanos;
    }

    /** How long a client keeps one layout at most, from when it asked. After two such ages the NameNode forgets the grant. */
    public long ageMaxNanos() {
        return ageMaxNanos;
    }

    /** How much memory grants and sessions take at most, an estimate in bytes. */
    public long capacityBytes() {
        return capacityBytes;
    }

    /** How many clients have leases at most. */
    public int sessionsMax() {
        return sessionsMax;
    }

    /** How many files one client holds at most, counted in each age. */
    public int sessionFilesMax() {
        return sessionFilesMax;
    }

    /** How many clients hold one file at most. */
    public int holdersMax() {
        return holdersMax;
    }

    /** How many recalls wait for one client at most; beyond that the client is recalled everything. */
    public int recallsMax() {
        return recallsMax;
    }

    /** How many granted files below a changed directory are looked at; beyond that every client is recalled the directory. */
    public int scanMax() {
        return scanMax;
    }

    /** What part of the memory and of the clients one user may have once half of all is used up. */
    public double userShare() {
        return userShare;
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder {

        // Ten seconds: as long as the HDFS client's shortest time-outs, so that a dead holder delays a change no longer
        // than those.
        private long leaseNanos = 10_000_000_000L;

        // Enough for clocks that drift apart by two per cent over a lease; real ones drift by less than a thousandth.
        private long marginNanos = 500_000_000L;

        private long ageMaxNanos = 600_000_000_000L;
        private long capacityBytes = 64L << 20;
        private long sessionsMax = 20_000;
        private long sessionFilesMax = 20_000;
        private long holdersMax = 1_000;
        private long recallsMax = 64;
        private long scanMax = 1_000;
        private double userShare = 0.5;

        private Builder() {}

        public Builder leaseNanos(long nanos) {
            leaseNanos = nanos;
            return this;
        }

        public Builder marginNanos(long nanos) {
            marginNanos = nanos;
            return this;
        }

        public Builder ageMaxNanos(long nanos) {
            ageMaxNanos = nanos;
            return this;
        }

        public Builder capacityBytes(long bytes) {
            capacityBytes = bytes;
            return this;
        }

        public Builder sessionsMax(int sessions) {
            sessionsMax = sessions;
            return this;
        }

        public Builder sessionFilesMax(int files) {
            sessionFilesMax = files;
            return this;
        }

        public Builder holdersMax(int sessions) {
            holdersMax = sessions;
            return this;
        }

        public Builder recallsMax(int recalls) {
            recallsMax = recalls;
            return this;
        }

        public Builder scanMax(int files) {
            scanMax = files;
            return this;
        }

        public Builder userShare(double share) {
            userShare = share;
            return this;
        }

        /**
         * Ends it.
         *
         * @throws IllegalArgumentException if a value is out of its range; names it
         */
        public LeaseSettings build() {
            return new LeaseSettings(this);
        }
    }
}

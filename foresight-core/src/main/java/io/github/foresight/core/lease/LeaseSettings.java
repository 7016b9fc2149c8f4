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

    /** Makes a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The length of a lease. A client may use cached layouts for this time, by its own clock, after it sent the request
     * that last renewed its lease.
     */
    public long leaseNanos() {
        return leaseNanos;
    }

    /**
     * The additional time for which the NameNode waits, by its own clock; covers the drift of two clocks during one
     * lease.
     */
    public long marginNanos() {
        return marginNanos;
    }

    /**
     * The largest age of a layout with which clients open a file, counted from their request; each reply tells it. After two such times
     * and margins the NameNode has forgotten the grant.
     */
    public long ageMaxNanos() {
        return ageMaxNanos;
    }

    /** The most memory of grants and sessions, an estimate in bytes. */
    public long capacityBytes() {
        return capacityBytes;
    }

    /** The most clients with leases. */
    public int sessionsMax() {
        return sessionsMax;
    }

    /** The most files whose layouts one client holds, counted over two ages. */
    public int sessionFilesMax() {
        return sessionFilesMax;
    }

    /** The most clients that hold the layout of one file. */
    public int holdersMax() {
        return holdersMax;
    }

    /** The most recalls that wait for one client; more are replaced by one recall of the root. */
    public int recallsMax() {
        return recallsMax;
    }

    /**
     * The most granted files below a changed directory that are visited; with more files, the directory is recalled
     * from each client.
     */
    public int scanMax() {
        return scanMax;
    }

    /** The share of the memory, and of the clients, that one user may have once half of all is used. */
    public double userShare() {
        return userShare;
    }

    /** Collects settings. The defaults without another reason are chosen, not measured. Not thread-safe. */
    public static final class Builder {

        // Ten seconds: the shortest time-outs of the HDFS client. A dead holder delays a change by no more than these.
        private long leaseNanos = 10_000_000_000L;

        // Enough for clocks that drift apart by five per cent during a lease; real clocks drift by less than a
        // thousandth.
        private long marginNanos = 500_000_000L;

        private long ageMaxNanos = 10_000_000_000L;
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
         * Makes the settings.
         *
         * @throws IllegalArgumentException if a value is out of its range; the message names the value
         */
        public LeaseSettings build() {
            return new LeaseSettings(this);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** The part of a NameNode's reply that concerns the client's lease. Immutable. */
public final class LeaseReply {

    private final long epoch;
    private final long incarnation;
    private final long grantedAt;
    private final long recallsAfter;
    private final ImmutableList<String> recalls;
    private final boolean renewed;
    private final long leaseNanos;
    private final long layoutNanos;

    /**
     * Makes a reply, also from a message; any values are safe.
     *
     * @param grantedAt the last recall when the NameNode began to answer; later recalls apply to the layouts in this
     *     reply
     * @param recallsAfter the number of the recall before the first in {@code recalls}
     * @param recalls the recalled paths, numbered in sequence; each path stands for itself and all paths below it
     * @param renewed whether the lease begins anew with the answered request
     * @param leaseNanos the length of the lease from then on, by the client's clock
     * @param layoutNanos the largest age of a granted layout with which the client opens a file; counts from the client's request
     */
    public LeaseReply(
            long epoch,
            long incarnation,
            long grantedAt,
            long recallsAfter,
            List<String> recalls,
            boolean renewed,
            long leaseNanos,
            long layoutNanos) {
        this.epoch = epoch;
        this.incarnation = incarnation;
        this.grantedAt = grantedAt;
        this.recallsAfter = recallsAfter;
        this.recalls = ImmutableList.copyOf(recalls);
        this.renewed = renewed;
        this.leaseNanos = leaseNanos;
        this.layoutNanos = layoutNanos;
    }

    public long epoch() {
        return epoch;
    }

    public long incarnation() {
        return incarnation;
    }

    public long grantedAt() {
        return grantedAt;
    }

    public long recallsAfter() {
        return recallsAfter;
    }

    public ImmutableList<String> recalls() {
        return recalls;
    }

    /** The number of the last recall. */
    public long lastRecall() {
        return recallsAfter + recalls.size();
    }

    public boolean isRenewed() {
        return renewed;
    }

    public long leaseNanos() {
        return leaseNanos;
    }

    public long layoutNanos() {
        return layoutNanos;
    }

    @Override
    public String toString() {
        return Long.toHexString(epoch) + "/" + incarnation + "@" + grantedAt + " recalls after " + recallsAfter + ": "
                + recalls + (renewed ? " renewed" : "");
    }
}

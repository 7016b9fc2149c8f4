/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

/**
 * The recalls that a client has processed, as each of its requests states. Immutable.
 *
 * <p>An epoch is one activation of one NameNode. An incarnation is one record of the client in the table of that epoch.
 * If a NameNode has removed the record, the client's next record has another incarnation. Recalls count from 1 in each
 * incarnation.
 */
public final class LeaseMark {

    /** The mark of a client that has not yet had a lease. */
    public static final LeaseMark NONE = new LeaseMark(0, 0, 0);

    private final long epoch;
    private final long incarnation;
    private final long recall;

    /** Makes a mark from a message; any values are safe. */
    public LeaseMark(long epoch, long incarnation, long recall) {
        this.epoch = epoch;
        this.incarnation = incarnation;
        this.recall = recall;
    }

    public long epoch() {
        return epoch;
    }

    public long incarnation() {
        return incarnation;
    }

    /** The last processed recall; all earlier recalls were processed, too. */
    public long recall() {
        return recall;
    }

    boolean isOf(long otherEpoch, long otherIncarnation) {
        return epoch == otherEpoch && incarnation == otherIncarnation;
    }

    @Override
    public String toString() {
        return Long.toHexString(epoch) + "/" + incarnation + "#" + recall;
    }
}

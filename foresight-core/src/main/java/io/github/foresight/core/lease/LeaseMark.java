/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

/**
 * How far a client has processed recalls, as each of its requests says. Immutable.
 *
 * <p>An epoch is one activation of one NameNode. An incarnation is one record of the client in that epoch's table: a NameNode that has
 * forgotten a client gives it another. Recalls count from 1 in each incarnation.
 */
public final class LeaseMark {

    /** A client that has heard of no lease yet. */
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

    /** The last recall that was processed; all before it were, too. */
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

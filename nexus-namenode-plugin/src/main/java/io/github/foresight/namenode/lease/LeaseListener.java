/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

/** Counts what happens to leases. Thread-safe; called with a lock held, so it must be brief. */
public interface LeaseListener {

    /** A layout was granted. */
    void granted();

    /** A layout was not granted: it was being changed, or a limit was reached. */
    void grantRefused();

    /** A client got no lease, as there were too many. */
    void sessionRefused();

    /** A recall was sent to a number of clients. */
    void recalled(int sessions);

    /** A change waits for clients. */
    void changeWaits();

    /** A change that has waited is ready. */
    void changeReady(long waitedNanos);

    /** A change was refused, as too many wait. */
    void changeRefused();

    /** A change went to HDFS without a recall, as its caller has none of the rights that any change needs. */
    void changeWithoutRights();

    /** A change by another way than our service was noticed after HDFS had carried it out. */
    void changeElsewhere();

    /** A call was not to wait, as too many do. */
    void parkRefused();

    /** Foresight itself has failed; all leases are given up. */
    void failed(Throwable cause);
}

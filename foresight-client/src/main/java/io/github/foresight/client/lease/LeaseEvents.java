/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

/** Counts what happens to this JVM's leases. Thread-safe. */
public interface LeaseEvents {

    /** A reply has renewed a lease. */
    void renewed();

    /** A reply has recalled paths. */
    void recalled(int paths, int layouts);

    /** A layout was not used because the lease had run out. */
    void expired();

    /** A call was parked at the NameNode. */
    void parked();

    /** A parked call has failed. */
    void parkFailed();

    /** Something of ours has failed; HDFS goes on as without it. */
    void failed(Throwable failure);
}

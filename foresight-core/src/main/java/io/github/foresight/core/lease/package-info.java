/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Layout leases: a client opens files from its cached layouts, with the same results as in stock HDFS.
 *
 * <p>{@link io.github.foresight.core.lease.NameNodeLeases} is the NameNode's side: it records which client holds which
 * layout, and recalls a layout before the file changes. {@link io.github.foresight.core.lease.ClientLease} is the
 * client's side: it decides until when cached layouts may be used, and which layouts in replies are stale.
 *
 * <p>The design follows the write-invalidate consistency of Nexus (Gu et al., section 4.4 and Fig. 16). The leases are
 * those of Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed file cache consistency"
 * (SOSP 1989).
 *
 * <p>A layout lease is not the lease of a writer that HDFS's {@code LeaseManager} keeps.
 */
package io.github.foresight.core.lease;

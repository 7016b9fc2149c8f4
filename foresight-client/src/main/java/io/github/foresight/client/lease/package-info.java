/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The client's leases on layouts: {@link io.github.foresight.client.lease.LeaseHub} is what this JVM knows of its lease with one NameNode,
 * and {@link io.github.foresight.client.lease.LeaseMember} one connection's part in it. The decisions are those of {@link
 * io.github.foresight.core.lease.ClientLease}.
 */
package io.github.foresight.client.lease;

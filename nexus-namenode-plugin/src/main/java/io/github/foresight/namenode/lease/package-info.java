/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Layout leases in a NameNode: {@link io.github.foresight.namenode.lease.LayoutLeases} keeps
 * {@link io.github.foresight.core.lease.NameNodeLeases} for as long as the NameNode is active, with the changes and the calls of clients that
 * wait. {@link io.github.foresight.namenode.lease.RecallingService} stands in front of HDFS's service of client RPCs and has each change
 * wait for its recalls.
 */
package io.github.foresight.namenode.lease;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Foresight in a NameNode: {@link io.github.foresight.namenode.ForesightPlugin} starts all parts, {@link
 * io.github.foresight.namenode.ChangeAuditLogger} receives HDFS's audit events. The configuration names these two classes.
 *
 * <p>An open takes this way through the packages:
 *
 * <pre>
 *   rpc ──> client ──> learn ──> prefetch ──> layout ──> reply to the client
 *    │     caller and  graph of   group of     message
 *    │     session     successors files        of a layout
 *    ├──> lease        grants and recalls of the layout
 *    └──> balance      order of the replicas
 *
 *   change       changes of the namespace, and the cache entries that they invalidate
 *   audit        the lines of grants and of opens that clients served
 *   checkpoint   the graph on disk and in HDFS
 *   guard        the switch and the failure limit of each feature
 * </pre>
 *
 * <p>{@code admin}, {@code settings} and {@code metrics} are the operator's view.
 */
package io.github.foresight.namenode;

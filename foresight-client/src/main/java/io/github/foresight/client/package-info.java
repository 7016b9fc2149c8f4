/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HDFS client's side: opens are answered from memory, DataNodes get hints of coming reads, and reads go to prefetched replicas and
 * windows.
 *
 * <pre>
 *   file system ─ stream ──── an open: its layout from memory or reply, its replicas
 *                   │
 *   namenode ───────┼─ metadata ─ lease   calls to the NameNode, layouts in memory
 *                   ├─ window             random reads go to the node of a window
 *                   └─ hint               open files, and the hints about them
 * </pre>
 *
 * <p>Four classes stand in configurations: {@link io.github.foresight.client.ForesightFileSystem}, {@link
 * io.github.foresight.client.ForesightFs}, {@link io.github.foresight.client.ForesightProxyProvider} for applications that use HDFS's
 * client alone, and {@link io.github.foresight.client.ReadObserver}, which sees the block that a stream opens. Packages {@code settings},
 * {@code metrics} and {@code caller} serve all others.
 */
package io.github.foresight.client;

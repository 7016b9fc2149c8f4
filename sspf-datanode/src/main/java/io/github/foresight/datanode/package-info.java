/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The DataNode's side of SSPF: takes hints, watches reads, and prefetches blocks into the page cache.
 *
 * <pre>
 *   hint RPC ─── hint ──────┐
 *   HDFS's reads ─ stream ──┼─ prefetch ─ lane ─ pagecache
 *   windows ──── window ────┘       └───── replica, packs
 *   HDFS's writes ─ prealloc ─ space
 * </pre>
 *
 * <p>{@link io.github.foresight.datanode.DataNodeReadAhead} starts and ends the parts. Packages {@code settings}, {@code metrics} and {@code
 * guard} serve all of them. The data set that HDFS loads is in HDFS's own package, for its constructor is package-private there.
 */
package io.github.foresight.datanode;

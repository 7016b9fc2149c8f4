/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The DataNode's side of SSPF: takes hints, watches reads, and prefetches blocks into the page cache.
 *
 * <ul>
 *   <li>{@link io.github.foresight.datanode.BlockReadAhead} joins the decisions of {@code foresight-core} to HDFS.
 *   <li>{@link io.github.foresight.datanode.BlockPrefetcher} carries the decisions out.
 *   <li>{@link io.github.foresight.datanode.VolumeLane} does the disk work of one volume.
 *   <li>{@link io.github.foresight.datanode.HintService} answers the hint RPC.
 *   <li>{@link io.github.foresight.datanode.ObservedBlockInputStream} sees the reads of one block.
 * </ul>
 *
 * <p>The data set that HDFS loads is in HDFS's own package, for its constructor is package-private there.
 */
package io.github.foresight.datanode;

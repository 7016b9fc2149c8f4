/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The NameNode's side of NBJLOFS: one node, a file's replica node, holds a replica of each of its blocks.
 *
 * <p>{@link io.github.foresight.placement.OrthogonalPlacementPolicy} is what the configuration names. It asks {@link
 * io.github.foresight.placement.FileNumbers} which file a path is and {@link io.github.foresight.placement.ClusterNodes} which node
 * holds that file, and leaves everything else to HDFS's default policy.
 */
package io.github.foresight.placement;

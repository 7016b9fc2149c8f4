/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Orthogonal placement of NBJLOFS in the NameNode: a file's replica node holds a replica of each block of the file.
 *
 * <p>HDFS's configuration names {@link io.github.foresight.placement.OrthogonalPlacementPolicy}. This policy finds the file in {@link
 * io.github.foresight.placement.PlacedFiles} and the nodes in {@link io.github.foresight.placement.ClusterNodes}. The policy leaves all other
 * decisions to its base policy.
 */
package io.github.foresight.placement;

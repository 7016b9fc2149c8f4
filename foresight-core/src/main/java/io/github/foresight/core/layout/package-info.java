/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The placement of a file's blocks: one node, the replica node, holds a replica of each block, and the originals are on
 * other nodes.
 *
 * <p>{@link io.github.foresight.core.layout.ReplicaNodes} selects a file's replica node and its stand-in nodes.
 * {@link io.github.foresight.core.layout.ReplicaMoves} selects the replicas that must move, for a file with another
 * placement. {@link io.github.foresight.core.layout.MigrationStrategy} and
 * {@link io.github.foresight.core.layout.RepartitionStrategy} are the paper's two strategies that keep originals away
 * from the replica node. Follows NBJLOFS (Sui et al.), section 3.1.
 */
package io.github.foresight.core.layout;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Where a file's blocks belong: one node, its replica node, holds a replica of each, the originals lie on others.
 *
 * <p>{@link io.github.foresight.core.layout.ReplicaNodes} names a file's replica node and those that stand in for it;
 * {@link io.github.foresight.core.layout.ReplicaMoves} says which replicas of a file that is laid out otherwise must move; {@link
 * io.github.foresight.core.layout.MigrationStrategy} and {@link io.github.foresight.core.layout.RepartitionStrategy} are the
 * paper's two ways of keeping originals off the replica node. Follows NBJLOFS (Sui et al.), section 3.1.
 */
package io.github.foresight.core.layout;

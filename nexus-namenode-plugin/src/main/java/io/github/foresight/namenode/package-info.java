/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The NameNode's side of Nexus: who opens what after what, and what a client is told of what it will open next.
 *
 * <p>{@link io.github.foresight.namenode.ForesightPlugin} is what the configuration names. It puts {@link
 * io.github.foresight.namenode.ForesightTranslator} before HDFS's own RPC methods, which lets {@link
 * io.github.foresight.namenode.AccessLearner} know of opens, {@link io.github.foresight.namenode.PrefetchReplies} answer with groups,
 * {@link io.github.foresight.namenode.Invalidations} know of changes and {@link io.github.foresight.namenode.ReplicaBalancer} order
 * replicas.
 */
package io.github.foresight.namenode;

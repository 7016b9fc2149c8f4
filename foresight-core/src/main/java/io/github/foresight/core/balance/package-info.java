/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The NameNode's order of replicas: blocks that follow one another start at different DataNodes, idle ones first.
 *
 * <p>{@link io.github.foresight.core.balance.NodeLoads} knows how busy each DataNode is,
 * {@link io.github.foresight.core.balance.FileReplicas} carries one request's replicas in and their order out, and
 * {@link io.github.foresight.core.balance.ReplicaOrder} decides within
 * {@link io.github.foresight.core.balance.BalanceSettings}. Follows SSPF (Li et al.), section II.D.
 */
package io.github.foresight.core.balance;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The NameNode's order of replicas: consecutive blocks start at different DataNodes, idle DataNodes first.
 *
 * <p>{@link io.github.foresight.core.balance.NodeLoads} holds the load of each DataNode.
 * {@link io.github.foresight.core.balance.FileReplicas} carries one request's replicas and their order.
 * {@link io.github.foresight.core.balance.ReplicaOrder} decides within
 * {@link io.github.foresight.core.balance.BalanceSettings}. Follows SSPF (Li et al.), section II.D.
 */
package io.github.foresight.core.balance;

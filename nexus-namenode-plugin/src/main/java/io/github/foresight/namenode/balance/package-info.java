/* SPDX-License-Identifier: Apache-2.0 */
/** Orders the replicas of a block by load and overlap: {@link io.github.foresight.namenode.balance.ReplicaBalancer}. */
package io.github.foresight.namenode.balance;

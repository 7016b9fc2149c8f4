/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The client of an RPC: {@link io.github.foresight.namenode.client.KnownCallers} finds its {@link
 * io.github.foresight.namenode.client.Caller}, {@link io.github.foresight.namenode.client.ClientSession} holds its history, {@link
 * io.github.foresight.namenode.client.UsefulnessByUser} counts how its user's predictions ended.
 */
package io.github.foresight.namenode.client;

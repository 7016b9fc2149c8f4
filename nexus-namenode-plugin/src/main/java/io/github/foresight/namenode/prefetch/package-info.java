/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Predicts the files of a prefetch group: {@link io.github.foresight.namenode.prefetch.PrefetchReplies} returns them to clients
 * of Foresight, {@link io.github.foresight.namenode.prefetch.StockClientHints} hints their first blocks to DataNodes for stock clients.
 */
package io.github.foresight.namenode.prefetch;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The NameNode's metrics: {@link io.github.foresight.namenode.metrics.NameNodeMetrics} holds them, {@link
 * io.github.foresight.namenode.metrics.LeaseCounts} and {@link io.github.foresight.namenode.metrics.ReaderEvents} count for other parts.
 */
package io.github.foresight.namenode.metrics;

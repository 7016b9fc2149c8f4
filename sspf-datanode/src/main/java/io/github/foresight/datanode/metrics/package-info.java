/* SPDX-License-Identifier: Apache-2.0 */
/** The counters and gauges of the DataNode's read-ahead. */
package io.github.foresight.datanode.metrics;

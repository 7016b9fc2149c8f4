/* SPDX-License-Identifier: Apache-2.0 */
/** Counters for a client of a cluster, in the JVM of the client: {@link io.github.foresight.cluster.client.ClientCounters}. */
package io.github.foresight.cluster.client;

/* SPDX-License-Identifier: Apache-2.0 */
/** What a client of a cluster asks in its own JVM: {@link io.github.foresight.cluster.client.ClientCounters}. */
package io.github.foresight.cluster.client;

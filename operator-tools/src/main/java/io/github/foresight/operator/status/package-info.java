/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What Foresight does in a running cluster, or in a client's JVM, by the metrics that these show.
 *
 * <p>{@link io.github.foresight.operator.status.StatusCommand} is the command line. {@code WebServers} asks the daemons, {@code ClientJvm} a
 * client. {@code ClusterStatus} and {@code Figures} turn the answers into words.
 */
package io.github.foresight.operator.status;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How files lie on DataNodes, and the migration that gives each its replica node; works on a running cluster, as its client.
 *
 * <p>{@link io.github.foresight.operator.placement.PlacementCommand} is the command line, {@code Cluster} the connection to HDFS. A
 * migration has four steps:
 *
 * <ol>
 *   <li>{@code FileScan} walks the namespace.
 *   <li>{@code ClusterMap} names the replica node of each file as the NameNode's policy does.
 *   <li>{@code FilePlan} lists the necessary moves of a file.
 *   <li>{@code Migration} runs the moves within bounds, and {@code BlockMover} does one move by the protocol of the Balancer.
 * </ol>
 */
package io.github.foresight.operator.placement;

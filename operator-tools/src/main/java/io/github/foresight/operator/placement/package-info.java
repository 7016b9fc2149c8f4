/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of files on DataNodes, and the migration to the orthogonal layout. The commands are clients of a running cluster.
 *
 * <p>{@link io.github.foresight.operator.placement.PlacementCommand} is the command line. It opens a {@code Cluster}:
 *
 * <ul>
 *   <li>{@code FileScan} walks the namespace;
 *   <li>{@code ClusterMap} finds the replica node of a file by the rule of the NameNode's policy;
 *   <li>{@code FilePlan} plans the moves of a file;
 *   <li>{@code Migration} makes the moves within limits;
 *   <li>{@code BlockMover} makes one move with the Balancer's protocol.
 * </ul>
 */
package io.github.foresight.operator.placement;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A stock HDFS cluster on this machine: each daemon is a JVM of its own, with configuration files like an operator's.
 *
 * <p>{@link io.github.foresight.cluster.ProcessCluster} starts and stops the cluster. An {@link io.github.foresight.cluster.Installation} is
 * added to a daemon. {@link io.github.foresight.cluster.DiskThrottle} limits the speed of disks, and counts their reads;
 * {@link io.github.foresight.cluster.SlowLinks} limits the speed of the network.
 */
package io.github.foresight.cluster;

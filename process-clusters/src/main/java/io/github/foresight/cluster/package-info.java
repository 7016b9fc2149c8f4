/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A stock HDFS cluster on this machine: each daemon a JVM of its own, configured by files as an operator would.
 *
 * <p>{@link io.github.foresight.cluster.ProcessCluster} starts and stops it, {@link
 * io.github.foresight.cluster.Installation} is what is dropped into a daemon, {@link
 * io.github.foresight.cluster.DiskThrottle} makes its disks slow and counts their reads.
 */
package io.github.foresight.cluster;

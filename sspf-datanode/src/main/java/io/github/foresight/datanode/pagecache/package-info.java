/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Residency of files in the kernel's page cache: read ahead, pin, drop.
 *
 * <p>{@link io.github.foresight.datanode.pagecache.ResidentFile} is one file of which a growing part is in memory; {@link
 * io.github.foresight.datanode.pagecache.LinuxCalls} are the system calls, reached through JNA because not every cluster has
 * libhadoop.
 */
package io.github.foresight.datanode.pagecache;

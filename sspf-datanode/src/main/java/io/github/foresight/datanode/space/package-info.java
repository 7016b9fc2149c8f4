/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Disk space of one file: take it ahead of writes, see how much a file holds, free the space beyond its end.
 *
 * <p>{@link io.github.foresight.datanode.space.SpaceFile} is one open file; {@link
 * io.github.foresight.datanode.space.SpaceCalls} are the system calls, reached through JNA.
 */
package io.github.foresight.datanode.space;

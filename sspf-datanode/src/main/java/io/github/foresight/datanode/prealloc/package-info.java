/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Preallocation in the DataNode: replicas being written get their disk space in few pieces.
 *
 * <p>{@link io.github.foresight.datanode.prealloc.Preallocation} is the whole feature; {@link
 * io.github.foresight.datanode.prealloc.PreallocatingOutputStream} sees one replica's writes, {@link
 * io.github.foresight.datanode.prealloc.VolumeSpace} takes the space of one volume, {@link
 * io.github.foresight.datanode.prealloc.TailSweep} frees the space that a crash left behind. Follows MiF (Yi et al.), section III.
 */
package io.github.foresight.datanode.prealloc;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * On-demand preallocation: how much space in front of a writer is to be taken in one piece, so that writers at the same time do
 * not scatter one another's blocks over the disk.
 *
 * <p>{@link io.github.foresight.core.prealloc.WriteStream} follows one replica being written and asks for {@link
 * io.github.foresight.core.prealloc.Extent}s; {@link io.github.foresight.core.prealloc.WriteHistory} says with which window a
 * stream begins; {@link io.github.foresight.core.prealloc.VolumeAllowance} keeps all streams of a volume within its limits and
 * gives up on a volume that is slow. Follows MiF (Yi et al.), section III.
 */
package io.github.foresight.core.prealloc;

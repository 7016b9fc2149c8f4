/* SPDX-License-Identifier: Apache-2.0 */
/**
 * On-demand preallocation: space is taken ahead of a writer in large pieces, so that concurrent writers do not scatter
 * one another's blocks over the disk.
 *
 * <p>{@link io.github.foresight.core.prealloc.WriteStream} follows one replica being written and requests a
 * {@link io.github.foresight.core.prealloc.PreallocationRange}. {@link io.github.foresight.core.prealloc.WriteHistory}
 * decides the first window of a stream. {@link io.github.foresight.core.prealloc.VolumeAllowance} keeps all streams of
 * a volume within its limits, and switches a slow volume off. Follows MiF (Yi et al.), section III.
 */
package io.github.foresight.core.prealloc;

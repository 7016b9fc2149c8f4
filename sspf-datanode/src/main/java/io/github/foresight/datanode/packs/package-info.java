/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checksum packs in the DataNode: a cold read of a small block costs one disk access, its checksums come with its neighbours'.
 *
 * <p>{@link io.github.foresight.datanode.packs.ChecksumPacks} serves from packs and has blocks packed; {@link
 * io.github.foresight.datanode.packs.PackFile} is one folder's pack on disk. Follows MiF (Yi et al.), section IV.
 */
package io.github.foresight.datanode.packs;

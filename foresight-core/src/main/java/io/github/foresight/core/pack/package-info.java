/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of a checksum pack: what MiF's embedded directory is in HDFS, the metadata of a folder's small blocks side by side.
 *
 * <p>{@link io.github.foresight.core.pack.PackEntry} is one block's checksum metadata and what it is valid for, {@link
 * io.github.foresight.core.pack.Pack} a pack's content as far as it is whole. Follows MiF (Yi et al.), section IV, moved from
 * inodes in directories to where HDFS pays for the same thing: a {@code .meta} file of its own beside each block file.
 */
package io.github.foresight.core.pack;

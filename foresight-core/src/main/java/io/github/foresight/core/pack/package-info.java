/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of a checksum pack: the metadata of a directory's small blocks side by side. It corresponds to the
 * embedded directory of MiF.
 *
 * <p>{@link io.github.foresight.core.pack.PackEntry} is one block's checksum metadata and the block state for which the
 * metadata is valid. {@link io.github.foresight.core.pack.Pack} is the undamaged content of a pack. Follows MiF (Yi et
 * al.), section IV. The paper embeds inodes in directories; HDFS has the same cost elsewhere, in a separate
 * {@code .meta} file beside each block file.
 */
package io.github.foresight.core.pack;

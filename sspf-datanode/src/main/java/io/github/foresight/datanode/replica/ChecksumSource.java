/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.replica;

import io.github.foresight.core.hint.BlockKey;

/** Knows which blocks' checksums readers get from elsewhere than their {@code .meta} files. */
@FunctionalInterface
public interface ChecksumSource {

    /** Readers get all checksums from where HDFS has them. */
    ChecksumSource STOCK = (block, files) -> false;

    /** Whether readers of a block need its {@code .meta} file no more; may wait for a disk. Thread-safe. */
    boolean holds(BlockKey block, BlockFiles files);
}

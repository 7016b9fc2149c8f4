/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Objects;

/**
 * A block's identity on a DataNode: its block pool and its id, without the generation stamp.
 *
 * <p>A DataNode holds at most one replica for a block id, whatever its generation stamp. For this reason a newer stamp
 * is a change of the same block and not another block. Immutable and thread-safe.
 */
public final class BlockKey {

    private final String blockPool;
    private final long blockId;

    public BlockKey(String blockPool, long blockId) {
        this.blockPool = Objects.requireNonNull(blockPool, "blockPool");
        this.blockId = blockId;
    }

    public String blockPool() {
        return blockPool;
    }

    public long blockId() {
        return blockId;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof BlockKey && ((BlockKey) o).blockId == blockId && ((BlockKey) o).blockPool.equals(blockPool);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(blockId) * 31 + blockPool.hashCode();
    }

    /** The block in the form of HDFS's own logs, without the generation stamp. */
    @Override
    public String toString() {
        return blockPool + ":blk_" + blockId;
    }
}

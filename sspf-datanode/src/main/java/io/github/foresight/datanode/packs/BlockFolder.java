/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import io.github.foresight.core.hint.BlockKey;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a finalized block's folder without making its path: HDFS chooses the folder by bits of the block's id above the last
 * eight ({@code DatanodeUtil.idToBlockDir}). A volume that is taken out and put in again is another. Immutable.
 */
final class BlockFolder {

    private static final int ID_BITS_WITHIN = 8;

    private final FsVolumeSpi volume;
    private final String blockPool;
    private final long idsBegin;

    BlockFolder(FsVolumeSpi volume, BlockKey block) {
        this.volume = volume;
        this.blockPool = block.blockPool();
        this.idsBegin = block.blockId() >> ID_BITS_WITHIN;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof BlockFolder)) {
            return false;
        }
        BlockFolder that = (BlockFolder) other;
        return volume == that.volume && idsBegin == that.idsBegin && blockPool.equals(that.blockPool);
    }

    @Override
    public int hashCode() {
        return (Long.hashCode(idsBegin) * 31 + blockPool.hashCode()) * 31 + System.identityHashCode(volume);
    }
}

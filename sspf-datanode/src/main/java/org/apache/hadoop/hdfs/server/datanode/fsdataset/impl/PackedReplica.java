/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.datanode.packs.ChecksumPacks;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;

/**
 * A finalized replica for one reader, whose last partial chunk's checksum comes from a pack where a pack has it.
 *
 * <p>{@code BlockSender} asks a replica whose length is no multiple of 512 for that checksum before all else, and HDFS opens the {@code
 * .meta} file for it. A copy is handed out because {@code BlockSender} looks replicas up under a lock, and packs may wait for a disk: the
 * copy reads when it is asked for the checksum, which is after the lock. The checksum that it finds is remembered in HDFS's own replica, as
 * HDFS does.
 */
final class PackedReplica extends FinalizedReplica {

    private final FinalizedReplica stock;
    private final String blockPool;
    private final ChecksumPacks packs;

    PackedReplica(FinalizedReplica stock, String blockPool, ChecksumPacks packs) {
        super(stock);
        this.stock = stock;
        this.blockPool = blockPool;
        this.packs = packs;
    }

    /**
     * Whether HDFS would open the {@code .meta} file for a reader of the replica, and a pack may have the checksum for which the reader
     * looks there.
     */
    static boolean helps(FinalizedReplica replica, ChecksumPacks packs) {
        return replica.getLastPartialChunkChecksum() == null
                && packs.mayHoldLastChecksum(replica.getVisibleLength())
                && ChecksumPacks.isSending(Thread.currentThread().getName());
    }

    @Override
    public void loadLastPartialChunkChecksum() throws IOException {
        byte[] packed = packs.lastPartialChecksum(blockPool, getBlockId());
        if (packed == null) {
            stock.loadLastPartialChunkChecksum();
        } else {
            stock.setLastPartialChunkChecksum(packed);
        }
        setLastPartialChunkChecksum(stock.getLastPartialChunkChecksum());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.prealloc.Preallocation;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.ChunkChecksum;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBeingWritten;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;

/**
 * HDFS's replica being written, whose streams, into the block file and that of the checksums, are watched by a {@link Preallocation};
 * else as it is.
 */
final class WatchedReplica extends ReplicaBeingWritten {

    private final String blockPool;
    private final Preallocation preallocation;

    /** Takes the place of a replica that nobody writes to yet. */
    WatchedReplica(ReplicaBeingWritten stock, String blockPool, Preallocation preallocation) {
        super(stock);
        this.blockPool = blockPool;
        this.preallocation = preallocation;
        // What the copy constructor leaves out.
        ChunkChecksum last = stock.getLastChecksumAndDataLen();
        setLastChecksumAndDataLen(last.getDataLength(), last.getChecksum());
    }

    @Override
    public ReplicaOutputStreams createStreams(boolean isCreate, DataChecksum requestedChecksum) throws IOException {
        ReplicaOutputStreams streams = super.createStreams(isCreate, requestedChecksum);
        OutputStream data = streams.getDataOut();
        OutputStream checksums = streams.getChecksumOut();
        if (!(data instanceof FileOutputStream) || !(checksums instanceof FileOutputStream)) {
            return streams;
        }
        BlockKey key = new BlockKey(blockPool, getBlockId());
        long written = isCreate ? 0 : getBytesOnDisk();
        long limit = getBytesAcked() + getBytesReserved();
        DataChecksum checksum = streams.getChecksum();
        return new ReplicaOutputStreams(
                preallocation.watch(key, getVolume(), getBlockFile().toPath(), (FileOutputStream) data, written, limit),
                preallocation.watchChecksums(
                        key,
                        getVolume(),
                        getMetaFile().toPath(),
                        (FileOutputStream) checksums,
                        isCreate ? 0 : checksumFileBytes(checksum, written),
                        checksumFileBytes(checksum, limit)),
                checksum,
                getVolume(),
                getFileIoProvider());
    }

    /** How long the file of the checksums is for a block's length. */
    private static long checksumFileBytes(DataChecksum checksum, long blockBytes) {
        int chunk = checksum.getBytesPerChecksum();
        return BlockMetadataHeader.getHeaderSize() + (blockBytes + chunk - 1) / chunk * checksum.getChecksumSize();
    }
}

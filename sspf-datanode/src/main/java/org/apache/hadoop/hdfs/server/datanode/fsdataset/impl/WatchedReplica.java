/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.prealloc.Preallocation;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import io.github.foresight.datanode.stream.ObservedBlockOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.ChunkChecksum;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBeingWritten;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's replica being written, whose streams, into the block file and that of the checksums, are watched by a {@link Preallocation}
 * and a {@link BlockReadAhead}, as far as these are there; else as it is.
 */
final class WatchedReplica extends ReplicaBeingWritten {

    private final String blockPool;
    private final @Nullable Preallocation preallocation;
    private final @Nullable BlockReadAhead readAhead;

    /** Takes the place of a replica that nobody writes to yet. */
    WatchedReplica(
            ReplicaBeingWritten stock,
            String blockPool,
            @Nullable Preallocation preallocation,
            @Nullable BlockReadAhead readAhead) {
        super(stock);
        this.blockPool = blockPool;
        this.preallocation = preallocation;
        this.readAhead = readAhead;
        // The fields that the copy constructor leaves out.
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
        ReplicaOutputStreams spaced = preallocation == null
                ? streams
                : withSpace(preallocation, isCreate, streams, (FileOutputStream) data, (FileOutputStream) checksums);
        return readAhead == null ? spaced : observed(readAhead, spaced);
    }

    private ReplicaOutputStreams observed(BlockReadAhead watching, ReplicaOutputStreams streams) throws IOException {
        return new ReplicaOutputStreams(
                new ObservedBlockOutputStream(
                        (FileOutputStream) streams.getDataOut(), () -> watching.demandSeen(getVolume())),
                streams.getChecksumOut(),
                streams.getChecksum(),
                getVolume(),
                getFileIoProvider());
    }

    private ReplicaOutputStreams withSpace(
            Preallocation space,
            boolean isCreate,
            ReplicaOutputStreams streams,
            FileOutputStream data,
            FileOutputStream checksums) {
        BlockKey key = new BlockKey(blockPool, getBlockId());
        long written = isCreate ? 0 : getBytesOnDisk();
        long limit = getBytesAcked() + getBytesReserved();
        DataChecksum checksum = streams.getChecksum();
        return new ReplicaOutputStreams(
                space.watch(key, getVolume(), getBlockFile().toPath(), data, written, limit),
                space.watchChecksums(
                        key,
                        getVolume(),
                        getMetaFile().toPath(),
                        checksums,
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.prealloc.Preallocation;
import io.github.foresight.datanode.prealloc.TailSweep;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBeingWritten;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/** Puts a {@link WatchedReplica} in the place of each replica that is about to be written to. Thread-safe. */
final class WatchedReplicas implements TailSweep.Replicas {

    private final FsDatasetImpl dataset;
    private final DatasetLock lock;

    WatchedReplicas(FsDatasetImpl dataset) throws ReflectiveOperationException {
        this.dataset = dataset;
        this.lock = DatasetLock.of(dataset);
    }

    /** The handler with a watched replica, or as it is where the replica is none to be watched. */
    @SuppressWarnings("ReferenceEquality") // the very replica, not one of the same block
    ReplicaHandler watch(
            String blockPool,
            ReplicaHandler handler,
            @Nullable Preallocation preallocation,
            @Nullable BlockReadAhead readAhead)
            throws IOException {
        ReplicaInPipeline stock = handler.getReplica();
        // Neither a temporary replica nor a replica that is watched already.
        if (stock.getClass() != ReplicaBeingWritten.class) {
            return handler;
        }
        ReplicaBeingWritten replica = (ReplicaBeingWritten) stock;
        FsVolumeSpi volume = replica.getVolume();
        if (volume.isTransientStorage()) {
            return handler;
        }
        WatchedReplica watched = lock.underWriteLock(blockPool, volume.getStorageID(), replica.getBlockId(), () -> {
            if (dataset.volumeMap.get(blockPool, replica.getBlockId()) != replica) {
                return null;
            }
            WatchedReplica copy = new WatchedReplica(replica, blockPool, preallocation, readAhead);
            dataset.volumeMap.add(blockPool, copy);
            return copy;
        });
        return watched == null ? handler : new WatchedHandler(watched, handler, () -> {});
    }

    /** The handler of a replica that is being copied to here, which says when the copy ends. */
    static ReplicaHandler copied(ReplicaHandler handler, Runnable atEnd) {
        return new WatchedHandler(handler.getReplica(), handler, atEnd);
    }

    /** What lies in the folders for blocks being written: before that, the replicas that the last run of the DataNode left there. */
    static List<BlockKey> inRbwFolders(Iterable<FsVolumeSpi> volumes, String blockPool) throws IOException {
        List<BlockKey> blocks = new ArrayList<>();
        for (FsVolumeSpi volume : volumes) {
            if (!(volume instanceof FsVolumeImpl) || volume.isTransientStorage()) {
                continue;
            }
            if (volume instanceof ProvidedVolumeImpl) {
                continue;
            }
            String[] names = ((FsVolumeImpl) volume).getRbwDir(blockPool).list();
            if (names != null) {
                for (String name : names) {
                    if (Block.isBlockFilename(new File(name))) {
                        blocks.add(new BlockKey(blockPool, Block.filename2id(name)));
                    }
                }
            }
        }
        return blocks;
    }

    @Override
    public Optional<List<Path>> filesAtRest(BlockKey block) {
        ReplicaInfo replica = dataset.volumeMap.get(block.blockPool(), block.blockId());
        if (!(replica instanceof LocalReplica)) {
            return Optional.of(ImmutableList.of());
        }
        ReplicaState state = replica.getState();
        // Before a client writes to a finalized replica, or to a replica that waits for recovery, HDFS puts another
        // replica into the map.
        if (state != ReplicaState.FINALIZED && state != ReplicaState.RWR) {
            return Optional.empty();
        }
        LocalReplica local = (LocalReplica) replica;
        return Optional.of(ImmutableList.of(
                local.getBlockFile().toPath(), local.getMetaFile().toPath()));
    }

    /** HDFS's handler with another replica, or an end that somebody wants to hear of. */
    private static final class WatchedHandler extends ReplicaHandler {

        private final ReplicaHandler stock;

        private final Runnable atEnd;

        WatchedHandler(ReplicaInPipeline replica, ReplicaHandler stock, Runnable atEnd) {
            super(replica, null);
            this.stock = stock;
            this.atEnd = atEnd;
        }

        @Override
        public void close() throws IOException {
            atEnd.run();
            stock.close();
        }
    }
}

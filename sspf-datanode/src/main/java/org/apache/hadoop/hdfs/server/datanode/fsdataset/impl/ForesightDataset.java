/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.datanode.BlockFiles;
import io.github.foresight.datanode.BlockReadAhead;
import io.github.foresight.datanode.DataNodeReadAhead;
import io.github.foresight.datanode.DataNodeSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's data set, with what is read and changed told to {@link BlockReadAhead}. Translates and delegates; every call is HDFS's
 * own, and a read-ahead that cannot start leaves it at that.
 */
final class ForesightDataset extends FsDatasetImpl {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightDataset.class);

    /** Null while the super constructor runs, and where read-ahead could not start. */
    private volatile DataNodeReadAhead readAhead;

    ForesightDataset(DataNode datanode, DataStorage storage, Configuration conf, DataNodeSettings settings)
            throws IOException {
        super(datanode, storage, conf);
        try {
            readAhead = DataNodeReadAhead.start(datanode, conf, settings, new Replicas(), this::volumesInService);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            LOG.error("Foresight's read-ahead could not start; this DataNode works as with stock HDFS", e);
        }
    }

    @Override
    public InputStream getBlockInputStream(ExtendedBlock block, long seekOffset) throws IOException {
        InputStream stock = super.getBlockInputStream(block, seekOffset);
        DataNodeReadAhead started = readAhead;
        return started == null ? stock : started.blocks().observe(block, seekOffset, stock);
    }

    @Override
    public ReplicaHandler append(ExtendedBlock block, long newGenerationStamp, long expectedLength) throws IOException {
        ReplicaHandler handler = super.append(block, newGenerationStamp, expectedLength);
        changed(block.getBlockPoolId(), block.getBlockId());
        return handler;
    }

    @Override
    public ReplicaHandler recoverAppend(ExtendedBlock block, long newGenerationStamp, long expectedLength)
            throws IOException {
        ReplicaHandler handler = super.recoverAppend(block, newGenerationStamp, expectedLength);
        changed(block.getBlockPoolId(), block.getBlockId());
        return handler;
    }

    @Override
    public Replica updateReplicaUnderRecovery(ExtendedBlock oldBlock, long recoveryId, long newBlockId, long newLength)
            throws IOException {
        Replica updated = super.updateReplicaUnderRecovery(oldBlock, recoveryId, newBlockId, newLength);
        changed(oldBlock.getBlockPoolId(), oldBlock.getBlockId());
        return updated;
    }

    @Override
    public ReplicaInfo moveBlockAcrossStorage(ExtendedBlock block, StorageType targetType, String targetStorageId)
            throws IOException {
        ReplicaInfo moved = super.moveBlockAcrossStorage(block, targetType, targetStorageId);
        changed(block.getBlockPoolId(), block.getBlockId());
        return moved;
    }

    @Override
    public void invalidate(String blockPool, Block[] blocks) throws IOException {
        try {
            super.invalidate(blockPool, blocks);
        } finally {
            for (Block block : blocks) {
                changed(blockPool, block.getBlockId());
            }
        }
    }

    @Override
    public void invalidate(String blockPool, ReplicaInfo block) {
        super.invalidate(blockPool, block);
        changed(blockPool, block.getBlockId());
    }

    @Override
    public void shutdown() {
        DataNodeReadAhead started = readAhead;
        if (started != null) {
            started.close();
        }
        super.shutdown();
    }

    private void changed(String blockPool, long blockId) {
        DataNodeReadAhead started = readAhead;
        if (started != null) {
            started.blocks().invalidated(blockPool, blockId);
        }
    }

    private final class Replicas implements BlockFiles.Finder {

        @Override
        public Optional<BlockFiles> find(String blockPool, long blockId) {
            ReplicaInfo replica = volumeMap.get(blockPool, blockId);
            if (!(replica instanceof LocalReplica) || replica.getState() != ReplicaState.FINALIZED) {
                return Optional.empty();
            }
            FsVolumeSpi volume = replica.getVolume();
            if (volume == null || volume.isTransientStorage()) {
                return Optional.empty();
            }
            // Not getBlockURI(), which asks the disk whether the file is a directory.
            LocalReplica local = (LocalReplica) replica;
            return Optional.of(new BlockFiles(
                    volume,
                    local.getBlockFile().toPath(),
                    local.getMetaFile().toPath(),
                    replica.getGenerationStamp(),
                    replica.getNumBytes()));
        }

        @Override
        public FsVolumeSpi volumeOf(String blockPool, long blockId) {
            ReplicaInfo replica = volumeMap.get(blockPool, blockId);
            return replica == null ? null : replica.getVolume();
        }
    }

    private Set<FsVolumeSpi> volumesInService() {
        Set<FsVolumeSpi> inService = new HashSet<>();
        try (FsVolumeReferences references = getFsVolumeReferences()) {
            references.forEach(inService::add);
        } catch (IOException e) {
            throw new UncheckedIOException("volumes of this DataNode cannot be listed", e);
        }
        return inService;
    }
}

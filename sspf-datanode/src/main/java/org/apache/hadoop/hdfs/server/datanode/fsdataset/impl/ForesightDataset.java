/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.DataNodeReadAhead;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.packs.ChecksumPacks;
import io.github.foresight.datanode.prealloc.Preallocation;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's data set, which reports reads and changes to {@link BlockReadAhead}, and writes to {@link Preallocation}.
 * Translates and delegates; every call is HDFS's own, and a feature that cannot start leaves it at that. Not final, for Hadoop's own tests
 * spy on the data set.
 */
class ForesightDataset extends FsDatasetImpl {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightDataset.class);

    /** Null while the super constructor runs, and where read-ahead could not start. */
    private volatile DataNodeReadAhead readAhead;

    /** As {@link #readAhead}, for preallocation. */
    private volatile Preallocation preallocation;

    private volatile WatchedReplicas watchedReplicas;

    /** As {@link #readAhead}, for checksum packs. */
    private volatile ChecksumPacks packs;

    private volatile ReadAheadMetrics metrics;

    /** The watch over writers serves preallocation and read-ahead: the one must not lose sight of writers when the other switches off. */
    private volatile Guard writersGuard;

    /** The block pools that this DataNode serves. Changed where HDFS adds and shuts down pools, never by a caller's request. */
    private final Set<String> pools = ConcurrentHashMap.newKeySet();

    ForesightDataset(DataNode datanode, DataStorage storage, Configuration conf, DataNodeSettings settings)
            throws IOException {
        super(datanode, storage, conf);
        metrics = new ReadAheadMetrics();
        writersGuard = new Guard("watch over writers", metrics, settings.get(DataNodeKeys.FAILURES_MAX), () -> {});
        start("packs", settings.isPacksEnabled(), () -> packs = new ChecksumPacks(settings, new Replicas(), metrics));
        ChecksumPacks started = packs;
        start(
                "read-ahead",
                settings.isReadAheadEnabled(),
                () -> readAhead = DataNodeReadAhead.start(
                        datanode,
                        conf,
                        settings,
                        new Replicas(),
                        this::volumesInService,
                        started == null ? ChecksumSource.STOCK : started::holds,
                        metrics));
        start("preallocation", settings.isPreallocationEnabled() && Preallocation.isPossible(), () -> {
            WatchedReplicas replicas = new WatchedReplicas(this);
            preallocation = new Preallocation(settings, replicas, this::volumesInService, metrics);
            watchedReplicas = replicas;
        });
        start("watch over writers", readAhead != null && watchedReplicas == null, () -> {
            watchedReplicas = new WatchedReplicas(this);
        });
        start(
                "metrics",
                true,
                () -> metrics.register(datanode.ipcServer.getListenerAddress().getPort()));
    }

    private static void start(String feature, boolean enabled, Guard.Action action) {
        if (!enabled) {
            LOG.info("Foresight's {} is switched off", feature);
            return;
        }
        try {
            action.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            LOG.error("Foresight's {} could not start; this DataNode works as with stock HDFS there", feature, e);
        }
    }

    @Override
    public void addBlockPool(String blockPool, Configuration conf) throws IOException {
        Preallocation started = preallocation;
        try {
            super.addBlockPool(blockPool, conf);
        } finally {
            // HDFS serves the pool from the other volumes where some fail.
            pools.add(blockPool);
            if (started != null) {
                started.guard()
                        .runAlwaysInCall(
                                "look for what a crash left behind",
                                () -> started.leftBehind(WatchedReplicas.inRbwFolders(volumesInService(), blockPool)));
            }
        }
    }

    /**
     * HDFS's count, less the bytes that HDFS counts twice: space taken in advance is missing from the disk's free space, and is reserved
     * for the replica still.
     */
    @Override
    public StorageReport[] getStorageReports(String blockPool) throws IOException {
        StorageReport[] reports = super.getStorageReports(blockPool);
        Preallocation started = preallocation;
        return started == null
                ? reports
                : started.guard()
                        .call(
                                "report a volume's space",
                                reports,
                                () -> PreallocatedReports.of(reports, volumesInService(), started));
    }

    @Override
    public LengthInputStream getMetaDataInputStream(ExtendedBlock block) throws IOException {
        ChecksumPacks started = packs;
        byte[] packed = started == null ? null : started.metadata(block.getBlockPoolId(), block.getBlockId());
        return packed == null
                ? super.getMetaDataInputStream(block)
                : new LengthInputStream(new ByteArrayInputStream(packed), packed.length);
    }

    /** What HDFS has; only {@code BlockSender} asks here. Under a lock of HDFS's, so nothing is read. */
    @Override
    @Deprecated
    public ReplicaInfo getReplica(String blockPool, long blockId) {
        ReplicaInfo replica = super.getReplica(blockPool, blockId);
        ChecksumPacks started = packs;
        if (started == null || replica == null || replica.getClass() != FinalizedReplica.class) {
            return replica;
        }
        FinalizedReplica stock = (FinalizedReplica) replica;
        return started.guard()
                .call(
                        "hand out a last checksum",
                        replica,
                        () -> PackedReplica.helps(stock, started)
                                ? new PackedReplica(stock, blockPool, started)
                                : replica);
    }

    @Override
    public void finalizeBlock(ExtendedBlock block, boolean fsyncDir) throws IOException {
        super.finalizeBlock(block, fsyncDir);
        ChecksumPacks started = packs;
        if (started != null) {
            started.guard()
                    .run(
                            "have checksums packed",
                            () -> started.finalized(block.getBlockPoolId(), block.getBlockId(), block.getNumBytes()));
        }
    }

    @Override
    public void shutdownBlockPool(String blockPool) {
        pools.remove(blockPool);
        try {
            super.shutdownBlockPool(blockPool);
        } finally {
            poolRemoved(blockPool);
        }
    }

    private void poolRemoved(String blockPool) {
        DataNodeReadAhead started = readAhead;
        if (started != null) {
            started.blocks().poolRemoved(blockPool);
        }
    }

    @Override
    public void deleteBlockPool(String blockPool, boolean force) throws IOException {
        poolRemoved(blockPool);
        ChecksumPacks started = packs;
        if (started != null) {
            started.guard().run("delete a block pool's packs", () -> {
                for (FsVolumeSpi volume : volumesInService()) {
                    if (volume instanceof FsVolumeImpl && !(volume instanceof ProvidedVolumeImpl)) {
                        started.deleteBelow(((FsVolumeImpl) volume)
                                .getFinalizedDir(blockPool)
                                .toPath());
                    }
                }
            });
        }
        super.deleteBlockPool(blockPool, force);
    }

    @Override
    public ReplicaHandler createRbw(
            StorageType storageType, String storageId, ExtendedBlock block, boolean allowLazyPersist)
            throws IOException {
        return watched(block, super.createRbw(storageType, storageId, block, allowLazyPersist));
    }

    /** Of 3.4 on; the other calls it there, and it is not called in 3.3. */
    @Override
    public ReplicaHandler createRbw(
            StorageType storageType, String storageId, ExtendedBlock block, boolean allowLazyPersist, long newGS)
            throws IOException {
        return watched(block, super.createRbw(storageType, storageId, block, allowLazyPersist, newGS));
    }

    @Override
    public ReplicaHandler recoverRbw(
            ExtendedBlock block, long newGenerationStamp, long minBytesReceived, long maxBytesReceived)
            throws IOException {
        return watched(block, super.recoverRbw(block, newGenerationStamp, minBytesReceived, maxBytesReceived));
    }

    /** For a replica that another DataNode or the Balancer sends here. */
    @Override
    public ReplicaHandler createTemporary(
            StorageType storageType, String storageId, ExtendedBlock block, boolean isTransfer) throws IOException {
        ReplicaHandler handler = super.createTemporary(storageType, storageId, block, isTransfer);
        DataNodeReadAhead started = readAhead;
        if (started == null) {
            return handler;
        }
        return started.blocks().guard().call("see a copy begin", handler, () -> {
            Runnable atEnd = started.blocks()
                    .copyBegins(handler.getReplica().getReplicaInfo().getVolume());
            return WatchedReplicas.copied(handler, atEnd);
        });
    }

    private ReplicaHandler watched(ExtendedBlock block, ReplicaHandler handler) {
        Preallocation space = preallocation;
        DataNodeReadAhead reading = readAhead;
        WatchedReplicas replicas = watchedReplicas;
        if (replicas == null) {
            return handler;
        }
        return writersGuard.call("watch a block being written", handler, () -> {
            try {
                return replicas.watch(
                        block.getBlockPoolId(), handler, space, reading == null ? null : reading.blocks());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
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
        beforeChange(block, handler);
        changed(block.getBlockPoolId(), block.getBlockId());
        return watched(block, handler);
    }

    @Override
    public ReplicaHandler recoverAppend(ExtendedBlock block, long newGenerationStamp, long expectedLength)
            throws IOException {
        ReplicaHandler handler = super.recoverAppend(block, newGenerationStamp, expectedLength);
        beforeChange(block, handler);
        changed(block.getBlockPoolId(), block.getBlockId());
        return watched(block, handler);
    }

    @Override
    public Replica updateReplicaUnderRecovery(ExtendedBlock oldBlock, long recoveryId, long newBlockId, long newLength)
            throws IOException {
        beforeChange(oldBlock);
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

    /** The Disk Balancer calls this method. */
    @Override
    public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination) throws IOException {
        ReplicaInfo moved = super.moveBlockAcrossVolumes(block, destination);
        changed(block.getBlockPoolId(), block.getBlockId());
        return moved;
    }

    /** What both moves within the DataNode call to copy a replica's files: its lanes give way on either disk. */
    @Override
    ReplicaInfo copyReplicaToVolume(ExtendedBlock block, ReplicaInfo replica, FsVolumeReference target)
            throws IOException {
        Runnable readingEnds = copyBegins(replica.getVolume());
        Runnable writingEnds = copyBegins(target.getVolume());
        try {
            return super.copyReplicaToVolume(block, replica, target);
        } finally {
            readingEnds.run();
            writingEnds.run();
        }
    }

    /** Lanes of the volume rest from now until the returned is run. */
    private Runnable copyBegins(@Nullable FsVolumeSpi volume) {
        DataNodeReadAhead started = readAhead;
        if (started == null || volume == null) {
            return () -> {};
        }
        return started.blocks().guard().call("see a copy begin", () -> {}, () -> started.blocks()
                .copyBegins(volume));
    }

    /** The directory scanner calls this method where a disk and the replica map differ. */
    @Override
    public void checkAndUpdate(String blockPool, FsVolumeSpi.ScanInfo difference) throws IOException {
        try {
            super.checkAndUpdate(blockPool, difference);
        } finally {
            changed(blockPool, difference.getBlockId());
        }
    }

    @Override
    public void removeVolumes(Collection<StorageLocation> locations, boolean clearFailure) {
        try {
            super.removeVolumes(locations, clearFailure);
        } finally {
            DataNodeReadAhead started = readAhead;
            if (started != null) {
                started.blocks().volumesRemoved();
            }
            Preallocation preallocating = preallocation;
            if (preallocating != null) {
                preallocating.guard().runAlwaysInCall("leave a removed volume", preallocating::volumesRemoved);
            }
        }
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
        ChecksumPacks packing = packs;
        if (packing != null) {
            packing.close();
        }
        Preallocation preallocating = preallocation;
        if (preallocating != null) {
            preallocating.close();
        }
        ReadAheadMetrics registered = metrics;
        if (registered != null) {
            registered.unregister();
        }
        super.shutdown();
    }

    /** A replica that was at rest until now is about to be written to; where that cannot be, HDFS's handler is closed. */
    private void beforeChange(ExtendedBlock block, ReplicaHandler handler) throws IOException {
        try {
            beforeChange(block);
        } catch (IOException | RuntimeException e) {
            handler.close();
            throw e;
        }
    }

    /** A replica that was at rest until now is about to be written to or cut. */
    private void beforeChange(ExtendedBlock block) throws IOException {
        Preallocation started = preallocation;
        if (started != null) {
            started.beforeChange(new BlockKey(block.getBlockPoolId(), block.getBlockId()));
        }
    }

    private void changed(String blockPool, long blockId) {
        DataNodeReadAhead started = readAhead;
        if (started != null) {
            started.blocks().invalidated(blockPool, blockId);
        }
        ChecksumPacks packing = packs;
        if (packing != null) {
            packing.changed(blockPool, blockId);
        }
    }

    private final class Replicas implements BlockFiles.Finder {

        @Override
        public boolean serves(String blockPool) {
            return pools.contains(blockPool);
        }

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
                    () -> local.getBlockFile().toPath(),
                    () -> local.getMetaFile().toPath(),
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

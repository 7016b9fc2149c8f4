/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.pack.Pack;
import io.github.foresight.core.pack.PackEntry;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small blocks' checksum metadata, a pack for each folder of blocks.
 *
 * <p>A pack is a cache. An entry is served only for the generation stamp and the length that HDFS knows for the finalized replica. The
 * entry must have been read from the replica's present {@code .meta} file. Each entry carries its own checksum. All other reads, and the scanners that
 * verify the disk, get the {@code .meta} file. One background thread packs blocks some time after they were finalized, or after they were
 * read from no pack. By then their {@code .meta} is still in memory. It takes a few writes for many blocks. Thread-safe.
 */
public final class ChecksumPacks implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ChecksumPacks.class);

    private static final String SENDING = " [Sending block";
    private static final String CLIENT = "DataXceiver for client ";

    /** What {@code BlockSender} takes for a chunk before it knows how the block's checksums are made. */
    private static final int CHUNK_BYTES = 512;

    private static final int BYTES_PER_ENTRY = 150;
    private static final int BATCH = 4096;
    private static final int VERSION_BYTES = 2;
    private static final long AVAILABLE_MIN_BYTES = 64 << 20;
    private static final int FOLDER_DEPTH = 3;

    /** A few hundred bytes each; two million blocks with ids in a row. */
    private static final int FOLDERS_MAX = 8192;

    /** Some 150 bytes each; beyond, a file is looked at again. */
    private static final int CONFIRMED_MAX = 32_768;

    /** So that volumes that were taken out are let go. */
    private static final Duration FOLDERS_KEPT = Duration.ofHours(1);

    private final BlockFiles.Finder finder;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final long blockMaxBytes;
    private final int packMaxBytes;
    private final long delayMillis;
    private final int queueMax;
    private final Cache<Path, Pack> packs;

    /** To put a path together takes longer than all else that is done for a read. */
    private final Cache<BlockFolder, Path> folders = CacheBuilder.newBuilder()
            .maximumSize(FOLDERS_MAX)
            .expireAfterWrite(FOLDERS_KEPT)
            .concurrencyLevel(1)
            .build();

    /** The marks of the {@code .meta} files that were looked at, so that each is looked at once. */
    private final Cache<BlockKey, Long> confirmed = CacheBuilder.newBuilder()
            .maximumSize(CONFIRMED_MAX)
            .concurrencyLevel(1)
            .build();

    private final RecentPacks recent = new RecentPacks();
    private final Set<BlockKey> waiting = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor packer;
    private volatile boolean closed;

    /** Makes an object that has read nothing yet. */
    public ChecksumPacks(DataNodeSettings settings, BlockFiles.Finder finder, ReadAheadMetrics metrics) {
        this.finder = finder;
        this.metrics = metrics;
        this.guard = new Guard("packs", metrics, settings.get(DataNodeKeys.FAILURES_MAX), () -> {});
        this.blockMaxBytes = settings.get(DataNodeKeys.PACKS_BLOCK_MAX);
        this.packMaxBytes = Math.toIntExact(settings.get(DataNodeKeys.PACKS_SIZE_MAX));
        this.delayMillis = Math.max(1, settings.get(DataNodeKeys.PACKS_DELAY).toMillis());
        this.queueMax = settings.get(DataNodeKeys.PACKS_QUEUE_MAX);
        this.packs = CacheBuilder.newBuilder()
                .maximumWeight(settings.get(DataNodeKeys.PACKS_MEMORY))
                .weigher((Path folder, Pack pack) -> pack.wholeBytes() + BYTES_PER_ENTRY * (pack.size() + 1))
                .concurrencyLevel(1)
                .removalListener(removed -> recent.forget())
                .build();
        this.packer = new ScheduledThreadPoolExecutor(1, new OwnThreads("foresight-packs", metrics));
        ScheduledFuture<?> unused = packer.scheduleWithFixedDelay(
                () -> guard.runOnOwnThread("pack checksums", this::packWaiting),
                delayMillis,
                delayMillis,
                TimeUnit.MILLISECONDS);
        metrics.gauge("PacksWaiting", "Blocks that wait to be added to a pack", waiting::size);
        metrics.gauge("PacksInMemory", "Packs in memory", packs::size);
    }

    /** Runs what belongs to packs in HDFS's calls. */
    public Guard guard() {
        return guard;
    }

    /**
     * A block's checksum metadata for the calling thread, or null where HDFS is to read its own file: for all that is not sending a
     * block to a reader, the block scanner and local readers that get a file descriptor among them.
     */
    public byte @Nullable [] metadata(String blockPool, long blockId) {
        if (closed || !isSending(Thread.currentThread().getName())) {
            return null;
        }
        Optional<PackEntry> none = Optional.empty();
        return guard.call("serve checksums from a pack", none, () -> find(blockPool, blockId))
                .map(PackEntry::metadata)
                .orElse(null);
    }

    /** Whether a thread of this name sends a block to a reader. */
    public static boolean isSending(String threadName) {
        return threadName.startsWith(CLIENT) && threadName.contains(SENDING);
    }

    /** Whether a block of a length may be in a pack, and ends with a chunk that is not whole. */
    public boolean mayHoldLastChecksum(long lengthBytes) {
        return !closed && lengthBytes % CHUNK_BYTES != 0 && lengthBytes <= blockMaxBytes;
    }

    /** The checksum of a block's last chunk where that is not whole, or null where HDFS is to look; may wait for a disk. */
    public byte @Nullable [] lastPartialChecksum(String blockPool, long blockId) {
        Optional<byte[]> none = Optional.empty();
        return guard.call("serve a last checksum from a pack", none, () -> finder.find(blockPool, blockId)
                        .filter(this::isSmall)
                        .flatMap(files -> lastPartialChecksum(files, new BlockKey(blockPool, blockId))))
                .orElse(null);
    }

    private Optional<byte[]> lastPartialChecksum(BlockFiles files, BlockKey block) {
        PackEntry entry = entryOf(files, block);
        return entry == null
                ? Optional.empty()
                : Optional.ofNullable(lastPartialChecksum(entry.metadata(), files.lengthBytes()));
    }

    /** The checksum of the last chunk, where that is not whole; of metadata that {@link #isWhole}. */
    static byte @Nullable [] lastPartialChecksum(byte[] metadata, long lengthBytes) {
        DataChecksum checksum;
        try {
            checksum = DataChecksum.newDataChecksum(metadata, VERSION_BYTES);
        } catch (IOException e) {
            return null;
        }
        int size = checksum.getChecksumSize();
        return size == 0 || lengthBytes % checksum.getBytesPerChecksum() == 0
                ? null
                : Arrays.copyOfRange(metadata, metadata.length - size, metadata.length);
    }

    private Optional<PackEntry> find(String blockPool, long blockId) {
        Optional<BlockFiles> files = finder.find(blockPool, blockId).filter(this::isSmall);
        if (!files.isPresent()) {
            return Optional.empty();
        }
        BlockKey block = new BlockKey(blockPool, blockId);
        PackEntry entry = entryOf(files.get(), block);
        if (entry == null) {
            metrics.packMisses.incr();
            enqueue(block);
        } else {
            metrics.packHits.incr();
        }
        return Optional.ofNullable(entry);
    }

    /** Whether a reader of the block will be served from a pack; reads the pack where it is not in memory. */
    public boolean holds(BlockKey block, BlockFiles files) {
        return !closed && isSmall(files) && guard.call("look into a pack", false, () -> entryOf(files, block) != null);
    }

    private boolean isSmall(BlockFiles files) {
        return files.lengthBytes() <= blockMaxBytes;
    }

    private @Nullable PackEntry entryOf(BlockFiles files, BlockKey block) {
        PackEntry entry = packOf(files, block).find(block.blockId(), files.generationStamp(), files.lengthBytes());
        return entry != null && isConfirmed(block, entry, files) ? entry : null;
    }

    /** Whether an entry was made of the {@code .meta} file that the replica has now. */
    private boolean isConfirmed(BlockKey block, PackEntry entry, BlockFiles files) {
        Long known = confirmed.getIfPresent(block);
        if (known != null && known == entry.fileMark()) {
            return true;
        }
        if (!isOf(entry, files)) {
            return false;
        }
        confirmed.put(block, entry.fileMark());
        return true;
    }

    private static boolean isOf(PackEntry entry, BlockFiles files) {
        try {
            OptionalLong mark = FileMark.of(files.checksums());
            return mark.isPresent() && mark.getAsLong() == entry.fileMark();
        } catch (IOException e) {
            LOG.debug("{} cannot be looked at", files.checksums(), e);
            return false;
        }
    }

    private Pack packOf(BlockFiles files, BlockKey block) {
        BlockFolder folder = new BlockFolder(files.volume(), block);
        Pack known = recent.find(folder);
        if (known != null) {
            return known;
        }
        int askedAt = recent.position();
        Pack pack = pack(folderOf(files, folder));
        recent.keep(folder, pack, askedAt);
        return pack;
    }

    private Path folderOf(BlockFiles files, BlockFolder key) {
        Path known = folders.getIfPresent(key);
        if (known != null) {
            return known;
        }
        Path folder = pathOfFolder(files);
        folders.put(key, folder);
        return folder;
    }

    private static Path pathOfFolder(BlockFiles files) {
        Path folder = files.data().getParent();
        if (folder == null) {
            throw new IllegalArgumentException("a block file in no folder: " + files.data());
        }
        return folder;
    }

    private Pack pack(Path folder) {
        try {
            return packs.get(folder, () -> read(folder));
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading the pack of " + folder, e.getCause());
        }
    }

    private Pack read(Path folder) {
        try {
            Pack pack = PackFile.in(folder).read(packMaxBytes);
            if (pack.size() > 0) {
                metrics.packsRead.incr();
            }
            return pack;
        } catch (IOException e) {
            metrics.packErrors.incr();
            LOG.warn("The pack of {} cannot be read; its blocks are read as with stock HDFS", folder, e);
            return Pack.EMPTY;
        }
    }

    /** A replica was deleted, appended to, recovered or moved; another one may come with the same id. */
    public void changed(String blockPool, long blockId) {
        confirmed.invalidate(new BlockKey(blockPool, blockId));
    }

    /** A block has been finalized; it is packed in a while, if it is small. */
    public void finalized(String blockPool, long blockId, long lengthBytes) {
        changed(blockPool, blockId);
        if (lengthBytes <= blockMaxBytes) {
            enqueue(new BlockKey(blockPool, blockId));
        }
    }

    private void enqueue(BlockKey block) {
        if (closed || waiting.size() >= queueMax) {
            metrics.packsDropped.incr();
        } else {
            waiting.add(block);
        }
    }

    /** Packs all that is waiting; to be called now and then even if nothing is. */
    void packWaiting() {
        recent.forget();
        while (!closed && !waiting.isEmpty()) {
            Map<Path, List<BlockKey>> folders = new LinkedHashMap<>();
            for (BlockKey block : take()) {
                finder.find(block.blockPool(), block.blockId())
                        .filter(this::isSmall)
                        .ifPresent(files -> folders.computeIfAbsent(
                                        folderOf(files, new BlockFolder(files.volume(), block)),
                                        unused -> new ArrayList<>())
                                .add(block));
            }
            folders.forEach((folder, blocks) -> {
                try {
                    packInto(folder, blocks);
                } catch (IOException e) {
                    metrics.packErrors.incr();
                    LOG.warn("{} blocks of {} are not packed", blocks.size(), folder, e);
                    packs.invalidate(folder);
                }
            });
        }
    }

    private Set<BlockKey> take() {
        Set<BlockKey> taken = waiting.stream().limit(BATCH).collect(Collectors.toSet());
        waiting.removeAll(taken);
        return taken;
    }

    private void packInto(Path folder, List<BlockKey> blocks) throws IOException {
        blocks.sort((a, b) -> Long.compare(a.blockId(), b.blockId()));
        Pack known = pack(folder);
        List<PackEntry> added = new ArrayList<>();
        String blockPool = "";
        BlockFiles any = null;
        for (BlockKey block : blocks) {
            Optional<BlockFiles> files = finder.find(block.blockPool(), block.blockId());
            if (files.isPresent() && !holds(known, block, files.get())) {
                PackEntry entry = entry(block, files.get());
                if (entry != null) {
                    added.add(entry);
                    any = files.get();
                    blockPool = block.blockPool();
                }
            }
        }
        if (any == null) {
            return;
        }
        String pool = blockPool;
        try (FsVolumeReference reference = any.volume().obtainReference()) {
            if (reference.getVolume().getAvailable() < AVAILABLE_MIN_BYTES) {
                metrics.packsDropped.incr(added.size());
                return;
            }
            packs.put(folder, write(PackFile.in(folder), known, added, entry -> isLive(pool, entry)));
            metrics.packedBlocks.incr(added.size());
        }
    }

    private static boolean holds(Pack known, BlockKey block, BlockFiles files) {
        PackEntry entry = known.find(block.blockId(), files.generationStamp(), files.lengthBytes());
        return entry != null && isOf(entry, files);
    }

    private Pack write(PackFile file, Pack known, List<PackEntry> added, Predicate<PackEntry> isLive)
            throws IOException {
        Pack all = known.with(added);
        if (all.wholeBytes() > packMaxBytes) {
            metrics.packsCompacted.incr();
            return file.replace(all.newest(packMaxBytes / 2, isLive));
        }
        Pack compacted = all.compacted(isLive);
        if (compacted != null) {
            metrics.packsCompacted.incr();
            return file.replace(compacted);
        }
        return file.append(known, added);
    }

    private boolean isLive(String blockPool, PackEntry entry) {
        return finder.find(blockPool, entry.blockId())
                .filter(files -> files.generationStamp() == entry.generationStamp()
                        && files.lengthBytes() == entry.lengthBytes())
                .isPresent();
    }

    /** Reads a block's own file; null where it is not as it should be, or the block has changed meanwhile. */
    private @Nullable PackEntry entry(BlockKey block, BlockFiles files) throws IOException {
        byte[] metadata;
        OptionalLong mark = FileMark.of(files.checksums());
        try {
            if (Files.size(files.checksums()) > Math.min(PackEntry.METADATA_BYTES_MAX, packMaxBytes / 8)) {
                return null;
            }
            metadata = Files.readAllBytes(files.checksums());
        } catch (NoSuchFileException e) {
            return null;
        }
        if (!mark.isPresent()
                || !mark.equals(FileMark.of(files.checksums()))
                || !isWhole(metadata, files.lengthBytes())
                || !finder.find(block.blockPool(), block.blockId())
                        .filter(now -> now.generationStamp() == files.generationStamp()
                                && now.lengthBytes() == files.lengthBytes())
                        .isPresent()) {
            return null;
        }
        return new PackEntry(block.blockId(), files.generationStamp(), files.lengthBytes(), mark.getAsLong(), metadata);
    }

    /** Whether metadata has a header that HDFS knows, and a checksum for each chunk. */
    static boolean isWhole(byte[] metadata, long lengthBytes) {
        if (metadata.length < BlockMetadataHeader.getHeaderSize()) {
            return false;
        }
        DataChecksum checksum;
        try {
            checksum = DataChecksum.newDataChecksum(metadata, VERSION_BYTES);
        } catch (IOException | RuntimeException e) {
            return false;
        }
        if (checksum == null || checksum.getBytesPerChecksum() <= 0) {
            return false;
        }
        long chunks = (lengthBytes + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
        return metadata.length == BlockMetadataHeader.getHeaderSize() + chunks * checksum.getChecksumSize();
    }

    /** Deletes all packs below a folder of finalized blocks, as a block pool that is deleted must be empty. */
    public void deleteBelow(Path finalized) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.find(finalized, FOLDER_DEPTH, (path, attributes) -> attributes.isDirectory())) {
            folders = new ArrayList<>();
            all.forEach(folders::add);
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path folder : folders) {
            PackFile.deleteIn(folder);
            packs.invalidate(folder);
        }
    }

    @Override
    public void close() {
        closed = true;
        packer.shutdownNow();
    }
}

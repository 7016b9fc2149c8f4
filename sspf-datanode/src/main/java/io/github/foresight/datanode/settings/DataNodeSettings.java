/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.settings;

import io.github.foresight.core.cache.CacheSettings;
import io.github.foresight.core.cache.CachingPolicyKind;
import io.github.foresight.core.hint.ReadAheadSettings;
import io.github.foresight.core.memory.FileLimits;
import io.github.foresight.core.memory.LockableMemory;
import io.github.foresight.core.prealloc.PreallocationMode;
import io.github.foresight.core.prealloc.PreallocationSettings;
import io.github.foresight.datanode.pagecache.ResidentFile;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.DataNodeKeys;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.Role;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The DataNode's configuration, read and checked once; immutable. */
public final class DataNodeSettings {

    private static final long AUTO = -1;

    /** What windows get where nothing is configured: a part of the cache's capacity. */
    private static final int AUTO_WINDOW_PART = 8;

    /** About 300 bytes of heap each; chosen, not measured. */
    private static final int CACHE_BLOCKS_MAX = 65_536;

    private final KeyValues values;
    private final long capacityBytes;
    private final LockableMemory memory;
    private final FileLimits fileLimits;

    private DataNodeSettings(KeyValues values, long capacityBytes, LockableMemory memory, FileLimits fileLimits) {
        this.values = values;
        this.capacityBytes = capacityBytes;
        this.memory = memory;
        this.fileLimits = fileLimits;
    }

    /**
     * Reads and checks all of a DataNode's keys.
     *
     * @param configured gives the configured text of a key, or null
     * @param hdfsLockedBytes what HDFS's own cache may lock ({@code dfs.datanode.max.locked.memory})
     * @throws io.github.foresight.protocol.conf.InvalidValueException naming the first key with a value it does not accept
     */
    public static DataNodeSettings read(UnaryOperator<@Nullable String> configured, long hdfsLockedBytes) {
        KeyValues values = KeyValues.read(Role.DATANODE, configured);
        long capacity = values.get(DataNodeKeys.CACHE_CAPACITY);
        LockableMemory memory =
                LockableMemory.read(ProcFiles::text, Runtime.getRuntime().maxMemory());
        if (capacity == AUTO) {
            boolean canPin = values.get(DataNodeKeys.CACHE_PIN) && ResidentFile.nativeUnavailableReason() == null;
            capacity = besideWindows(automaticCapacity(memory, hdfsLockedBytes, canPin), windows(values));
        }
        return new DataNodeSettings(values, capacity, memory, FileLimits.read(ProcFiles::text));
    }

    private static long windows(KeyValues values) {
        return values.get(DataNodeKeys.WINDOW_ENABLED) ? values.get(DataNodeKeys.WINDOW_CAPACITY) : 0;
    }

    /** The cache's share of the memory that cache and windows may take together. */
    static long besideWindows(long togetherBytes, long configuredWindowBytes) {
        return configuredWindowBytes == AUTO
                ? togetherBytes - togetherBytes / (AUTO_WINDOW_PART + 1)
                : Math.max(0, togetherBytes - configuredWindowBytes);
    }

    /**
     * What cache and windows may take together: half of the memory that may be locked beside HDFS's own cache, at most a quarter of the
     * memory beside the heap. Where that is less than a sixty-fourth of this memory (a default ulimit), or nothing can be pinned: an eighth
     * of the memory beside the heap, unpinned.
     */
    static long automaticCapacity(LockableMemory memory, long hdfsLockedBytes, boolean canPin) {
        long lockable = Math.max(0, memory.lockableBytes() - hdfsLockedBytes) / 2;
        if (!canPin || lockable < memory.usableBytes() / 64) {
            return memory.usableBytes() / 8;
        }
        return Math.min(lockable, memory.usableBytes() / 4);
    }

    /** The memory of this process, of which the capacities are parts. */
    public LockableMemory memory() {
        return memory;
    }

    /** Whether anything of ours is to be done. */
    public boolean isAnyEnabled() {
        return isReadAheadEnabled() || isPreallocationEnabled() || isPacksEnabled();
    }

    /** Whether blocks being written are to get their space in advance. */
    public boolean isPreallocationEnabled() {
        return get(DataNodeKeys.PREALLOCATE) != DataNodeKeys.Preallocate.OFF;
    }

    /** Whether small blocks' checksums are to be packed. */
    public boolean isPacksEnabled() {
        return get(DataNodeKeys.PACKS_ENABLED);
    }

    /** Whether the DataNode is to read ahead at all. */
    public boolean isReadAheadEnabled() {
        return get(DataNodeKeys.PREFETCH_ENABLED) && capacityBytes > 0;
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    /** Memory that windows may hold beside {@link #capacityBytes()}. */
    public long windowCapacityBytes() {
        long configured = get(DataNodeKeys.WINDOW_CAPACITY);
        return configured == AUTO ? capacityBytes / AUTO_WINDOW_PART : configured;
    }

    public <T> T get(ConfKey<T> key) {
        return values.get(key);
    }

    /** Descriptors that blocks and windows may have open. */
    public long descriptorsMax() {
        return FileLimits.share(get(DataNodeKeys.DESCRIPTORS_SHARE), fileLimits.descriptors());
    }

    /** Descriptors that replicas being written may have open beside HDFS's. */
    public long preallocationDescriptorsMax() {
        return FileLimits.share(get(DataNodeKeys.PREALLOCATE_DESCRIPTORS_SHARE), fileLimits.descriptors());
    }

    /** Mappings that blocks and windows may have. */
    public long mappingsMax() {
        return FileLimits.share(get(DataNodeKeys.MAPPINGS_SHARE), fileLimits.mappings());
    }

    /**
     * How many blocks the cache may hold: as many as three quarters of the descriptors and mappings are enough for, at two of each for a
     * block. The rest is for windows, for blocks that are being released, and for blocks of which only a part is locked.
     */
    static int cacheBlocksMax(long descriptorsMax, long mappingsMax) {
        long blocks = Math.min(descriptorsMax, mappingsMax) / 8 * 3;
        return (int) Math.max(1, Math.min(CACHE_BLOCKS_MAX, blocks));
    }

    public CacheSettings cache() {
        return CacheSettings.builder()
                .capacityBytes(capacityBytes)
                .maxEntries(cacheBlocksMax(descriptorsMax(), mappingsMax()))
                .retryNanos(get(DataNodeKeys.RETRY_TIME).toNanos())
                .idleNanos(get(DataNodeKeys.CACHE_IDLE_TIME).toNanos())
                .unaccessedMaxNanos(get(DataNodeKeys.UNACCESSED_TIME).toNanos())
                .reassignPeriodNanos(get(DataNodeKeys.REASSIGN_PERIOD).toNanos())
                .reassignThreshold(get(DataNodeKeys.REASSIGN_THRESHOLD))
                .reassignMinHits(get(DataNodeKeys.REASSIGN_MIN_HITS))
                .policy(
                        get(DataNodeKeys.CACHE_POLICY) == DataNodeKeys.CachePolicy.LRU
                                ? CachingPolicyKind.LRU
                                : CachingPolicyKind.W_TINYLFU)
                .build();
    }

    public PreallocationSettings preallocation() {
        return PreallocationSettings.builder()
                .mode(PreallocationMode.valueOf(get(DataNodeKeys.PREALLOCATE).name()))
                .scale(get(DataNodeKeys.PREALLOCATE_SCALE))
                .windowMaxBytes(get(DataNodeKeys.PREALLOCATE_WINDOW_MAX))
                .startMinBytes(get(DataNodeKeys.PREALLOCATE_START_MIN))
                .missesMax(get(DataNodeKeys.PREALLOCATE_MISSES_MAX))
                .volumeMaxBytes(get(DataNodeKeys.PREALLOCATE_VOLUME_MAX))
                .volumeFreeMinBytes(get(DataNodeKeys.PREALLOCATE_FREE_MIN))
                .slowNanos(get(DataNodeKeys.PREALLOCATE_SLOW).toNanos())
                .slowMax(get(DataNodeKeys.PREALLOCATE_SLOW_MAX))
                .build();
    }

    public ReadAheadSettings readAhead() {
        return ReadAheadSettings.builder()
                .maxSessions(get(DataNodeKeys.SESSIONS_MAX))
                .maxTrackedBlocks(get(DataNodeKeys.SESSION_BLOCKS_MAX))
                .callerShare(get(DataNodeKeys.SESSIONS_CALLER_SHARE))
                .firstDepth(get(DataNodeKeys.DEPTH_FIRST))
                .maxDepth(get(DataNodeKeys.DEPTH_MAX))
                .idleNanos(get(DataNodeKeys.SESSION_IDLE_TIME).toNanos())
                .yieldNanos(get(DataNodeKeys.SESSION_YIELD_TIME).toNanos())
                .rampBytes(get(DataNodeKeys.RAMP))
                .build();
    }
}

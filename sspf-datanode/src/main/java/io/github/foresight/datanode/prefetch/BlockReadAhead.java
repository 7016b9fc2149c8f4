/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.lane.VolumeLane;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileBudget;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.window.WindowReadAhead;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.ipc.CallerConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins {@link ReadAhead} to a DataNode: begins and ends its parts, takes hints, and keeps time.
 *
 * <p>{@link BlockStreams} follows the readers, {@link PrefetchDecisions} decides, and {@link BlockPrefetcher} carries the decisions out. Whatever fails here,
 * the read it came from goes on as with stock HDFS. Thread-safe.
 */
public final class BlockReadAhead implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockReadAhead.class);
    private static final long TICK_MILLIS = 500;
    private static final int TICKS_PER_VOLUME_CHECK = 20;

    /** How long HDFS waits for us when it takes a volume out of service; chosen, not measured. */
    private static final long RELEASE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final BlockFiles.Finder finder;
    private final Supplier<Set<FsVolumeSpi>> volumesInService;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final SessionConnections connections;

    /** The connections that the DataNode's RPC server has; null until they are known. */
    private volatile @Nullable Supplier<Set<CallerConnection>> openConnections;

    private final BlockPrefetcher prefetcher;
    private final PrefetchDecisions decisions;
    private final BlockStreams streams;
    private final WindowReadAhead windows;
    private final ScheduledExecutorService ticker;
    private volatile boolean closed;
    private int ticks;

    /**
     * Starts the threads; nothing is prefetched before a hint comes.
     *
     * @param finder finds a replica's files
     * @param volumesInService the volumes in service; a volume that was taken out and put back is another object
     */
    public BlockReadAhead(
            DataNodeSettings settings,
            BlockFiles.Finder finder,
            Supplier<Set<FsVolumeSpi>> volumesInService,
            ReadAheadMetrics metrics) {
        this(settings, finder, volumesInService, ChecksumSource.STOCK, metrics);
    }

    /**
     * Starts the threads; nothing is prefetched before a hint comes.
     *
     * @param checksums which blocks' checksum files need not be prefetched
     */
    public BlockReadAhead(
            DataNodeSettings settings,
            BlockFiles.Finder finder,
            Supplier<Set<FsVolumeSpi>> volumesInService,
            ChecksumSource checksums,
            ReadAheadMetrics metrics) {
        this.finder = finder;
        this.volumesInService = volumesInService;
        this.metrics = metrics;
        this.guard = new Guard(metrics, settings.get(DataNodeKeys.FAILURES_MAX), this::giveEverythingUp);
        FileBudget budget = new FileBudget(settings.descriptorsMax(), settings.mappingsMax());
        FileOpener opener = new FileOpener(settings.get(DataNodeKeys.CACHE_PIN), budget);
        this.prefetcher = new BlockPrefetcher(settings, finder, checksums, opener, metrics, guard, new Prefetches());
        this.decisions = new PrefetchDecisions(settings, prefetcher, metrics);
        this.streams = new BlockStreams(finder, decisions, prefetcher, guard);
        this.connections = new SessionConnections(2 * settings.get(DataNodeKeys.SESSIONS_MAX));
        this.ticker = Executors.newSingleThreadScheduledExecutor(new OwnThreads("foresight-ticker", metrics));
        this.windows = new WindowReadAhead(
                settings, finder, prefetcher::lane, prefetcher::inOrder, prefetcher::isBehind, opener, metrics, guard);
        metrics.gauge("CapacityBytes", "The most memory of prefetched blocks", settings::capacityBytes);
        metrics.gauge(
                "Enabled",
                "1 while the read-ahead works, 0 after the read-ahead switched itself off",
                () -> isOff() ? 0 : 1);
        publish(budget);
        ScheduledFuture<?> unused =
                ticker.scheduleWithFixedDelay(this::tickAlways, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void publish(FileBudget budget) {
        metrics.gauge("Descriptors", "Open file descriptors of prefetched blocks and windows", budget::descriptors);
        metrics.gauge(
                "DescriptorsMax",
                "The most open file descriptors of prefetched blocks and windows",
                budget::maxDescriptors);
        metrics.gauge("Mappings", "Memory mappings of prefetched blocks and windows", budget::mappings);
        metrics.gauge("MappingsMax", "The most memory mappings of prefetched blocks and windows", budget::maxMappings);
    }

    /** Whether nothing is prefetched any more: closed, or switched off after too many failures. */
    public boolean isOff() {
        return closed || guard.isTripped();
    }

    /** Runs what belongs to the read-ahead in HDFS's calls. */
    public Guard guard() {
        return guard;
    }

    public BlockFiles.Finder finder() {
        return finder;
    }

    public WindowReadAhead windows() {
        return windows;
    }

    // ---- hints ----

    /** Takes a hint whose blocks have been checked; returns how many found room. */
    public int hint(SessionId id, Reader reader, List<HintedBlock> blocks, boolean sequential) {
        int accepted = decisions.hint(id, reader, blocks, sequential);
        streams.follow(blocks);
        return accepted;
    }

    /** Takes blocks that have been checked and that will be read soon, in whatever order; returns how many found room. */
    public int warm(Reader reader, List<HintedBlock> blocks) {
        int accepted = decisions.warm(reader, blocks);
        streams.follow(blocks);
        return accepted;
    }

    /** From now on sessions end with the connections of their clients. */
    public void followConnections(Supplier<Set<CallerConnection>> open) {
        openConnections = open;
    }

    /** A session's client has called; see {@link SessionConnections#called}. */
    public void called(SessionId id, @Nullable CallerConnection connection, int idleMillis) {
        connections.called(id, connection, idleMillis, System.nanoTime());
    }

    public Optional<ReadAhead.Progress> progress(SessionId id) {
        return decisions.progress(id);
    }

    public void release(SessionId id) {
        connections.ended(id);
        try {
            windows.released(id);
        } finally {
            decisions.release(id);
        }
    }

    // ---- reads and writes ----

    /**
     * Wraps a block's stock stream so that its progress is seen; gives the stock stream back where it cannot. Streams of the block scanner
     * and of copies are wrapped too: they hint nothing, but use the disk.
     */
    public InputStream observe(ExtendedBlock block, long offset, InputStream stock) {
        String thread = Thread.currentThread().getName();
        if (closed || !(stock instanceof FileInputStream)) {
            return stock;
        }
        return guard.call(
                "observe a read", stock, () -> streams.observe(block, offset, (FileInputStream) stock, thread));
    }

    boolean isLoaded(BlockKey key, long position) {
        return prefetcher.isLoaded(key, position);
    }

    boolean isCopiedTo(FsVolumeSpi volume) {
        return prefetcher.isCopiedTo(volume);
    }

    /** A volume's lane; for tests. */
    VolumeLane lane(FsVolumeSpi volume) {
        return prefetcher.lane(volume);
    }

    /** Somebody writes to a block on a volume; once a packet. */
    public void demandSeen(FsVolumeSpi volume) {
        prefetcher.demandSeen(volume, System.nanoTime());
    }

    /** A replica is being copied onto or from a volume, until the returned is run; a second run does nothing. */
    public Runnable copyBegins(FsVolumeSpi volume) {
        return prefetcher.copyBegins(volume);
    }

    /** The block was deleted, appended to, recovered or moved: the earlier decisions about it no longer hold. */
    public void invalidated(String blockPool, long blockId) {
        BlockKey key = new BlockKey(blockPool, blockId);
        guard.run("forget a changed block's windows", () -> windows.invalidated(key));
        guard.run("forget a changed block", () -> decisions.changed(key));
    }

    private final class Prefetches implements BlockPrefetcher.Listener {
        @Override
        public void loaded(BlockKey key) {
            decisions.loaded(key);
        }

        @Override
        public void failed(BlockKey key) {
            decisions.failed(key);
        }

        @Override
        public void changed(BlockKey key) {
            invalidated(key.blockPool(), key.blockId());
        }
    }

    // ---- time and end ----

    /**
     * Throws nothing, or the executor would never call it again. Lanes are looked after even if the guard has tripped: they hold memory.
     */
    private void tickAlways() {
        guard.runAlways("look after its lanes", prefetcher::reviveLanes);
        guard.runOnOwnThread("age its cache", this::tick);
    }

    private void tick() {
        guard.runOnOwnThread("end sessions of clients that have ended", this::endCutOff);
        windows.tick(System.nanoTime());
        decisions.tick();
        if (++ticks % TICKS_PER_VOLUME_CHECK == 0) {
            lookForReplaced();
        }
    }

    /** Ends the sessions and windows of clients whose connections are closed. */
    private void endCutOff() {
        Supplier<Set<CallerConnection>> open = openConnections;
        if (open == null) {
            return;
        }
        Set<SessionId> cutOff = connections.takeCutOff(
                open,
                id -> windows.isHeld(id) || progress(id).isPresent(),
                id -> progress(id).map(progress -> progress.openStreams() > 0).orElse(false),
                System.nanoTime());
        for (SessionId id : cutOff) {
            metrics.sessionsCutOff.incr();
            release(id);
        }
    }

    /** Looks for volumes and replicas that HDFS no longer has; later if the dispatcher is behind. */
    private void lookForReplaced() {
        if (!prefetcher.isBehind()) {
            dropDeadVolumes();
            windows.dropReplacedReplicas();
            prefetcher.dropReplacedReplicas();
        }
    }

    /** Releases the blocks prefetched from volumes that are no longer in service; returns their lanes, which end. */
    @CanIgnoreReturnValue
    private List<VolumeLane> dropDeadVolumes() {
        List<VolumeLane> ending = prefetcher.lanesOutside(volumesInService.get());
        for (VolumeLane lane : ending) {
            LOG.info("Volume {} is out of service; its prefetched blocks are dropped", lane.volume());
            windows.dropped(lane.volume());
            prefetcher.drop(lane);
        }
        return ending;
    }

    /**
     * Volumes were taken out of service: releases the blocks prefetched from them. Waits until no descriptor and no mapping of theirs is
     * left, so that they can be unmounted at once. The wait takes a few seconds at most, for a disk may hang.
     */
    public void volumesRemoved() {
        guard.run("give up removed volumes", () -> {
            List<VolumeLane> ending = dropDeadVolumes();
            long deadline = System.nanoTime() + RELEASE_NANOS;
            for (VolumeLane lane : ending) {
                lane.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            }
        });
    }

    /** A block pool is no longer served: its prefetched blocks are released. */
    public void poolRemoved(String blockPool) {
        guard.run("give up a block pool", () -> {
            windows.droppedPool(blockPool);
            prefetcher.dropPool(blockPool);
        });
    }

    private void giveEverythingUp() {
        windows.clear();
        prefetcher.giveEverythingUp();
    }

    /** Ends all sessions, gives all memory back and stops the threads; waits a few seconds at most. */
    @Override
    public void close() {
        windows.clear();
        if (decisions.close()) {
            closed = true;
            ticker.shutdownNow();
            prefetcher.close();
        }
    }
}

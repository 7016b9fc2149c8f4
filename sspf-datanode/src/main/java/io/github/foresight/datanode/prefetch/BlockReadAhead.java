/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.Decision;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.hint.StreamEvents;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.lane.VolumeLane;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileBudget;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.replica.Footprint;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.stream.ObservedBlockInputStream;
import io.github.foresight.datanode.stream.OpenStreams;
import io.github.foresight.datanode.stream.StreamListener;
import io.github.foresight.datanode.window.WindowReadAhead;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.ipc.CallerConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins {@link ReadAhead} to a DataNode: feeds it what happens and has its decisions carried out.
 *
 * <p>Events come on HDFS's threads and hold {@code lock} for the decision only, never over I/O nor over one of HDFS's locks.
 * The decisions that follow go in order to a {@link BlockPrefetcher}. Whatever fails here, the read it came from goes on as with
 * stock HDFS. Thread-safe.
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
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ReadAhead readAhead;

    /** What of a block's streams is of interest; asked without the lock. */
    private final Function<BlockKey, StreamEvents> neededEvents;

    @GuardedBy("lock")
    private final MultiQueueCache<BlockKey> cache;

    private final SessionConnections connections;

    /** The connections that the DataNode's RPC server has; null until they are known. */
    private volatile @Nullable Supplier<Set<CallerConnection>> openConnections;

    private final OpenStreams openStreams = new OpenStreams();
    private final StreamListener streamListener = new Streams();
    private final AtomicLong nextStreamId = new AtomicLong();
    private final BlockPrefetcher prefetcher;
    private final WindowReadAhead windows;
    private final ScheduledExecutorService ticker;
    private volatile boolean tracksAny;
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
        MultiQueueCache<BlockKey> queues = new MultiQueueCache<>(settings.cache());
        this.cache = queues;
        ReadAhead decides = new ReadAhead(settings.readAhead(), queues, Footprint::ofBlock);
        this.readAhead = decides;
        this.neededEvents = decides::neededEvents;
        FileBudget budget = new FileBudget(settings.descriptorsMax(), settings.mappingsMax());
        FileOpener opener = new FileOpener(settings.get(DataNodeKeys.CACHE_PIN), budget);
        this.prefetcher = new BlockPrefetcher(settings, finder, checksums, opener, metrics, guard, new Prefetches());
        this.connections = new SessionConnections(2 * settings.get(DataNodeKeys.SESSIONS_MAX));
        this.ticker = Executors.newSingleThreadScheduledExecutor(new OwnThreads("foresight-ticker", metrics));
        this.windows = new WindowReadAhead(
                settings, finder, prefetcher::lane, prefetcher::inOrder, prefetcher::isBehind, opener, metrics, guard);
        metrics.gauge("CapacityBytes", "The most memory of prefetched blocks", settings::capacityBytes);
        metrics.gauge(
                "Enabled",
                "1 while the read-ahead works, 0 after the read-ahead switched itself off",
                () -> isOff() ? 0 : 1);
        ReadAheadGauges gauges = new ReadAheadGauges(metrics, lock);
        gauges.register(decides);
        gauges.register(queues);
        gauges.register(budget);
        ScheduledFuture<?> unused =
                ticker.scheduleWithFixedDelay(this::tickAlways, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
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
        ReadAhead.HintResult result;
        synchronized (lock) {
            holdBackIfBehind();
            result = readAhead.hint(id, reader, blocks, sequential, System.nanoTime());
            dispatch(result.decisions());
        }
        return taken(blocks, result.accepted());
    }

    /** Takes blocks that have been checked and that will be read soon, in whatever order; returns how many found room. */
    public int warm(Reader reader, List<HintedBlock> blocks) {
        ReadAhead.HintResult result;
        synchronized (lock) {
            holdBackIfBehind();
            result = readAhead.warm(reader, blocks, System.nanoTime());
            dispatch(result.decisions());
        }
        return taken(blocks, result.accepted());
    }

    @GuardedBy("lock")
    private void holdBackIfBehind() {
        boolean behind = prefetcher.isBehind();
        if (behind) {
            metrics.heldBack.incr();
        }
        readAhead.holdBack(behind);
    }

    private int taken(List<HintedBlock> blocks, int accepted) {
        metrics.hintedBlocks.incr(accepted);
        tracksAny = true;
        for (HintedBlock block : blocks) {
            openStreams.forEach(block.key(), this::announce);
        }
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
        synchronized (lock) {
            return readAhead.progress(id);
        }
    }

    public void release(SessionId id) {
        connections.ended(id);
        try {
            windows.released(id);
        } finally {
            synchronized (lock) {
                dispatch(readAhead.release(id, System.nanoTime()));
            }
        }
    }

    // ---- reads ----

    /**
     * Wraps a block's stock stream so that its progress is seen; gives the stock stream back where it cannot. Streams of the block scanner
     * and of copies are wrapped too: they hint nothing, but use the disk.
     */
    public InputStream observe(ExtendedBlock block, long offset, InputStream stock) {
        String thread = Thread.currentThread().getName();
        if (closed || !(stock instanceof FileInputStream)) {
            return stock;
        }
        return guard.call("observe a read", stock, () -> wrap(block, offset, (FileInputStream) stock, thread));
    }

    private InputStream wrap(ExtendedBlock block, long offset, FileInputStream stock, String thread) {
        BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
        ObservedBlockInputStream stream;
        try {
            stream = new ObservedBlockInputStream(
                    stock,
                    streamListener,
                    nextStreamId.incrementAndGet(),
                    key,
                    block.getGenerationStamp(),
                    offset,
                    thread);
        } catch (IOException e) {
            throw new IllegalStateException("no file descriptor in " + stock, e);
        }
        openStreams.opened(stream);
        if (tracksAny) {
            announce(stream);
        }
        return stream;
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

    private @Nullable FsVolumeSpi volumeOf(BlockKey key) {
        Optional<FsVolumeSpi> none = Optional.empty();
        return guard.call(
                        "find a block's volume",
                        none,
                        () -> Optional.ofNullable(finder.volumeOf(key.blockPool(), key.blockId())))
                .orElse(null);
    }

    /** Somebody writes to a block on a volume; once a packet. */
    public void demandSeen(FsVolumeSpi volume) {
        prefetcher.demandSeen(volume, System.nanoTime());
    }

    /** A replica is being copied onto or from a volume, until the returned is run; a second run does nothing. */
    public Runnable copyBegins(FsVolumeSpi volume) {
        return prefetcher.copyBegins(volume);
    }

    private void announce(ObservedBlockInputStream stream) {
        // Of most blocks no hint is known, and whom a stream serves takes longer to find out.
        StreamEvents needed = neededEvents.apply(stream.key());
        if (needed == StreamEvents.NONE || !stream.servesClient()) {
            return;
        }
        if (needed == StreamEvents.CLOSE) {
            stream.follow(StreamEvents.CLOSE);
            return;
        }
        synchronized (lock) {
            if (readAhead.neededEvents(stream.key()) == StreamEvents.NONE) {
                return;
            }
            stream.follow(StreamEvents.ALL);
            opened(stream);
        }
        stream.report();
    }

    @GuardedBy("lock")
    private void opened(ObservedBlockInputStream stream) {
        dispatch(readAhead.streamOpened(
                stream.key(), stream.generationStamp(), stream.id(), stream.reader(), System.nanoTime()));
    }

    /** Receives the reports of the open streams. */
    private final class Streams implements StreamListener {
        @Override
        public void bytesSent(ObservedBlockInputStream stream, long position, long bytes) {
            guard.run("follow a read", () -> {
                prefetcher.countUse(stream.key(), position);
                synchronized (lock) {
                    dispatch(readAhead.bytesSent(stream.key(), stream.reader(), position, bytes, System.nanoTime()));
                }
            });
        }

        @Override
        public boolean isLoaded(BlockKey key, long position) {
            return BlockReadAhead.this.isLoaded(key, position);
        }

        @Override
        public void demandSeen(ObservedBlockInputStream stream) {
            long now = System.nanoTime();
            if (prefetcher.isAnyLaneAtWork(now)) {
                FsVolumeSpi volume = stream.volume(BlockReadAhead.this::volumeOf);
                if (volume != null) {
                    prefetcher.demandSeen(volume, now);
                }
            }
        }

        @Override
        public void closed(ObservedBlockInputStream stream, StreamEvents needed) {
            openStreams.closed(stream);
            if (needed == StreamEvents.NONE) {
                return;
            }
            guard.run("end a read", () -> {
                if (needed == StreamEvents.ALL) {
                    stream.report();
                }
                long position = stream.isShortCircuit() ? Long.MAX_VALUE : stream.position();
                prefetcher.countUse(stream.key(), position);
                synchronized (lock) {
                    if (needed == StreamEvents.CLOSE) {
                        opened(stream);
                    }
                    dispatch(readAhead.streamClosed(
                            stream.key(), stream.id(), stream.reader(), position, System.nanoTime()));
                }
            });
        }
    }

    /** The block was deleted, appended to, recovered or moved: the earlier decisions about it no longer hold. */
    public void invalidated(String blockPool, long blockId) {
        guard.run("forget a changed block's windows", () -> windows.invalidated(new BlockKey(blockPool, blockId)));
        if (!tracksAny) {
            return;
        }
        guard.run("forget a changed block", () -> {
            BlockKey key = new BlockKey(blockPool, blockId);
            if (neededEvents.apply(key) != StreamEvents.NONE) {
                synchronized (lock) {
                    metrics.invalidatedBlocks.incr();
                    dispatch(readAhead.invalidated(key, System.nanoTime()));
                }
            }
        });
    }

    // ---- decisions ----

    /** Hands decisions on, in order. The next decision begins no block if the dispatcher is behind then. */
    @GuardedBy("lock")
    private void dispatch(List<Decision> decisions) {
        if (!decisions.isEmpty() && !closed) {
            prefetcher.carryOut(decisions);
            readAhead.holdBack(prefetcher.isBehind());
        }
    }

    private final class Prefetches implements BlockPrefetcher.Listener {
        @Override
        public void loaded(BlockKey key) {
            synchronized (lock) {
                dispatch(readAhead.prefetched(key, System.nanoTime()));
            }
        }

        @Override
        public void failed(BlockKey key) {
            synchronized (lock) {
                dispatch(readAhead.invalidated(key, System.nanoTime()));
            }
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
        synchronized (lock) {
            readAhead.holdBack(prefetcher.isBehind());
            dispatch(readAhead.tick(System.nanoTime()));
            tracksAny = readAhead.sessionCount() > 0 || cache.usedBytes() > 0;
        }
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
        synchronized (lock) {
            if (closed) {
                return;
            }
            dispatch(readAhead.clear());
            closed = true;
        }
        ticker.shutdownNow();
        prefetcher.close();
    }
}

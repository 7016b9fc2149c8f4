/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.Decision;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.lane.LoadTask;
import io.github.foresight.datanode.lane.VolumeLane;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.pagecache.OverBudgetException;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the decisions of a {@link io.github.foresight.core.hint.ReadAhead}: finds replicas' files, has the volumes' lanes read them
 * into memory and give them back, and counts the outcomes.
 *
 * <p>Its tasks run in order on one thread, the dispatcher. Thread-safe.
 */
final class BlockPrefetcher implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockPrefetcher.class);
    private static final long STOP_SECONDS = 5;

    /** What becomes of blocks whose prefetch was decided. Called on any thread, without a lock of the prefetcher's. */
    interface Listener {
        /** All that was wanted of the block is in memory. */
        void loaded(BlockKey key);

        /** The block could not be read ahead; its locked pages are not released yet. */
        void failed(BlockKey key);

        /** The replica was replaced or deleted, or its volume was removed. */
        void changed(BlockKey key);
    }

    private final BlockFiles.Finder finder;
    private final ChecksumSource checksums;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final Listener listener;
    private final FileOpener opener;
    private final long chunkBytes;
    private final int queueMax;
    private final int laneQueueMax;
    private final AtomicInteger queued = new AtomicInteger();
    private final ConcurrentHashMap<BlockKey, LoadTask> loads = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<FsVolumeSpi, VolumeLane> lanes = new ConcurrentHashMap<>();

    /** How many replicas are being copied onto or from a volume just now; no volume stands here without any. */
    private final ConcurrentHashMap<FsVolumeSpi, Integer> copies = new ConcurrentHashMap<>();

    private final ExecutorService dispatcher;

    /** Starts with nothing in memory. */
    BlockPrefetcher(
            DataNodeSettings settings,
            BlockFiles.Finder finder,
            ChecksumSource checksums,
            FileOpener opener,
            ReadAheadMetrics metrics,
            Guard guard,
            Listener listener) {
        this.finder = finder;
        this.checksums = checksums;
        this.metrics = metrics;
        this.guard = guard;
        this.listener = listener;
        this.opener = opener;
        this.chunkBytes = settings.get(DataNodeKeys.CHUNK);
        this.dispatcher = Executors.newSingleThreadExecutor(new OwnThreads("foresight-dispatcher", metrics));
        this.queueMax = settings.get(DataNodeKeys.QUEUE_MAX);
        this.laneQueueMax = settings.get(DataNodeKeys.LANE_QUEUE_MAX);
        metrics.gauge("QueueDepth", "Decisions of the read-ahead that wait to be carried out", queued::get);
        metrics.gauge("LaneDepth", "Prefetches that wait or run on all volumes", () -> lanes.values().stream()
                .mapToLong(VolumeLane::depth)
                .sum());
    }

    /** Runs a task on the dispatcher's thread, after all earlier tasks; not after the end. */
    void inOrder(Runnable task) {
        inOrder(1, task);
    }

    private void inOrder(int steps, Runnable task) {
        queued.addAndGet(steps);
        try {
            dispatcher.execute(() -> {
                queued.addAndGet(-steps);
                guard.runAlways("carry out a step", task::run);
            });
        } catch (RejectedExecutionException e) {
            queued.addAndGet(-steps);
            LOG.debug("A decision was made after the end", e);
        }
    }

    /**
     * Whether so many steps wait for the dispatcher that nothing new should be begun. Steps that follow from blocks begun before are
     * still taken, for these give memory back; the number of these steps is bounded by the blocks.
     */
    boolean isBehind() {
        return queued.get() >= queueMax;
    }

    /**
     * Carries out decisions after all earlier decisions; a decision that fails does not keep the next from being carried out.
     */
    void carryOut(List<Decision> decisions) {
        inOrder(decisions.size(), () -> {
            for (Decision decision : decisions) {
                guard.runOnOwnThread("carry out a decision", () -> carryOut(decision));
            }
        });
    }

    private void carryOut(Decision decision) {
        LoadTask task = loads.get(decision.block().key());
        switch (decision.kind()) {
            case PREFETCH:
                beginOrGiveUp(decision.block(), decision.limitBytes());
                break;
            case EXTEND:
                if (task != null) {
                    task.extendTo(decision.limitBytes());
                    lane(task.files().volume()).reconsider();
                }
                break;
            case EXPEDITE:
                if (task != null) {
                    task.expedite();
                    lane(task.files().volume()).reconsider();
                }
                break;
            case UNPIN:
                end(task, false);
                break;
            case DISCARD:
                end(task, true);
                break;
        }
    }

    private void beginOrGiveUp(HintedBlock block, long limitBytes) {
        try {
            begin(block, limitBytes);
        } catch (Throwable e) {
            listener.failed(block.key());
            throw e;
        }
    }

    private void begin(HintedBlock block, long limitBytes) {
        BlockKey key = block.key();
        Optional<BlockFiles> files = find(block);
        if (!files.isPresent()) {
            listener.changed(key);
            return;
        }
        LoadTask task = new LoadTask(block, files.get(), limitBytes, opener, checksums);
        end(loads.put(key, task), false);
        if (!lane(files.get().volume()).add(task)) {
            metrics.laneRefusals.incr();
            listener.failed(key);
        }
    }

    private void end(@Nullable LoadTask task, boolean discard) {
        if (task == null) {
            return;
        }
        lane(task.files().volume()).close(task, discard ? () -> discard(task) : task::unpin);
        loads.remove(task.block().key(), task);
        if (!task.isComplete()) {
            metrics.cancelledPrefetches.incr();
        }
        metrics.wastedBytes.incr(task.unusedBytes());
        if (!task.wasUsed()) {
            metrics.wastedBlocks.incr();
        }
    }

    /** The files of a finalized replica whose generation stamp and length are those of the hint. */
    private Optional<BlockFiles> find(HintedBlock block) {
        return finder.find(block.key().blockPool(), block.key().blockId())
                .filter(found -> found.generationStamp() == block.generationStamp()
                        && found.lengthBytes() == block.lengthBytes());
    }

    /** On the lane's thread. By now the file may be appended to, and the pages of a file being written are the writer's. */
    private void discard(LoadTask task) throws IOException {
        if (find(task.block()).isPresent()) {
            task.discard();
        } else {
            task.unpin();
        }
    }

    /** Counts a block's bytes that were sent to a reader from prefetched pages, if there are any. */
    void countUse(BlockKey key, long position) {
        LoadTask task = loads.get(key);
        if (task != null) {
            metrics.usedBytes.incr(task.served(position));
            if (task.isServed() && task.isFirstUse()) {
                metrics.usedBlocks.incr();
            }
        }
    }

    // ---- volumes ----

    /** The volume's lane, which is started if there is none. */
    VolumeLane lane(FsVolumeSpi volume) {
        return lanes.computeIfAbsent(volume, unused -> {
            VolumeLane lane = new VolumeLane(volume, chunkBytes, laneQueueMax, metrics, guard, new LaneEvents());
            lane.start();
            return lane;
        });
    }

    /** Gives each lane whose thread has died another thread. */
    void reviveLanes() {
        lanes.values().forEach(VolumeLane::reviveIfDead);
    }

    /** Whether a prefetch has brought a block into memory up to a position. */
    boolean isLoaded(BlockKey key, long position) {
        LoadTask task = loads.get(key);
        return task != null && task.isLoaded(position);
    }

    /** Whether any lane reads, or has read within the last second. Only then are reports of demand reads needed. */
    boolean isAnyLaneAtWork(long nowNanos) {
        for (VolumeLane lane : lanes.values()) {
            if (lane.isAtWork(nowNanos)) {
                return true;
            }
        }
        return false;
    }

    /** Somebody else has just used a volume's disk. */
    void demandSeen(FsVolumeSpi volume, long nowNanos) {
        VolumeLane lane = lanes.get(volume);
        if (lane != null) {
            lane.demandSeen(nowNanos);
        }
    }

    /** A replica is being copied onto or from a volume, until the returned is run; a second run does nothing. */
    Runnable copyBegins(FsVolumeSpi volume) {
        metrics.copies.incr();
        copies.merge(volume, 1, Integer::sum);
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                copies.computeIfPresent(volume, (unused, count) -> count == 1 ? null : count - 1);
            }
        };
    }

    boolean isCopiedTo(FsVolumeSpi volume) {
        return copies.containsKey(volume);
    }

    /** The lanes of volumes that are not among the given ones. */
    List<VolumeLane> lanesOutside(Set<FsVolumeSpi> inService) {
        return lanes.values().stream()
                .filter(lane -> !inService.contains(lane.volume()))
                .collect(ImmutableList.toImmutableList());
    }

    /** Tells of a volume's blocks that they changed, and ends its lane once all that follows from that is carried out. */
    void drop(VolumeLane lane) {
        changed(task -> task.files().volume() == lane.volume());
        // Once more in order: what stands in the dispatcher's queue now may add decisions for this lane.
        inOrder(() -> inOrder(() -> {
            lanes.remove(lane.volume(), lane);
            lane.retire();
        }));
    }

    /** Tells of the blocks of a block pool that they changed. */
    void dropPool(String blockPool) {
        changed(task -> task.block().key().blockPool().equals(blockPool));
    }

    /** Tells of the blocks that HDFS no longer has where they were read from, however that came about. */
    void dropReplacedReplicas() {
        changed(task -> {
            BlockKey key = task.block().key();
            return !finder.find(key.blockPool(), key.blockId())
                    .filter(task.files()::isSameReplica)
                    .isPresent();
        });
    }

    private void changed(Predicate<LoadTask> which) {
        for (LoadTask task : loads.values()) {
            if (which.test(task)) {
                listener.changed(task.block().key());
            }
        }
    }

    private final class LaneEvents implements VolumeLane.Listener {
        @Override
        public boolean isCopiedTo(FsVolumeSpi volume) {
            return BlockPrefetcher.this.isCopiedTo(volume);
        }

        @Override
        public void loaded(LoadTask task) {
            metrics.prefetchedBlocks.incr();
            listener.loaded(task.block().key());
        }

        @Override
        public void failed(LoadTask task, IOException cause) {
            if (task.isCancelled()) {
                return;
            }
            if (cause instanceof OverBudgetException) {
                metrics.overBudget.incr();
                LOG.debug("{} is read without prefetch", task, cause);
            } else {
                metrics.prefetchErrors.incr();
                LOG.warn("{} failed; it is read without prefetch: {}", task, cause.toString());
            }
            listener.failed(task.block().key());
        }
    }

    // ---- end ----

    /** Gives back at once all that was read into memory, whatever was decided. */
    void giveEverythingUp() {
        loads.values().forEach(task -> end(task, false));
    }

    /** Carries out the tasks handed over until now, for a few seconds at most, and stops the threads. */
    @Override
    public void close() {
        dispatcher.shutdown();
        try {
            if (!dispatcher.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Decisions are still being carried out after {} s", STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        VolumeLane.stopAll(lanes.values());
    }
}

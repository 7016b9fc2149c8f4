/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.window;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.window.BlockExtent;
import io.github.foresight.core.window.Extent;
import io.github.foresight.core.window.WindowTable;
import io.github.foresight.core.window.WindowTable.Decision;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.lane.VolumeLane;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.pagecache.OverBudgetException;
import io.github.foresight.datanode.pagecache.PageSize;
import io.github.foresight.datanode.pagecache.ResidentRanges;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.Footprint;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins {@link WindowTable} to a DataNode: takes clients' windows and has them read by the volumes' lanes.
 *
 * <p>The lock is held for decisions only; they go in order to the dispatcher, which finds the files and hands the work on.
 * Thread-safe.
 */
public final class WindowReadAhead {

    private static final Logger LOG = LoggerFactory.getLogger(WindowReadAhead.class);
    private static final long LATE_CHUNK_BYTES = 1 << 20;

    private final BlockFiles.Finder finder;
    private final Function<FsVolumeSpi, VolumeLane> lanes;
    private final Executor dispatcher;
    private final BooleanSupplier isBehind;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final boolean enabled;
    private final FileOpener opener;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final WindowTable table;

    /** Belongs to the dispatcher's thread. */
    private final Map<SessionId, Map<BlockKey, WindowPart>> parts = new HashMap<>();

    public WindowReadAhead(
            DataNodeSettings settings,
            BlockFiles.Finder finder,
            Function<FsVolumeSpi, VolumeLane> lanes,
            Executor dispatcher,
            BooleanSupplier isBehind,
            FileOpener opener,
            ReadAheadMetrics metrics,
            Guard guard) {
        this.finder = finder;
        this.lanes = lanes;
        this.dispatcher = dispatcher;
        this.isBehind = isBehind;
        this.metrics = metrics;
        this.guard = guard;
        this.enabled = settings.get(DataNodeKeys.WINDOW_ENABLED) && settings.windowCapacityBytes() > 0;
        this.opener = opener;
        this.table = new WindowTable(
                settings.get(DataNodeKeys.SESSIONS_MAX),
                settings.windowCapacityBytes(),
                settings.get(DataNodeKeys.SESSIONS_CALLER_SHARE),
                settings.get(DataNodeKeys.SESSION_IDLE_TIME).toNanos(),
                Footprint::ofBlock);
        metrics.gauge("WindowCapacityBytes", "The most memory of windows", settings::windowCapacityBytes);
        metrics.gauge("Windows", "Windows of clients", () -> {
            synchronized (lock) {
                return table.windowCount();
            }
        });
        metrics.gauge("WindowBytes", "Memory of windows, including the parts that are not read yet", () -> {
            synchronized (lock) {
                return table.usedBytes();
            }
        });
        metrics.gauge("WindowEvictions", "Windows evicted because another window needed the memory", () -> {
            synchronized (lock) {
                return table.evictions();
            }
        });
    }

    public boolean isEnabled() {
        return enabled;
    }

    /**
     * Takes a client's window whose blocks have been checked. False if the window does not fit or the dispatcher is behind; the old window
     * goes then.
     */
    public boolean moved(SessionId id, List<BlockExtent> window) {
        metrics.windowRequests.incr();
        if (isBehind.getAsBoolean()) {
            metrics.heldBack.incr();
            released(id);
            return false;
        }
        List<BlockExtent> inPages = new ArrayList<>(window.size());
        for (BlockExtent part : window) {
            inPages.add(new BlockExtent(part.key(), part.generationStamp(), inPages(part.extent())));
        }
        synchronized (lock) {
            List<Decision> decisions = new ArrayList<>();
            boolean taken = table.moved(id, inPages, System.nanoTime(), decisions);
            dispatch(decisions);
            return taken;
        }
    }

    /** Pages are locked and unlocked whole. */
    private static Extent inPages(Extent extent) {
        return extent.isEmpty()
                ? extent
                : Extent.of(ResidentRanges.pageBegin(extent.begin()), PageSize.roundUp(extent.end()));
    }

    public void released(SessionId id) {
        synchronized (lock) {
            dispatch(table.released(id));
        }
    }

    /** The block was deleted, appended to, recovered or moved: the extents known of it no longer hold. */
    public void invalidated(BlockKey key) {
        synchronized (lock) {
            if (table.windowCount() > 0) {
                dispatch(table.invalidated(key));
            }
        }
    }

    public void tick(long nowNanos) {
        synchronized (lock) {
            dispatch(table.tick(nowNanos));
        }
    }

    public void clear() {
        synchronized (lock) {
            dispatch(table.clear());
        }
    }

    /** Releases the extents read from a volume that is out of service. */
    public void dropped(FsVolumeSpi volume) {
        dropped((key, part) -> part.files().volume() == volume);
    }

    /** Releases the extents read of a block pool that is no longer served. */
    public void droppedPool(String blockPool) {
        dropped((key, part) -> key.blockPool().equals(blockPool));
    }

    /** Gives up what HDFS no longer has where it was read from, however that came about. */
    public void dropReplacedReplicas() {
        dropped((key, part) -> !finder.find(key.blockPool(), key.blockId())
                .filter(part.files()::isSameReplica)
                .isPresent());
    }

    private void dropped(BiPredicate<BlockKey, WindowPart> which) {
        dispatcher.execute(() -> {
            Set<BlockKey> lost = new HashSet<>();
            parts.values()
                    .forEach(window -> window.forEach((key, part) -> {
                        if (which.test(key, part)) {
                            lost.add(key);
                        }
                    }));
            lost.forEach(this::invalidated);
        });
    }

    @GuardedBy("lock")
    private void dispatch(List<Decision> decisions) {
        if (!decisions.isEmpty()) {
            List<Decision> ordered = ImmutableList.copyOf(decisions);
            dispatcher.execute(() -> ordered.forEach(this::carryOut));
        }
    }

    private void carryOut(Decision decision) {
        // Taken memory is returned even after the guard has tripped.
        if (decision.kind() == Decision.Kind.GIVE_UP) {
            guard.runAlways("give up a window", () -> giveUp(decision.session(), decision.part()));
        } else {
            guard.runOnOwnThread("carry out a window", () -> load(decision.session(), decision.part()));
        }
    }

    private void load(SessionId id, BlockExtent extent) {
        WindowPart part = partFor(id, extent);
        if (part == null) {
            invalidated(extent.key());
            return;
        }
        part.plan(extent.extent().lengthBytes());
        if (lanes.apply(part.files().volume()).read(() -> loadWanted(id, extent, part))) {
            part.submitted();
        } else {
            metrics.laneRefusals.incr();
            invalidated(extent.key());
        }
    }

    private @Nullable WindowPart partFor(SessionId id, BlockExtent extent) {
        Map<BlockKey, WindowPart> window = parts.get(id);
        WindowPart known = window == null ? null : window.get(extent.key());
        if (known != null) {
            return known;
        }
        Optional<BlockFiles> files = finder.find(
                        extent.key().blockPool(), extent.key().blockId())
                .filter(found -> found.generationStamp() == extent.generationStamp());
        if (!files.isPresent()) {
            return null;
        }
        WindowPart opened = new WindowPart(files.get(), opener);
        parts.computeIfAbsent(id, unused -> new HashMap<>()).put(extent.key(), opened);
        return opened;
    }

    /** On the lane's thread. By now the window may have moved on. */
    private void loadWanted(SessionId id, BlockExtent extent, WindowPart part) {
        Extent wanted;
        synchronized (lock) {
            wanted = table.wanted(id, extent);
        }
        for (Extent missed : extent.extent().minus(wanted)) {
            loadLate(id, part.files(), missed);
        }
        if (wanted.isEmpty()) {
            return;
        }
        try {
            part.load(wanted, metrics);
            metrics.windowBytes.incr(Math.min(wanted.end(), part.files().lengthBytes()) - wanted.begin());
        } catch (OverBudgetException e) {
            metrics.overBudget.incr();
            LOG.debug("{} is read without a window", extent, e);
            invalidated(extent.key());
        } catch (IOException e) {
            metrics.prefetchErrors.incr();
            LOG.warn("{} is read without a window: {}", extent, e.toString());
            invalidated(extent.key());
        }
    }

    /**
     * The window was faster than the disk, but its client assumes that the extents of its window were read, and comes back to them: it is
     * read when the disk has nothing else to do, and left to the page cache.
     */
    private void loadLate(SessionId id, BlockFiles files, Extent missed) {
        for (long begin = missed.begin(); begin < missed.end(); begin += LATE_CHUNK_BYTES) {
            Extent chunk = Extent.of(begin, Math.min(missed.end(), begin + LATE_CHUNK_BYTES));
            lanes.apply(files.volume()).readWhenIdle(() -> readLate(id, files, chunk));
        }
    }

    private void readLate(SessionId id, BlockFiles files, Extent chunk) {
        if (!isHeld(id)) {
            return;
        }
        WindowPart once = new WindowPart(files, opener.unpinned());
        try {
            try {
                once.load(chunk, metrics);
            } finally {
                once.close();
            }
            metrics.windowLateBytes.incr(chunk.lengthBytes());
        } catch (OverBudgetException e) {
            metrics.overBudget.incr();
            LOG.debug("{} of {} is not read late", chunk, files.data(), e);
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted", files.data(), e);
        } catch (IOException e) {
            metrics.prefetchErrors.incr();
            LOG.debug("{} of {} is not read late", chunk, files.data(), e);
        }
    }

    public boolean isHeld(SessionId id) {
        synchronized (lock) {
            return table.isHeld(id);
        }
    }

    private void giveUp(SessionId id, BlockExtent extent) {
        Map<BlockKey, WindowPart> window = parts.get(id);
        WindowPart part = window == null ? null : window.get(extent.key());
        if (window == null || part == null) {
            return;
        }
        boolean last = part.plan(-extent.extent().lengthBytes()) <= 0;
        if (part.isSubmitted()) {
            lanes.apply(part.files().volume()).release(last ? part::close : () -> part.release(extent.extent()));
        }
        if (last) {
            window.remove(extent.key());
            if (window.isEmpty()) {
                parts.remove(id);
            }
        }
    }
}

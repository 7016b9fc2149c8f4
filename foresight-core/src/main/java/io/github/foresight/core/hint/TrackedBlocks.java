/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.cache.Admission;
import io.github.foresight.core.cache.Eviction;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.HintSession.Entry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that a session hints or that the cache holds, and whether each is in memory, loading, and still needed.
 * Methods add their decisions to the lists that callers pass in.
 *
 * <p>The number of blocks is bounded by the hints of the sessions and by the cache. An operation takes time linear in
 * the sessions that hint its block. Not thread-safe, except {@link #neededEvents}.
 */
final class TrackedBlocks {

    /** Whether a block is in memory. */
    enum Residency {
        ABSENT,
        LOADING,
        RESIDENT
    }

    /** A block that at least one session hints or that the cache holds. */
    static final class Tracked {
        HintedBlock block;
        final Set<HintSession> sessions = new LinkedHashSet<>(2);
        Residency residency = Residency.ABSENT;
        long limitBytes;
        private boolean expedited;

        /** Only {@link WarmBlocks} reads and sets this; null if the block is not warmed, or was read. */
        WarmBlocks.@Nullable Warmth warmth;

        private StreamEvents events = StreamEvents.NONE;

        private Tracked(HintedBlock block) {
            this.block = block;
        }
    }

    private final MultiQueueCache<BlockKey> cache;
    private final ToLongFunction<HintedBlock> footprintBytes;
    private final Map<BlockKey, Tracked> tracked = new LinkedHashMap<>();

    /** The needed stream events of the blocks in {@link #tracked}, for other threads. */
    private final Map<BlockKey, StreamEvents> eventsByBlock = new ConcurrentHashMap<>();

    private final WarmBlocks warm = new WarmBlocks();

    TrackedBlocks(MultiQueueCache<BlockKey> cache, ToLongFunction<HintedBlock> footprintBytes) {
        this.cache = Objects.requireNonNull(cache, "cache");
        this.footprintBytes = Objects.requireNonNull(footprintBytes, "footprintBytes");
    }

    @Nullable
    Tracked get(BlockKey key) {
        return tracked.get(key);
    }

    /** The stream events that are needed for a block. Any thread may call this at any time. */
    StreamEvents neededEvents(BlockKey key) {
        return eventsByBlock.getOrDefault(key, StreamEvents.NONE);
    }

    /** The block's record; made if there is none. */
    Tracked track(HintedBlock block) {
        return tracked.computeIfAbsent(block.key(), key -> new Tracked(block));
    }

    /** A session hints the block. */
    void hinted(HintSession session, HintedBlock block) {
        Tracked hinted = track(block);
        hinted.sessions.add(session);
        updateNeededEvents(hinted);
    }

    /** Updates the needed stream events; call this after each change of a block's sessions or residency. */
    private void updateNeededEvents(Tracked block) {
        StreamEvents now = eventsOf(block);
        if (now == block.events) {
            return;
        }
        block.events = now;
        BlockKey key = block.block.key();
        if (now == StreamEvents.NONE) {
            tracked.remove(key);
            eventsByBlock.remove(key);
        } else {
            eventsByBlock.put(key, now);
        }
    }

    private static StreamEvents eventsOf(Tracked block) {
        if (!block.sessions.isEmpty() || block.residency == Residency.LOADING) {
            return StreamEvents.ALL;
        }
        return block.residency == Residency.RESIDENT ? StreamEvents.CLOSE : StreamEvents.NONE;
    }

    /**
     * Invalidates a tracked block whose content differs from the block of a session's hint. If only the part differs, the
     * known part stays while it has all of the new part, and while a session waits for it. All clients cut a block in the
     * same way, unless they see other replicas of it. A warmed part gives way: it was a guess, and its pages stay.
     */
    void replaceIfChanged(HintedBlock block, List<Decision> decisions) {
        replaceIfChanged(block, false, decisions);
    }

    private void replaceIfChanged(HintedBlock block, boolean isGuess, List<Decision> decisions) {
        Tracked known = tracked.get(block.key());
        if (known == null || known.block.equals(block)) {
            return;
        }
        boolean isOfUse = known.block.isSameContent(block)
                && (known.block.contains(block) || isWaitedFor(known) || (isGuess && isWarm(known)));
        if (!isOfUse) {
            invalidate(known, decisions);
        }
        if (known.residency == Residency.ABSENT) {
            known.block = block;
        }
    }

    /**
     * Removes a block from the cache; all its sessions stop waiting for it. Its pages stay, because a writer may still
     * need them.
     */
    void invalidate(Tracked block, List<Decision> decisions) {
        BlockKey key = block.block.key();
        for (HintSession session : block.sessions) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            entry.state = BlockState.ACCESSED;
        }
        if (block.residency != Residency.ABSENT) {
            cache.remove(key);
            dropPages(block, Decision.Kind.UNPIN, decisions);
        }
    }

    void invalidateAll(List<Decision> decisions) {
        for (Tracked block : ImmutableList.copyOf(tracked.values())) {
            invalidate(block, decisions);
        }
    }

    /** Whether the empty cache could hold the block. */
    boolean fits(Tracked block) {
        return footprint(block) <= cache.capacityBytes();
    }

    /**
     * Whether deep prefetch has room. Unread blocks of deep prefetch may fill half the cache; the other half is for
     * each session's next block.
     */
    boolean hasRoomForDepth(Tracked block) {
        long unread = cache.bytes(MultiQueueCache.Queue.UNACCESSED);
        return unread + footprint(block) <= cache.capacityBytes() / 2;
    }

    private long footprint(Tracked block) {
        return footprintBytes.applyAsLong(block.block);
    }

    /**
     * Begins to load an absent block.
     *
     * @return false if the cache has no room for the block now
     */
    boolean load(Tracked block, long limitBytes, long clientId, long nowNanos, List<Decision> decisions) {
        Admission<BlockKey> admission = cache.admit(block.block.key(), footprint(block), clientId, nowNanos);
        if (!admission.isAdmitted()) {
            return false;
        }
        evicted(admission.victims(), decisions);
        block.residency = Residency.LOADING;
        block.expedited = false;
        block.limitBytes = limitBytes;
        updateNeededEvents(block);
        decisions.add(Decision.upTo(Decision.Kind.PREFETCH, block.block, limitBytes));
        return true;
    }

    /** The load of a block has completed. */
    void loaded(Tracked block) {
        block.residency = Residency.RESIDENT;
        updateNeededEvents(block);
    }

    /**
     * Begins to load a block for no session. A part that was warmed before stays as it is.
     *
     * @return false if the cache has no room for the block
     */
    boolean warm(HintedBlock block, Reader reader, boolean mayBegin, long nowNanos, List<Decision> decisions) {
        replaceIfChanged(block, true, decisions);
        Tracked warmed = track(block);
        if (warmed.residency == Residency.ABSENT) {
            boolean isLoading = mayBegin
                    && fits(warmed)
                    && hasRoomForDepth(warmed)
                    && load(warmed, warmed.block.endBytes(), reader.pseudoClientId(), nowNanos, decisions);
            if (!isLoading) {
                forgetIfUnused(warmed);
                return false;
            }
        } else {
            extend(warmed, warmed.block.endBytes(), decisions);
        }
        if (cache.queueOf(block.key()) == MultiQueueCache.Queue.UNACCESSED) {
            warm.add(warmed, reader, nowNanos);
        }
        return true;
    }

    private void forgetIfUnused(Tracked block) {
        if (block.events == StreamEvents.NONE) {
            tracked.remove(block.block.key());
        }
    }

    boolean isWarm(Tracked block) {
        return warm.contains(block);
    }

    int warmCount() {
        return warm.count();
    }

    /** A reader is reading the block. */
    void keepWarm(Tracked block, long nowNanos) {
        warm.used(block, nowNanos);
    }

    /**
     * The cache's client number for a reader of the block. The reader for which the block was warmed keeps the number
     * of that time.
     */
    long clientIdOf(Tracked block, Reader reader) {
        return warm.readerOf(block, reader).pseudoClientId();
    }

    /** Drops warmed blocks that nobody has read for {@code idleNanos}. */
    void coolDown(long idleNanos, long nowNanos, List<Decision> decisions) {
        Tracked expired = warm.removeExpired(idleNanos, nowNanos);
        while (expired != null) {
            if (!isWaitedFor(expired)) {
                dropUnread(expired, decisions);
            }
            expired = warm.removeExpired(idleNanos, nowNanos);
        }
    }

    private static boolean isWaitedFor(Tracked block) {
        return block.sessions.stream()
                .map(session -> Objects.requireNonNull(session.entry(block.block.key())))
                .anyMatch(entry -> entry.state != BlockState.ACCESSED);
    }

    private void dropUnread(Tracked block, List<Decision> decisions) {
        if (cache.queueOf(block.block.key()) == MultiQueueCache.Queue.UNACCESSED) {
            cache.remove(block.block.key());
            dropPages(block, Decision.Kind.DISCARD, decisions);
        }
    }

    /** Lets a block load before others; decides this once for a load. */
    void expedite(Tracked block, List<Decision> decisions) {
        if (block.residency == Residency.LOADING && !block.expedited) {
            block.expedited = true;
            decisions.add(Decision.upTo(Decision.Kind.EXPEDITE, block.block, block.limitBytes));
        }
    }

    /** Extends the load of a block, unless it already goes that far. */
    void extend(Tracked block, long limitBytes, List<Decision> decisions) {
        if (block.residency == Residency.LOADING && limitBytes > block.limitBytes) {
            block.limitBytes = limitBytes;
            decisions.add(Decision.upTo(Decision.Kind.EXTEND, block.block, limitBytes));
        }
    }

    /** A client has read the block. */
    void accessed(Tracked block, long clientId, long nowNanos, List<Decision> decisions) {
        warm.remove(block);
        switch (block.residency) {
            case RESIDENT:
                evicted(cache.access(block.block.key(), clientId, nowNanos).victims(), decisions);
                break;
            case LOADING:
                // The reader was faster than the prefetch: nothing is left to read ahead.
                if (!isLoadedForAnother(block)) {
                    cache.remove(block.block.key());
                    dropPages(block, Decision.Kind.UNPIN, decisions);
                }
                break;
            default:
                break;
        }
    }

    private static boolean isLoadedForAnother(Tracked block) {
        return block.sessions.stream()
                .map(session -> Objects.requireNonNull(session.entry(block.block.key())))
                .anyMatch(entry -> entry.state == BlockState.PREFETCHING);
    }

    /** Time has passed. */
    void expire(long nowNanos, List<Decision> decisions) {
        evicted(cache.expire(nowNanos), decisions);
    }

    private void evicted(List<Eviction<BlockKey>> evictions, List<Decision> decisions) {
        for (Eviction<BlockKey> eviction : evictions) {
            Tracked block = tracked.get(eviction.key());
            if (block != null) {
                boolean unread = eviction.queue() == MultiQueueCache.Queue.UNACCESSED;
                dropPages(block, unread ? Decision.Kind.DISCARD : Decision.Kind.UNPIN, decisions);
            }
        }
    }

    /**
     * The cache no longer holds the block. Its pages are unpinned or discarded, and sessions that still wait for the
     * block must request it again.
     */
    private void dropPages(Tracked block, Decision.Kind kind, List<Decision> decisions) {
        block.residency = Residency.ABSENT;
        warm.remove(block);
        decisions.add(Decision.of(kind, block.block));
        for (HintSession session : block.sessions) {
            Entry entry = Objects.requireNonNull(session.entry(block.block.key()));
            if (entry.state == BlockState.PREFETCHED || entry.state == BlockState.PREFETCHING) {
                entry.state = BlockState.UNPREFETCH;
                session.shallow();
            }
        }
        updateNeededEvents(block);
    }

    /** A session no longer hints the block. */
    void forget(HintSession session, Entry entry, List<Decision> decisions) {
        Tracked block = tracked.get(entry.block.key());
        if (block != null && block.sessions.remove(session)) {
            giveUp(session, entry, decisions);
            updateNeededEvents(block);
        }
    }

    /**
     * One session no longer needs the block. The block is dropped unless it was read or another session waits for it.
     * The session that started the prefetch does not matter; otherwise the block would stay for good if that session
     * left first.
     */
    void giveUp(HintSession session, Entry entry, List<Decision> decisions) {
        Tracked block = tracked.get(entry.block.key());
        entry.state = BlockState.ACCESSED;
        if (block == null || block.residency == Residency.ABSENT || isWarm(block)) {
            return;
        }
        if (!isNeededByAnother(session, block)) {
            dropUnread(block, decisions);
        }
    }

    private static boolean isNeededByAnother(HintSession leaving, Tracked block) {
        for (HintSession session : block.sessions) {
            Entry entry = session.entry(block.block.key());
            if (session != leaving && entry != null && entry.state != BlockState.ACCESSED) {
                return true;
            }
        }
        return false;
    }
}

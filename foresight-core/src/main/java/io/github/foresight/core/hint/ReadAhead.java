/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.HintSession.Entry;
import io.github.foresight.core.hint.TrackedBlocks.Residency;
import io.github.foresight.core.hint.TrackedBlocks.Tracked;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides which blocks a DataNode prefetches, keeps and drops, from the hints and the reads that it sees.
 *
 * <p>This is SSPF's Algorithm 1 over all sessions at once, as a state machine. The paper runs a thread for each
 * session, which sleeps between looks at the session. Here each event (a hint, an opened stream, sent bytes, a
 * completed prefetch, passed time) returns the resulting decisions. {@link PrefetchPlanner} has the algorithm's choice
 * of blocks. The differences from the paper are:
 *
 * <ul>
 *   <li>The paper's blocks are fetched as a whole, while HDFS streams blocks. Here a block counts as read after
 *       {@link ReadAheadSettings#advanceBytes()} were sent, and as accessed when its stream closes.
 *   <li>Before the client has seen sequential progress, only the first block is prefetched. The prefetch goes only to
 *       {@link ReadAheadSettings#rampBytes()} plus twice the reader's position, so that a read of a header does not
 *       cost a whole block.
 *   <li>The paper prefetches exactly one block ahead. Here a session has a depth, while the cache has room. The
 *       depth grows by one, up to a maximum, when the reader arrives at a block that is not in memory yet. It
 *       shrinks by one when the reader finds this block and the next in memory. It returns to one when a prefetched
 *       block was skipped or evicted unread.
 *   <li>A client may hint a part of a block, and read the other parts from the block's other replicas. A part is
 *       treated as a block: it is read, and accessed, when the reader comes to its end.
 *   <li>A block that several sessions hint is read from disk once.
 * </ul>
 *
 * <p>Each structure is bounded: sessions, block records, and through the cache the bytes. An event takes time linear in
 * the sessions that hint its block and in the depth; a hint takes time linear in its blocks. Not thread-safe: the
 * DataNode calls it under one lock, and does no I/O under that lock.
 */
public final class ReadAhead {

    private final ReadAheadSettings settings;
    private final TrackedBlocks tracked;
    private final Map<SessionId, HintSession> sessions = new LinkedHashMap<>();

    private final PrefetchPlanner planner;
    private final CallerShares shares;
    private long yieldedSessions;

    /**
     * Makes a read-ahead without sessions.
     *
     * @param footprintBytes the bytes of memory that a pinned block, or part of a block, takes at most, including checksums
     *     and page rounding
     */
    public ReadAhead(
            ReadAheadSettings settings, MultiQueueCache<BlockKey> cache, ToLongFunction<HintedBlock> footprintBytes) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.tracked = new TrackedBlocks(cache, footprintBytes);
        this.planner = new PrefetchPlanner(settings, tracked);
        this.shares = new CallerShares(settings);
    }

    /** The result of a hint; immutable. */
    public static final class HintResult {
        private final int accepted;
        private final ImmutableList<Decision> decisions;

        private HintResult(int accepted, List<Decision> decisions) {
            this.accepted = accepted;
            this.decisions = ImmutableList.copyOf(decisions);
        }

        /** The number of the hint's blocks that are now in the session; the tables had no room for the rest. */
        public int accepted() {
            return accepted;
        }

        public ImmutableList<Decision> decisions() {
            return decisions;
        }
    }

    /** The progress of a session; immutable. */
    public static final class Progress {
        private final long bytesRead;
        private final int openStreams;

        private Progress(long bytesRead, int openStreams) {
            this.bytesRead = bytesRead;
            this.openStreams = openStreams;
        }

        public long bytesRead() {
            return bytesRead;
        }

        public int openStreams() {
            return openStreams;
        }
    }

    /**
     * A client announces the blocks that it will read. They replace the client's earlier blocks of the same file.
     *
     * @param blocks in reading order; a block with another generation stamp replaces the tracked block
     * @param sequential whether the client has seen sequential progress
     */
    public HintResult hint(SessionId id, Reader reader, List<HintedBlock> blocks, boolean sequential, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        HintSession session = sessions.get(id);
        if (session == null) {
            if (blocks.isEmpty()
                    || (sessions.size() >= settings.maxSessions() && !endYieldingSession(id, nowNanos, decisions))) {
                return new HintResult(0, decisions);
            }
            session = new HintSession(id, reader, settings, nowNanos);
            sessions.put(id, session);
            shares.joined(session);
        }
        shares.busy(session);
        while (!blocks.isEmpty() && roomFor(session) <= 0 && endYieldingSession(id, nowNanos, decisions)) {
            // More than one session may have to yield.
        }
        int room = roomFor(session);
        List<HintedBlock> taken = firstOfEach(blocks, Math.max(room, 0));
        if (taken.isEmpty()) {
            end(session, decisions);
            return new HintResult(0, decisions);
        }
        for (HintedBlock block : taken) {
            tracked.replaceIfChanged(block, decisions);
        }
        int before = session.size();
        Collection<Entry> dropped = session.replaceSequence(taken, sequential);
        shares.resized(session, session.size() - before);
        for (Entry entry : session.entries()) {
            tracked.hinted(session, entry.block);
        }
        for (Entry entry : dropped) {
            tracked.forget(session, entry, decisions);
        }
        session.touched(nowNanos);
        shares.active(session);
        planner.plan(session, nowNanos, decisions);
        planner.planStarved(nowNanos, decisions);
        return new HintResult(session.size(), decisions);
    }

    private int roomFor(HintSession session) {
        return settings.maxTrackedBlocks() - (shares.blocks() - session.size());
    }

    /**
     * Prefetches blocks that will be read soon, each alone, in an unknown order. Such a warmed block needs no session.
     * It stays until it is read, and for {@link ReadAheadSettings#idleNanos()} at most. Warmed blocks share with deep
     * prefetch one half of the cache; the other half is left to the sessions' next blocks.
     *
     * @return the number of these blocks that are in memory or loading
     */
    public HintResult warm(Reader reader, List<HintedBlock> blocks, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        int accepted = 0;
        for (HintedBlock block : blocks) {
            if (tracked.warm(block, reader, planner.mayBegin(), nowNanos, decisions)) {
                accepted++;
            }
        }
        return new HintResult(accepted, decisions);
    }

    /** The first blocks up to {@code room}, in their order, without duplicates. */
    private static List<HintedBlock> firstOfEach(List<HintedBlock> blocks, int room) {
        Map<BlockKey, HintedBlock> taken = new LinkedHashMap<>();
        for (HintedBlock block : blocks) {
            if (taken.size() >= room) {
                break;
            }
            taken.putIfAbsent(block.key(), block);
        }
        return ImmutableList.copyOf(taken.values());
    }

    /**
     * Sets whether decisions are carried out too slowly. While they are, no decision begins a block. The remaining
     * decisions concern blocks that were begun before, so their number is bounded.
     */
    public void holdBack(boolean now) {
        planner.holdBack(now);
    }

    /** The progress of a session; empty if the session is unknown or has ended. */
    public Optional<Progress> progress(SessionId id) {
        return Optional.ofNullable(sessions.get(id))
                .map(session -> new Progress(session.bytesRead(), session.openStreams()));
    }

    /** The client has closed the file or withdrawn its hint. */
    public ImmutableList<Decision> release(SessionId id, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        HintSession session = sessions.get(id);
        if (session != null) {
            end(session, decisions);
            planner.planStarved(nowNanos, decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /**
     * The stream events that this read-ahead needs for a block. Any thread may call this at any time. For
     * {@link StreamEvents#CLOSE}, the caller may report the open of a stream together with its end.
     */
    public StreamEvents neededEvents(BlockKey key) {
        return tracked.neededEvents(key);
    }

    /**
     * A stream was opened on a block. A second report of the same stream has no effect.
     *
     * @param streamId the DataNode's number of the stream
     */
    public ImmutableList<Decision> streamOpened(
            BlockKey key, long generationStamp, long streamId, Reader reader, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        if (block.block.generationStamp() != generationStamp) {
            tracked.invalidate(block, decisions);
            return ImmutableList.copyOf(decisions);
        }
        for (HintSession session : sessionsOf(block, reader)) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            boolean firstStream = session.streamOpened(entry, streamId, nowNanos);
            shares.active(session);
            if (firstStream && session.isSequential() && session.arrivesAt(entry)) {
                session.adaptDepth(entry);
            }
        }
        tracked.expedite(block, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /**
     * A stream has sent more bytes of a block.
     *
     * @param position the stream's position in the block, bytes
     * @param bytes the bytes sent since the last report
     */
    public ImmutableList<Decision> bytesSent(BlockKey key, Reader reader, long position, long bytes, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        tracked.keepWarm(block, nowNanos);
        for (HintSession session : sessionsOf(block, reader)) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            session.bytesSent(entry, bytes, nowNanos);
            if (!entry.advanced && entry.sentBytes >= Math.min(settings.advanceBytes(), block.block.partBytes())) {
                planner.advance(session, entry, nowNanos, decisions);
            }
            if (!session.isSequential()) {
                tracked.extend(block, planner.ramp(block.block, position), decisions);
            }
        }
        return ImmutableList.copyOf(decisions);
    }

    /**
     * A stream was closed.
     *
     * @param position the stream's last position in the block, bytes
     */
    public ImmutableList<Decision> streamClosed(
            BlockKey key, long streamId, Reader reader, long position, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        boolean fetched = position >= block.block.endBytes();
        boolean read = tracked.isWarm(block) && position >= settings.advanceBytes();
        long clientId = tracked.clientIdOf(block, reader);
        for (HintSession session : sessionsOf(block, reader)) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            session.streamClosed(entry, streamId, nowNanos);
            if (fetched && !entry.advanced) {
                planner.advance(session, entry, nowNanos, decisions);
            }
            boolean firstTime = entry.advanced && entry.state != BlockState.ACCESSED;
            if (firstTime) {
                entry.state = BlockState.ACCESSED;
            }
            if (!read && (firstTime || fetched)) {
                read = true;
                clientId = session.id.clientId();
            }
            shares.active(session);
        }
        // One stream is one access, even if it belongs to several sessions.
        if (read || fetched) {
            tracked.accessed(block, clientId, nowNanos, decisions);
        }
        planner.planStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** A prefetch has reached its block's end; the block is in memory. */
    public ImmutableList<Decision> prefetched(BlockKey key, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null || block.residency != Residency.LOADING) {
            return ImmutableList.of();
        }
        tracked.loaded(block);
        List<Decision> decisions = new ArrayList<>();
        for (HintSession session : block.sessions) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            if (entry.state == BlockState.PREFETCHING) {
                entry.state = BlockState.PREFETCHED;
            }
            planner.plan(session, nowNanos, decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /** A prefetch has failed, or the block was deleted, appended to or recovered. All sessions give the block up. */
    public ImmutableList<Decision> invalidated(BlockKey key, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        tracked.invalidate(block, decisions);
        planner.planStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** Time has passed. Ends idle sessions, ages the cache, and lets sessions that found no room try again. */
    public ImmutableList<Decision> tick(long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        for (HintSession session : ImmutableList.copyOf(sessions.values())) {
            if (session.idleSince(settings.idleNanos(), nowNanos)) {
                end(session, decisions);
            }
        }
        tracked.coolDown(settings.idleNanos(), nowNanos, decisions);
        tracked.expire(nowNanos, decisions);
        planner.planStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** Ends all sessions and gives up all blocks. */
    public ImmutableList<Decision> clear() {
        List<Decision> decisions = new ArrayList<>();
        for (HintSession session : ImmutableList.copyOf(sessions.values())) {
            end(session, decisions);
        }
        tracked.invalidateAll(decisions);
        return ImmutableList.copyOf(decisions);
    }

    public int sessionCount() {
        return sessions.size();
    }

    /** The number of sessions, since the start, that ended early because a new session needed room. */
    public long yieldedSessions() {
        return yieldedSessions;
    }

    /** The number of warmed blocks that nobody has read yet. */
    public int warmBlockCount() {
        return tracked.warmCount();
    }

    /** The number of block records over all sessions. */
    public int sessionBlockCount() {
        return shares.blocks();
    }

    /** Ends the session that yields to a new session; false if no session yields. */
    private boolean endYieldingSession(SessionId newcomer, long nowNanos, List<Decision> decisions) {
        HintSession leaving = shares.toYield(newcomer, nowNanos);
        if (leaving == null || leaving.id.equals(newcomer)) {
            return false;
        }
        yieldedSessions++;
        end(leaving, decisions);
        return true;
    }

    private void end(HintSession session, List<Decision> decisions) {
        sessions.remove(session.id);
        planner.forget(session);
        shares.left(session);
        for (Entry entry : session.entries()) {
            tracked.forget(session, entry, decisions);
        }
    }

    private static List<HintSession> sessionsOf(Tracked block, Reader reader) {
        List<HintSession> matching = new ArrayList<>(1);
        for (HintSession session : block.sessions) {
            if (session.reader.matches(reader)) {
                matching.add(session);
            }
        }
        return matching;
    }

    /** Whether a block was warmed and is unread; for tests. */
    boolean isWarm(BlockKey key) {
        Tracked block = tracked.get(key);
        return block != null && tracked.isWarm(block);
    }

    /** The state of a block in a session, for tests; null if the session does not hint the block. */
    @Nullable
    BlockState stateOf(SessionId id, BlockKey key) {
        HintSession session = sessions.get(id);
        Entry entry = session == null ? null : session.entry(key);
        return entry == null ? null : entry.state;
    }
}

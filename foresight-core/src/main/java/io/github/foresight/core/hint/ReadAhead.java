/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.HintSession.Entry;
import io.github.foresight.core.hint.TrackedBlocks.Residency;
import io.github.foresight.core.hint.TrackedBlocks.Tracked;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a DataNode reads ahead: takes hints, sees what is read, and says what to prefetch, to keep and to drop.
 *
 * <p>This is SSPF's Algorithm 1 over all sessions at once, as a state machine. The paper runs a thread that loops over one
 * session, sleeping between looks; here each event (a hint, a stream opened, bytes sent, a prefetch done, time passed)
 * returns the decisions that follow from it. Where this departs from the paper:
 *
 * <ul>
 *   <li>A block counts as read by its client once {@link ReadAheadSettings#advanceBytes()} of it have been sent, and as
 *       accessed when the stream that read it closes; the paper's blocks are fetched whole, HDFS's are streamed.
 *   <li>Until the client has seen sequential progress only the first block is prefetched, and only {@link
 *       ReadAheadSettings#rampBytes()} plus twice the reader's position, so that a look at a header costs no block.
 *   <li>The paper prefetches exactly one block ahead. Here the depth of a session grows by one each time its reader arrives at
 *       a block that is not in memory yet, up to a maximum and while the cache has room, and falls back to one when a
 *       prefetched block was skipped or thrown out unread.
 *   <li>A block that several sessions hint is read from disk once.
 * </ul>
 *
 * <p>Every structure is bounded: sessions, block records, and through the cache the bytes. An event costs time linear in the
 * sessions that hint its block and in the depth, a hint in its blocks. Not thread-safe; the adapter holds one lock around it
 * and no I/O happens inside.
 */
public final class ReadAhead {

    private final ReadAheadSettings settings;
    private final TrackedBlocks tracked;
    private final Map<SessionId, HintSession> sessions = new LinkedHashMap<>();

    /** Sessions that wanted a block for which the cache had no room, in the order in which they were turned away. */
    private final Set<HintSession> starved = new LinkedHashSet<>();

    private final CallerShares shares;
    private long yieldedSessions;
    private boolean heldBack;

    /**
     * Begins without sessions.
     *
     * @param footprintBytes gives the memory that a block of a length takes when it is pinned, checksums and page rounding
     *     included
     */
    public ReadAhead(ReadAheadSettings settings, MultiQueueCache<BlockKey> cache, LongUnaryOperator footprintBytes) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.tracked = new TrackedBlocks(cache, footprintBytes);
        this.shares = new CallerShares(settings);
    }

    /** What came of a hint; immutable. */
    public static final class HintResult {
        private final int accepted;
        private final ImmutableList<Decision> decisions;

        private HintResult(int accepted, List<Decision> decisions) {
            this.accepted = accepted;
            this.decisions = ImmutableList.copyOf(decisions);
        }

        /** Blocks of the hint that are now in the session; the rest found no room in the tables. */
        public int accepted() {
            return accepted;
        }

        public ImmutableList<Decision> decisions() {
            return decisions;
        }
    }

    /** How far a session has come; immutable. */
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
     * A client says what it will read; replaces what it said before of the same file.
     *
     * @param blocks in reading order; a block of another generation stamp than one that is tracked replaces it
     * @param sequential whether the client has seen sequential progress
     */
    public HintResult hint(SessionId id, Reader reader, List<HintedBlock> blocks, boolean sequential, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        HintSession session = sessions.get(id);
        if (session == null) {
            if (blocks.isEmpty()
                    || (sessions.size() >= settings.maxSessions() && !oneYields(id, nowNanos, decisions))) {
                return new HintResult(0, decisions);
            }
            session = new HintSession(id, reader, nowNanos);
            sessions.put(id, session);
            shares.joined(session);
        }
        shares.busy(session);
        while (!blocks.isEmpty() && roomFor(session) <= 0 && oneYields(id, nowNanos, decisions)) {
            // Another may have to yield as well.
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
        plan(session, nowNanos, decisions);
        replanStarved(nowNanos, decisions);
        return new HintResult(session.size(), decisions);
    }

    private int roomFor(HintSession session) {
        return settings.maxTrackedBlocks() - (shares.blocks() - session.size());
    }

    /**
     * These blocks will be read soon, each by itself, in an order that nobody knows. A block of them needs no session: it stays until
     * it is read, and for {@link ReadAheadSettings#idleNanos()} at most. Warmed blocks take at most the half of the cache that deep
     * prefetch may take; the other half is left to sessions.
     *
     * @return how many of the blocks are in memory or on their way
     */
    public HintResult warm(Reader reader, List<HintedBlock> blocks, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        int accepted = 0;
        for (HintedBlock block : blocks) {
            tracked.replaceIfChanged(block, decisions);
            if (tracked.warm(block, reader, !heldBack, nowNanos, decisions)) {
                accepted++;
            }
        }
        return new HintResult(accepted, decisions);
    }

    /** At most so many blocks, in their order, none twice. */
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
     * Says whether decisions are carried out too slowly. While they are, no decision begins a block. What is still decided follows
     * from blocks that were begun before, so the number of these decisions is bounded.
     */
    public void holdBack(boolean now) {
        heldBack = now;
    }

    /** How far the session has come, or empty where it is not known (any more). */
    public Optional<Progress> progress(SessionId id) {
        return Optional.ofNullable(sessions.get(id))
                .map(session -> new Progress(session.bytesRead(), session.openStreams()));
    }

    /** The client has closed the file or changed its mind. */
    public ImmutableList<Decision> release(SessionId id, long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        HintSession session = sessions.get(id);
        if (session != null) {
            end(session, decisions);
            replanStarved(nowNanos, decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /**
     * What of the streams on a block is of interest; may be asked by any thread at any time. Where it is {@link Interest#CLOSE} a stream
     * may be said to be opened when it is closed.
     */
    public Interest interestIn(BlockKey key) {
        return tracked.interestIn(key);
    }

    /**
     * A stream has been opened on a block; saying so twice does no harm.
     *
     * @param streamId the adapter's own number for the stream
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
            boolean arrives = session.streamOpened(entry, streamId, nowNanos);
            shares.active(session);
            boolean outran = entry.state == BlockState.UNPREFETCH || entry.state == BlockState.PREFETCHING;
            if (arrives && session.isSequential() && session.comesTo(entry) && outran) {
                session.deepen(settings.maxDepth());
            }
        }
        tracked.expedite(block, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /**
     * A stream has sent more of a block.
     *
     * @param position how far into the block the stream has come, bytes
     * @param bytes sent since the last report
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
            if (!entry.advanced && entry.sentBytes >= Math.min(settings.advanceBytes(), block.block.lengthBytes())) {
                advance(session, entry, nowNanos, decisions);
            }
            if (!session.isSequential()) {
                tracked.extend(block, ramp(block.block, position), decisions);
            }
        }
        return ImmutableList.copyOf(decisions);
    }

    /**
     * A stream has been closed.
     *
     * @param position how far into the block it came, bytes
     */
    public ImmutableList<Decision> streamClosed(
            BlockKey key, long streamId, Reader reader, long position, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        boolean fetched = position >= block.block.lengthBytes();
        boolean read = tracked.isWarm(block) && position >= settings.advanceBytes();
        long clientId = tracked.clientIdOf(block, reader);
        for (HintSession session : sessionsOf(block, reader)) {
            Entry entry = Objects.requireNonNull(session.entry(key));
            session.streamClosed(entry, streamId, nowNanos);
            if (fetched && !entry.advanced) {
                advance(session, entry, nowNanos, decisions);
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
        // One stream is one access, however many sessions it may belong to.
        if (read || fetched) {
            tracked.accessed(block, clientId, nowNanos, decisions);
        }
        replanStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** A prefetch has come to its block's end; the block is in memory. */
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
            plan(session, nowNanos, decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /** A prefetch has failed, or the block was deleted, appended to or recovered: it is given up in all sessions. */
    public ImmutableList<Decision> invalidated(BlockKey key, long nowNanos) {
        Tracked block = tracked.get(key);
        if (block == null) {
            return ImmutableList.of();
        }
        List<Decision> decisions = new ArrayList<>();
        tracked.invalidate(block, decisions);
        replanStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** Time has passed: ends idle sessions, ages the cache, and gives the sessions that found no room another chance. */
    public ImmutableList<Decision> tick(long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        for (HintSession session : ImmutableList.copyOf(sessions.values())) {
            if (session.idleSince(settings.idleNanos(), nowNanos)) {
                end(session, decisions);
            }
        }
        tracked.coolDown(settings.idleNanos(), nowNanos, decisions);
        tracked.expire(nowNanos, decisions);
        replanStarved(nowNanos, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** Ends every session and gives up every block. */
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

    /** Sessions that left before their time because a new one needed the place, ever since the beginning. */
    public long yieldedSessions() {
        return yieldedSessions;
    }

    /** Warmed blocks that nobody has read yet. */
    public int warmBlockCount() {
        return tracked.warmCount();
    }

    /** Block records over all sessions. */
    public int sessionBlockCount() {
        return shares.blocks();
    }

    // ---- Algorithm 1 ----

    /** Starts what is within the session's reach and not in memory (Algorithm 1, lines 3 to 8). */
    private void plan(HintSession session, long nowNanos, List<Decision> decisions) {
        for (Entry entry : session.reach()) {
            Tracked block = tracked.track(entry.block);
            switch (entry.state) {
                case UNPREFETCH:
                    if (session.reachesDeep(entry) && !tracked.hasRoomForDepth(block)) {
                        return;
                    }
                    if (!begin(session, entry, block, nowNanos, decisions)) {
                        starved.add(session);
                        return;
                    }
                    break;
                case PREFETCHING:
                    tracked.extend(block, limitFor(session, block.block), decisions);
                    break;
                default:
                    break;
            }
        }
        starved.remove(session);
    }

    private boolean begin(HintSession session, Entry entry, Tracked block, long nowNanos, List<Decision> decisions) {
        if (block.residency == Residency.ABSENT) {
            if (!tracked.fits(block)) {
                entry.state = BlockState.ACCESSED;
                return true;
            }
            if (heldBack) {
                return false;
            }
            if (!tracked.load(block, limitFor(session, block.block), session.id.clientId(), nowNanos, decisions)) {
                return false;
            }
            if (!entry.openStreams.isEmpty()) {
                tracked.expedite(block, decisions);
            }
        }
        tracked.extend(block, limitFor(session, block.block), decisions);
        entry.state = block.residency == Residency.RESIDENT ? BlockState.PREFETCHED : BlockState.PREFETCHING;
        return true;
    }

    private void advance(HintSession session, Entry entry, long nowNanos, List<Decision> decisions) {
        List<Entry> skipped = session.advanceTo(entry);
        for (Entry passed : skipped) {
            if (passed.state == BlockState.PREFETCHING || passed.state == BlockState.PREFETCHED) {
                session.shallow();
            }
            tracked.giveUp(session, passed, decisions);
        }
        plan(session, nowNanos, decisions);
    }

    private long limitFor(HintSession session, HintedBlock block) {
        return session.isSequential() ? block.lengthBytes() : ramp(block, 0);
    }

    private long ramp(HintedBlock block, long position) {
        long twice = LongMath.saturatedMultiply(2, Math.min(position, block.lengthBytes()));
        return Math.min(block.lengthBytes(), LongMath.saturatedAdd(settings.rampBytes(), twice));
    }

    private void replanStarved(long nowNanos, List<Decision> decisions) {
        for (HintSession session : ImmutableList.copyOf(starved)) {
            int before = decisions.size();
            plan(session, nowNanos, decisions);
            if (starved.contains(session) && decisions.size() == before) {
                return;
            }
        }
    }

    // ---- bookkeeping ----

    /** Ends the session that makes way for a newcomer, if one does. */
    private boolean oneYields(SessionId newcomer, long nowNanos, List<Decision> decisions) {
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
        starved.remove(session);
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

    /** Whether a block was warmed and has not been read, for tests. */
    boolean isWarm(BlockKey key) {
        Tracked block = tracked.get(key);
        return block != null && tracked.isWarm(block);
    }

    /** The session's state of a block, for tests; null where the session does not hint it. */
    @Nullable
    BlockState stateOf(SessionId id, BlockKey key) {
        HintSession session = sessions.get(id);
        Entry entry = session == null ? null : session.entry(key);
        return entry == null ? null : entry.state;
    }
}

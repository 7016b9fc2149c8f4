/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions in order of their last activity, and the part of the session and block tables that each caller uses.
 *
 * <p>A caller may use a whole table while no other caller needs room in it. In a full table, a session of a caller
 * above its share yields to other callers. For a caller that has reached its share, only its own sessions yield. Each
 * operation takes constant time; memory is bounded by the sessions. Not thread-safe.
 */
final class CallerShares {

    /** Sessions without an open stream. */
    private static final class Quiet {
        final Set<HintSession> all = new LinkedHashSet<>();

        /** The sessions among these whose client has read all hinted blocks. */
        final Set<HintSession> done = new LinkedHashSet<>();

        void remove(HintSession session) {
            all.remove(session);
            done.remove(session);
        }

        void add(HintSession session) {
            all.add(session);
            if (session.isDone()) {
                done.add(session);
            }
        }
    }

    /** The sessions and the number of blocks of one caller. */
    private static final class Caller {
        final Set<HintSession> sessions = new LinkedHashSet<>();
        final Quiet quiet = new Quiet();
        int blocks;
    }

    private final int sessionsMax;
    private final int blocksMax;
    private final long yieldNanos;
    private final Quiet quiet = new Quiet();
    private final Map<Long, Caller> callers = new HashMap<>();

    /** Callers above their share; at most two for each share in the whole. */
    private final Set<Caller> beyond = new LinkedHashSet<>();

    private int blocks;

    CallerShares(ReadAheadSettings settings) {
        this.sessionsMax = shareOf(settings.maxSessions(), settings);
        this.blocksMax = shareOf(settings.maxTrackedBlocks(), settings);
        this.yieldNanos = settings.yieldNanos();
    }

    private static int shareOf(int whole, ReadAheadSettings settings) {
        return Math.max(1, (int) (whole * settings.callerShare()));
    }

    /** The number of block records over all sessions. */
    int blocks() {
        return blocks;
    }

    /** A session has begun. */
    void joined(HintSession session) {
        Caller caller = callers.computeIfAbsent(session.id.callerId(), unused -> new Caller());
        caller.sessions.add(session);
        noteShare(caller);
    }

    /** The number of a session's hinted blocks has changed by {@code more}, which may be negative. */
    void resized(HintSession session, int more) {
        Caller caller = callers.get(session.id.callerId());
        blocks += more;
        if (caller != null) {
            caller.blocks += more;
            noteShare(caller);
        }
    }

    /** A session has ended. */
    void left(HintSession session) {
        quiet.remove(session);
        Caller caller = callers.get(session.id.callerId());
        if (caller == null || !caller.sessions.remove(session)) {
            return;
        }
        caller.quiet.remove(session);
        resized(session, -session.size());
        if (caller.sessions.isEmpty()) {
            callers.remove(session.id.callerId());
        }
    }

    private void noteShare(Caller caller) {
        if (caller.sessions.size() > sessionsMax || caller.blocks > blocksMax) {
            beyond.add(caller);
        } else {
            beyond.remove(caller);
        }
    }

    /** Keeps a session from yielding until it is {@linkplain #active active} again. */
    void busy(HintSession session) {
        quiet.remove(session);
        Caller caller = callers.get(session.id.callerId());
        if (caller != null) {
            caller.quiet.remove(session);
        }
    }

    /** A session had an event; call this after each event of a session. */
    void active(HintSession session) {
        busy(session);
        Caller caller = callers.get(session.id.callerId());
        if (caller == null) {
            return;
        }
        caller.sessions.remove(session);
        caller.sessions.add(session);
        if (session.openStreams() == 0) {
            quiet.add(session);
            caller.quiet.add(session);
        }
    }

    /** The session that yields to a new session of a caller in a full table; null if no session yields. */
    @Nullable
    HintSession toYield(SessionId newcomer, long nowNanos) {
        Caller caller = callers.get(newcomer.callerId());
        if (caller != null && (caller.sessions.size() >= sessionsMax || caller.blocks >= blocksMax)) {
            return yieldingOf(caller.quiet, nowNanos);
        }
        HintSession yielding = yieldingOf(quiet, nowNanos);
        if (yielding != null || beyond.isEmpty()) {
            return yielding;
        }
        Caller greedy = beyond.iterator().next();
        HintSession idle = first(greedy.quiet.all);
        return idle != null ? idle : first(greedy.sessions);
    }

    /**
     * A session that is done, or else the session that has been quiet for longest. Null if that session has not been
     * quiet for long enough, or all sessions have open streams.
     */
    private @Nullable HintSession yieldingOf(Quiet candidates, long nowNanos) {
        HintSession finished = first(candidates.done);
        if (finished != null) {
            return finished;
        }
        HintSession oldest = first(candidates.all);
        return oldest != null && oldest.idleSince(yieldNanos, nowNanos) ? oldest : null;
    }

    private static @Nullable HintSession first(Set<HintSession> sessions) {
        return sessions.isEmpty() ? null : sessions.iterator().next();
    }
}

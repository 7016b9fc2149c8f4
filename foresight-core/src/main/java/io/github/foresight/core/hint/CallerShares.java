/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions, the one that was active last at the end, and how much of the tables each caller takes.
 *
 * <p>A caller may take a whole table while nobody else needs a place in it. Once a table is full, sessions of callers beyond their share
 * make way for other callers, and a caller that has its share makes way for itself only. All in constant time, with memory for each
 * session and each caller that has a session. Not thread-safe.
 */
final class CallerShares {

    /** Sessions without an open stream. */
    private static final class Quiet {
        final Set<HintSession> all = new LinkedHashSet<>();

        /** Of these, sessions whose client has read all that it hinted. */
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

    /** What one caller takes. */
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

    /** Callers that take more than their share; not more than two for each share in the whole. */
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

    /** Block records over all sessions. */
    int blocks() {
        return blocks;
    }

    /** A session has begun. */
    void joined(HintSession session) {
        Caller caller = callers.computeIfAbsent(session.id.callerId(), unused -> new Caller());
        caller.sessions.add(session);
        noteShare(caller);
    }

    /** A session hints more blocks than before, or fewer. */
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

    /** A session must not make way now. */
    void busy(HintSession session) {
        quiet.remove(session);
        Caller caller = callers.get(session.id.callerId());
        if (caller != null) {
            caller.quiet.remove(session);
        }
    }

    /** To be called after each event of a session's. */
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

    /** Which session makes way for one of a caller's, in a table that is full; null if none does. */
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

    /** A session that is done, or the one that has been quiet for longest; null where each is too young for it or being read. */
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

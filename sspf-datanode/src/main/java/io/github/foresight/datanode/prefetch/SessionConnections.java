/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.hint.SessionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.CallerConnection;
import org.jspecify.annotations.Nullable;

/**
 * Over which connection each session's client spoke last, so that the end of a client is seen.
 *
 * <p>Hadoop's RPC client closes a connection that was idle for a while, which says nothing of the client. A client says how long it keeps
 * an idle connection. If its connection is closed sooner, the client has ended, or has given up a DataNode that did not answer in time.
 *
 * <p>Bounded: a session beyond the number ends by its idle time only. Thread-safe.
 */
final class SessionConnections {

    /** A connection that sessions are tied to. */
    private static final class Tie {
        final CallerConnection connection;
        long idleNanos;
        long usedNanos;
        boolean isClosed;

        Tie(CallerConnection connection) {
            this.connection = connection;
        }
    }

    private final int sessionsMax;

    @GuardedBy("this")
    private final Map<SessionId, Tie> sessions = new HashMap<>();

    @GuardedBy("this")
    private final Map<CallerConnection, Tie> ties = new HashMap<>();

    SessionConnections(int sessionsMax) {
        this.sessionsMax = sessionsMax;
    }

    /**
     * A session's client has called.
     *
     * @param connection the call's; null if it is not known
     * @param idleMillis for how long the client keeps the connection without a call; 0 if that is not known
     */
    synchronized void called(SessionId id, @Nullable CallerConnection connection, int idleMillis, long nowNanos) {
        if (connection == null || idleMillis <= 0 || (sessions.size() >= sessionsMax && !sessions.containsKey(id))) {
            sessions.remove(id);
            return;
        }
        Tie tie = ties.computeIfAbsent(connection, Tie::new);
        tie.idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis);
        tie.usedNanos = nowNanos;
        sessions.put(id, tie);
    }

    synchronized void ended(SessionId id) {
        sessions.remove(id);
    }

    /**
     * Takes out the sessions whose clients have ended. A session that is being read stays until it is not.
     *
     * @param open the connections that there are
     * @param known whether there is such a session, or a window
     * @param beingRead whether a stream of the session is open
     */
    synchronized Set<SessionId> takeCutOff(
            Supplier<Set<CallerConnection>> open,
            Predicate<SessionId> known,
            Predicate<SessionId> beingRead,
            long nowNanos) {
        Set<SessionId> cutOff = new HashSet<>();
        if (sessions.isEmpty()) {
            ties.clear();
            return cutOff;
        }
        dropClosed(open.get(), nowNanos);
        Iterator<Map.Entry<SessionId, Tie>> all = sessions.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<SessionId, Tie> entry = all.next();
            SessionId id = entry.getKey();
            Tie tie = entry.getValue();
            boolean idled = !tie.isClosed && ties.get(tie.connection) != tie;
            if (idled || !known.test(id)) {
                all.remove();
            } else if (tie.isClosed && !beingRead.test(id)) {
                all.remove();
                cutOff.add(id);
            }
        }
        ties.values().retainAll(new HashSet<>(sessions.values()));
        return cutOff;
    }

    @GuardedBy("this")
    private void dropClosed(Set<CallerConnection> open, long nowNanos) {
        Iterator<Tie> all = ties.values().iterator();
        while (all.hasNext()) {
            Tie tie = all.next();
            if (!open.contains(tie.connection)) {
                tie.isClosed = nowNanos - tie.usedNanos < tie.idleNanos;
                all.remove();
            }
        }
    }
}

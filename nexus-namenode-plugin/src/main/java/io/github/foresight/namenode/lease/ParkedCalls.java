/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Calls of clients that wait for a recall without a handler, at most one for a session. A call is answered when there is a recall for its
 * session, when its time is over, or when the leases end.
 *
 * <p>Each answer is sent by the executor. Constant time, except for the two methods that look at all calls. Not thread-safe: guarded by the lock
 * of {@link LayoutLeases}.
 */
final class ParkedCalls {

    private static final class Parked {
        final long untilNanos;
        final Runnable answer;

        Parked(long untilNanos, Runnable answer) {
            this.untilNanos = untilNanos;
            this.answer = answer;
        }
    }

    private final int max;
    private final Executor answering;
    private final Map<Long, Parked> calls = new HashMap<>();

    /**
     * Begins without calls.
     *
     * @param max how many may wait; 0 for none
     * @param answering sends the answers, on another thread
     */
    ParkedCalls(int max, Executor answering) {
        this.max = max;
        this.answering = answering;
    }

    boolean isFull() {
        return calls.size() >= max;
    }

    int size() {
        return calls.size();
    }

    /**
     * Keeps the call of a session that has none here.
     *
     * @param answer sends the reply
     */
    void park(long session, long untilNanos, Runnable answer) {
        calls.put(session, new Parked(untilNanos, answer));
    }

    /** Has the session's call answered, if there is one. */
    void answer(long session) {
        Parked call = calls.remove(session);
        if (call != null) {
            answering.execute(call.answer);
        }
    }

    /** Has the calls answered whose time is over. */
    void answerOverdue(long nowNanos) {
        for (Iterator<Parked> all = calls.values().iterator(); all.hasNext(); ) {
            Parked call = all.next();
            if (call.untilNanos - nowNanos <= 0) {
                all.remove();
                answering.execute(call.answer);
            }
        }
    }

    /** Has all calls answered. */
    void answerAll() {
        calls.values().forEach(call -> answering.execute(call.answer));
        calls.clear();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.core.lease.LayoutChange;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.namenode.lease.LayoutLeases.Begin;
import io.github.foresight.namenode.lease.LayoutLeases.Course;
import io.github.foresight.namenode.lease.LayoutLeases.Waiting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Changes that wait until no client holds a layout of the changed files. A change is carried out when it is ready, or begins anew when the
 * activation ends in which it began.
 *
 * <p>The executor runs these actions. Constant time for each change. Not thread-safe: guarded by the lock of {@link LayoutLeases}.
 */
final class WaitingChanges {

    private static final class Deferred {
        final Waiting action;
        final long sinceNanos;

        Deferred(Waiting action, long sinceNanos) {
            this.action = action;
            this.sinceNanos = sinceNanos;
        }
    }

    private final int max;
    private final Executor carryingOut;
    private final LeaseListener events;
    private final Map<LayoutChange, Deferred> changes = new HashMap<>();

    /**
     * Begins without changes.
     *
     * @param max how many changes may wait whose callers can still be refused
     * @param carryingOut carries changes out, on another thread
     */
    WaitingChanges(int max, Executor carryingOut, LeaseListener events) {
        this.max = max;
        this.carryingOut = carryingOut;
        this.events = events;
    }

    boolean isFull() {
        return changes.size() >= max;
    }

    int size() {
        return changes.size();
    }

    /** Keeps a change that is not ready. */
    void await(LayoutChange change, Waiting action, long nowNanos) {
        changes.put(change, new Deferred(action, nowNanos));
        events.changeWaits();
    }

    /**
     * Has changes carried out that no client holds up any longer.
     *
     * @param at the leases under which they have begun
     */
    void ready(NameNodeLeases at, List<LayoutChange> ready, long nowNanos) {
        for (LayoutChange change : ready) {
            Deferred done = changes.remove(change);
            if (done != null) {
                events.changeReady(nowNanos - done.sinceNanos);
                carryingOut.execute(() -> done.action.carryOut(new Begin(Course.NOW, at, change)));
            }
        }
    }

    /** Starts all waiting changes again. */
    void beginAnew() {
        changes.values().forEach(change -> carryingOut.execute(change.action::beginAnew));
        changes.clear();
    }
}

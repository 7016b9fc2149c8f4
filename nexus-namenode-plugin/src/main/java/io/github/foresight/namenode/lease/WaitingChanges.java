/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.core.lease.LayoutChange;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.namenode.lease.BegunChange.Course;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Changes that wait until no client holds a layout of the changed files. A change is carried out when it is ready, or begins anew when the
 * activation ends in which it began.
 *
 * <p>The executor runs these actions. Constant time for each change. Not thread-safe: guarded by the lock of {@link LayoutLeases}.
 */
final class WaitingChanges {

    /** What becomes of a change that waits. Immutable. */
    static final class Actions {
        private final Consumer<BegunChange> carryOut;
        private final Runnable beginAnew;

        /**
         * Makes the actions.
         *
         * @param carryOut when no client holds a layout any longer
         * @param beginAnew when the NameNode has become active anew, or is no longer
         */
        Actions(Consumer<BegunChange> carryOut, Runnable beginAnew) {
            this.carryOut = carryOut;
            this.beginAnew = beginAnew;
        }
    }

    private static final class Deferred {
        final Actions actions;
        final long sinceNanos;

        Deferred(Actions actions, long sinceNanos) {
            this.actions = actions;
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
    void await(LayoutChange change, Actions actions, long nowNanos) {
        changes.put(change, new Deferred(actions, nowNanos));
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
                carryingOut.execute(() -> done.actions.carryOut.accept(new BegunChange(Course.NOW, at, change)));
            }
        }
    }

    /** Starts all waiting changes again. */
    void beginAnew() {
        changes.values().forEach(change -> carryingOut.execute(change.actions.beginAnew));
        changes.clear();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.core.lease.LayoutChange;
import io.github.foresight.core.lease.NameNodeLeases;
import org.jspecify.annotations.Nullable;

/** A change that has begun at {@link LayoutLeases}, and how it goes on. Guarded by their lock, except for its course. */
final class BegunChange {

    /** How a change may go on. */
    enum Course {
        /** HDFS carries it out now; {@link LayoutLeases#end} follows. */
        NOW,
        /** It waits. */
        LATER,
        /** There is nothing to recall, and nothing to end. */
        UNLEASED,
        /** The changed files must be examined first. {@link LayoutLeases#begin} follows with the result. */
        LOOK
    }

    static final BegunChange UNLEASED = new BegunChange(Course.UNLEASED, null, null);
    static final BegunChange LOOK = new BegunChange(Course.LOOK, null, null);

    private final Course course;
    private final @Nullable NameNodeLeases at;
    private final @Nullable LayoutChange change;

    BegunChange(Course course, @Nullable NameNodeLeases at, @Nullable LayoutChange change) {
        this.course = course;
        this.at = at;
        this.change = change;
    }

    Course course() {
        return course;
    }

    /**
     * Ends the change under the leases under which it began.
     *
     * @return whether these are the current leases
     */
    boolean end(@Nullable NameNodeLeases current) {
        if (at == null || change == null) {
            return true;
        }
        at.end(change);
        return at == current;
    }
}

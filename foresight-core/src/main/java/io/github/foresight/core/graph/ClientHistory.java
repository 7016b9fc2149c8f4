/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one client: its last accesses, the course that it is on, if it is on one, and the one that it was on before. A client
 * often leaves its course for one file, or takes turns between two.
 *
 * <p>Constant memory: a little more than two kilobytes with two courses, a twentieth of that without. Not thread-safe.
 */
public final class ClientHistory {

    final HistoryWindow window;

    private @Nullable Course course;

    /** The course that was left last, to which the client may come back. */
    private @Nullable Course other;

    /**
     * Of a client that has accessed nothing yet.
     *
     * @param windowCapacity accesses remembered, at least 1
     * @param maxIdleNanos how long a pause may be without what was before it being forgotten, above 0
     */
    public ClientHistory(int windowCapacity, long maxIdleNanos) {
        this(windowCapacity, maxIdleNanos, SuccessorGraph.NOBODY);
    }

    /**
     * Of a client that has accessed nothing yet.
     *
     * @param windowCapacity accesses remembered, at least 1
     * @param maxIdleNanos how long a pause may be without what was before it being forgotten, above 0
     * @param owner the number of the client's user, to whom vertices are charged that its accesses make; 0 for nobody
     */
    public ClientHistory(int windowCapacity, long maxIdleNanos, int owner) {
        this.window = new HistoryWindow(windowCapacity, maxIdleNanos, owner);
    }

    /** About as much heap as it takes. */
    public int bytes() {
        return Long.BYTES * window.capacity()
                + (course == null ? 0 : Course.BYTES)
                + (other == null ? 0 : Course.BYTES);
    }

    /** The course, if there was ever one. */
    @Nullable
    Course course() {
        return course;
    }

    /** The client is expected to go on, at the end of its course, to a file. */
    void expect(long file, double step) {
        if (course == null) {
            course = new Course();
        }
        course.add(file, step);
    }

    void endCourse() {
        if (course != null) {
            course.end();
        }
    }

    /**
     * The client is on its course no longer, but may come back to it; nothing must be behind. A course that it has not kept to even once
     * does not take the place of the other.
     *
     * @return whether there is one to come back to
     */
    boolean leaveCourse() {
        boolean hasOther = other != null && other.ahead() > 0;
        if (course != null && course.ahead() > 0 && (course.isKeptTo() || !hasOther)) {
            swapCourses();
            hasOther = true;
        }
        endCourse();
        return hasOther;
    }

    private void swapCourses() {
        Course left = course;
        course = other;
        other = left;
    }

    /** There is no way back to any course. */
    void endCourses() {
        endCourse();
        if (other != null) {
            other.end();
        }
    }

    /** Moves on for the next access on the course, which is to be learned from later; else does nothing. */
    boolean walk(long file) {
        if (course == null || !course.isNext(file)) {
            return false;
        }
        if (course.behind() > 0) {
            course.walk();
            return true;
        }
        return comeBack(file);
    }

    /**
     * Moves on for an access that keeps to the course, but for one that was left out maybe, or comes back to the other course so; else does
     * nothing. It is to be learned from later; nothing else must be behind.
     */
    boolean comeBack(long file) {
        Course kept = keptTo(file);
        if (kept == null) {
            return false;
        }
        if (kept == other) {
            swapCourses();
        }
        kept.walkTo(file);
        return true;
    }

    /** The course that an access keeps to, the longer one if it keeps to both. */
    private @Nullable Course keptTo(long file) {
        Course here = course != null && course.isNear(file) ? course : null;
        if (other == null || !other.isNear(file) || (here != null && here.ahead() >= other.ahead())) {
            return here;
        }
        return other;
    }

    boolean isRepetition(long file) {
        if (course != null && course.behind() > 0) {
            return course.isLast(file);
        }
        return window.isRepetition(file);
    }

    /** Moves along either course for an access that is learned from at once, if it keeps to one; nothing must be behind. */
    void pass(long file) {
        Course kept = keptTo(file);
        if (kept != null) {
            kept.passTo(file);
        }
    }

    /** The same for accesses in turn that are about to be learned from. */
    void pass(long[] accesses, long[] nanos, int count) {
        long last = window.lastNanos();
        for (int i = 0; i < count; i++) {
            if (window.isPause(last, nanos[i])) {
                endCourses();
            } else if (!(i == 0 ? window.isRepetition(accesses[0]) : accesses[i] == accesses[i - 1])) {
                pass(accesses[i]);
            }
            last = nanos[i];
        }
    }
}

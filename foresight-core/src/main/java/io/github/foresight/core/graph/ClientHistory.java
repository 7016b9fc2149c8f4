/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one client: its last accesses, and the course that it is on, if it is on one.
 *
 * <p>Constant memory: one that has been on a course takes about a kilobyte, others a tenth. Not thread-safe.
 */
public final class ClientHistory {

    final HistoryWindow window;

    private @Nullable Course course;

    /**
     * Of a client that has accessed nothing yet.
     *
     * @param windowCapacity accesses remembered, at least 1
     * @param maxIdleNanos how long a pause may be without what was before it being forgotten, above 0
     */
    public ClientHistory(int windowCapacity, long maxIdleNanos) {
        this.window = new HistoryWindow(windowCapacity, maxIdleNanos);
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

    boolean isRepetition(long file) {
        if (course != null && course.behind() > 0) {
            return course.isLast(file);
        }
        return window.isRepetition(file);
    }

    /** Moves along the course for accesses that are about to be learned from, as long as they keep to it. */
    void pass(long[] accesses, long[] nanos, int count) {
        if (course == null) {
            return;
        }
        long last = window.lastNanos();
        for (int i = 0; i < count && course.ahead() > 0; i++) {
            if (window.isPause(last, nanos[i])) {
                course.end();
            } else if (!(i == 0 ? window.isRepetition(accesses[0]) : accesses[i] == accesses[i - 1])) {
                course.pass(accesses[i]);
            }
            last = nanos[i];
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * The history of one client: its last accesses, its predicted run, and the predicted run that it left last. Clients
 * often leave a run for one file, or alternate between two runs.
 *
 * <p>Each access takes constant time. Memory is constant: slightly more than two kilobytes with two runs, a twentieth
 * of that without. Not thread-safe.
 */
public final class ClientHistory {

    final HistoryWindow window;

    private @Nullable PredictedRun run;

    /** The run that the client left last and may resume. */
    private @Nullable PredictedRun leftRun;

    /**
     * Makes the history of a client without accesses.
     *
     * @param windowCapacity the number of remembered accesses, at least 1
     * @param maxIdleNanos the longest pause after which earlier accesses are still remembered, above 0
     */
    public ClientHistory(int windowCapacity, long maxIdleNanos) {
        this(windowCapacity, maxIdleNanos, SuccessorGraph.NOBODY);
    }

    /**
     * Makes the history of a client without accesses.
     *
     * @param windowCapacity the number of remembered accesses, at least 1
     * @param maxIdleNanos the longest pause after which earlier accesses are still remembered, above 0
     * @param owner the number of the client's user, who is charged for the vertices that the accesses make; 0 for
     *     nobody
     */
    public ClientHistory(int windowCapacity, long maxIdleNanos, int owner) {
        this.window = new HistoryWindow(windowCapacity, maxIdleNanos, owner);
    }

    /** The approximate heap bytes of this history. */
    public int bytes() {
        return Long.BYTES * window.capacity()
                + (run == null ? 0 : PredictedRun.BYTES)
                + (leftRun == null ? 0 : PredictedRun.BYTES);
    }

    /** The predicted run; null if the client never had one. */
    @Nullable
    PredictedRun run() {
        return run;
    }

    /** Adds a file to the end of the predicted run. */
    void expect(long file, double step) {
        if (run == null) {
            run = new PredictedRun();
        }
        run.add(file, step);
    }

    void endRun() {
        if (run != null) {
            run.end();
        }
    }

    /**
     * The client leaves its run, which it may resume later. No access may wait to be learned. A run of which the client
     * accessed no file does not replace the run that was left before.
     *
     * @return whether there is a run to resume
     */
    boolean leaveRun() {
        boolean hasLeftRun = leftRun != null && leftRun.ahead() > 0;
        if (run != null && run.ahead() > 0 && (run.isFollowed() || !hasLeftRun)) {
            swapRuns();
            hasLeftRun = true;
        }
        endRun();
        return hasLeftRun;
    }

    private void swapRuns() {
        PredictedRun left = run;
        run = leftRun;
        leftRun = left;
    }

    /** Ends the run, and the run that was left before. */
    void endRuns() {
        endRun();
        if (leftRun != null) {
            leftRun.end();
        }
    }

    /**
     * Advances the run if the access is the next file of the run. The graph learns the access later.
     *
     * @return whether the run has advanced
     */
    boolean advance(long file) {
        if (run == null || !run.isNext(file)) {
            return false;
        }
        if (run.behind() > 0) {
            run.advance();
            return true;
        }
        return advanceOrResume(file);
    }

    /**
     * Advances the run if the access is one of its next files, and skips the files before it. If the access is a next
     * file of the run that was left before, the client resumes that run. The graph learns the access later. No other
     * access may wait to be learned.
     *
     * @return whether a run has advanced
     */
    boolean advanceOrResume(long file) {
        PredictedRun followed = followedRun(file);
        if (followed == null) {
            return false;
        }
        if (followed == leftRun) {
            swapRuns();
        }
        followed.advanceTo(file);
        return true;
    }

    /** The run that has the access among its next files; the longer run if both have it. */
    private @Nullable PredictedRun followedRun(long file) {
        PredictedRun here = run != null && run.isNear(file) ? run : null;
        if (leftRun == null || !leftRun.isNear(file) || (here != null && here.ahead() >= leftRun.ahead())) {
            return here;
        }
        return leftRun;
    }

    boolean isRepetition(long file) {
        if (run != null && run.behind() > 0) {
            return run.isLast(file);
        }
        return window.isRepetition(file);
    }

    /**
     * Advances a run that has the access among its next files. The caller learns the access at once. No access may wait
     * to be learned.
     */
    void pass(long file) {
        PredictedRun followed = followedRun(file);
        if (followed != null) {
            followed.passTo(file);
        }
    }

    /** Advances the runs for a list of accesses that the caller is about to learn. */
    void pass(long[] accesses, long[] nanos, int count) {
        long last = window.lastNanos();
        for (int i = 0; i < count; i++) {
            if (window.isPause(last, nanos[i])) {
                endRuns();
            } else if (!(i == 0 ? window.isRepetition(accesses[0]) : accesses[i] == accesses[i - 1])) {
                pass(accesses[i]);
            }
            last = nanos[i];
        }
    }
}

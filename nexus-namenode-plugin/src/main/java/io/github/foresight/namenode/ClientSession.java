/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.graph.HistoryWindow;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.Usefulness;

/** What one client has opened last, and which files it was told of just before. Thread-safe. */
final class ClientSession {

    /** So many files are remembered as told of, the oldest giving way. */
    private static final int TOLD_MAX = 64;

    @GuardedBy("this")
    private final HistoryWindow window;

    @GuardedBy("this")
    private final long[] told = new long[TOLD_MAX];

    @GuardedBy("this")
    private final long[] toldUntilNanos = new long[TOLD_MAX];

    @GuardedBy("this")
    private int oldest;

    ClientSession(int windowCapacity, long windowIdleNanos) {
        this.window = new HistoryWindow(windowCapacity, windowIdleNanos);
    }

    /** Records opens one after another. */
    synchronized void opened(Predictor predictor, long[] files, long nowNanos) {
        for (long file : files) {
            predictor.record(window, file, nowNanos);
        }
    }

    /** Records an open and predicts what comes after it. */
    synchronized void opened(
            Predictor predictor, long file, long nowNanos, Usefulness usefulness, PrefetchGroup group) {
        predictor.record(window, file, nowNanos, usefulness, group);
        forget(file, nowNanos);
    }

    /** The client asks for a file itself, so it does not have it, whatever it was told. */
    @GuardedBy("this")
    private void forget(long file, long nowNanos) {
        for (int i = 0; i < TOLD_MAX; i++) {
            if (told[i] == file) {
                toldUntilNanos[i] = nowNanos;
            }
        }
    }

    /** Whether the client was told of a file so lately that it may still keep it. */
    synchronized boolean isTold(long file, long nowNanos) {
        for (int i = 0; i < TOLD_MAX; i++) {
            if (told[i] == file && toldUntilNanos[i] - nowNanos > 0) {
                return true;
            }
        }
        return false;
    }

    synchronized void tell(long file, long untilNanos) {
        told[oldest] = file;
        toldUntilNanos[oldest] = untilNanos;
        oldest = (oldest + 1) % TOLD_MAX;
    }
}

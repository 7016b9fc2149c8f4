/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.graph.Allowance;
import io.github.foresight.core.graph.ClientHistory;
import io.github.foresight.core.graph.Expectations;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.Usefulness;
import org.jspecify.annotations.Nullable;

/** What one client has opened last, and which files it was told of just before. Thread-safe. */
final class ClientSession {

    /** So many files are remembered as told of, the oldest giving way. */
    private static final int TOLD_MAX = 64;

    private final long scope;

    @GuardedBy("this")
    private final ClientHistory history;

    @GuardedBy("this")
    private final long[] told = new long[TOLD_MAX];

    @GuardedBy("this")
    private final long[] toldUntilNanos = new long[TOLD_MAX];

    @GuardedBy("this")
    private int oldest;

    @GuardedBy("this")
    private final Allowance allowance;

    /** Of a client that cannot be told of files. */
    @GuardedBy("this")
    private @Nullable Expectations<String> expectations;

    /**
     * Knows nothing yet.
     *
     * @param scope a number for those whose opens are learned from together: the same file is another vertex in another scope
     * @param demanded the share of the files told of that must be used, 0 to 1
     */
    ClientSession(long scope, int windowCapacity, long windowIdleNanos, double demanded) {
        this.scope = scope;
        this.history = new ClientHistory(windowCapacity, windowIdleNanos);
        this.allowance = new Allowance(demanded);
    }

    /**
     * Records opens one after another.
     *
     * @param files by their first blocks' ids; overwritten
     * @param nanos when each was opened
     * @param count how many there are
     */
    synchronized void opened(Predictor predictor, long[] files, long[] nanos, int count) {
        allowance.opened(count);
        for (int i = 0; i < count; i++) {
            files[i] ^= scope;
        }
        predictor.record(history, files, nanos, count);
    }

    /**
     * Records an open and predicts what comes after it.
     *
     * @param group of vertices, see {@link #file}; stays empty if the client may be told of nothing now
     */
    synchronized void opened(
            Predictor predictor, long file, long nowNanos, Usefulness usefulness, PrefetchGroup group) {
        allowance.opened(1);
        if (allowance.left() > 0) {
            predictor.record(history, file ^ scope, nowNanos, usefulness, group);
        } else {
            predictor.record(history, file ^ scope, nowNanos);
        }
        forget(file, nowNanos);
    }

    /** The file that a vertex stands for. */
    long file(long vertex) {
        return vertex ^ scope;
    }

    /** Whether a stock client is expected to open a file. */
    synchronized boolean isExpected(long file) {
        return expectations != null && expectations.isExpected(file);
    }

    /**
     * A stock client is expected to open a file.
     *
     * @param dataNode the UUID of that which makes it ready
     */
    synchronized void expect(long file, int confidenceClass, String dataNode, Usefulness useful) {
        if (expectations == null) {
            expectations = new Expectations<>(TOLD_MAX);
        }
        expectations.expect(file, confidenceClass, dataNode, useful);
        allowance.told(1);
    }

    /**
     * A stock client opens a file.
     *
     * @return the UUID of the DataNode that was to make it ready, or null if it was not expected
     */
    synchronized @Nullable String openedExpected(long file, Usefulness useful) {
        String dataNode = expectations == null ? null : expectations.opened(file, useful);
        if (dataNode != null) {
            allowance.used(1);
        }
        return dataNode;
    }

    /** So many of the files it was told of were used. */
    synchronized void used(int files) {
        allowance.used(files);
    }

    /** Of how many files it may be told now. */
    synchronized int allowance() {
        return allowance.left();
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
        allowance.told(1);
    }
}

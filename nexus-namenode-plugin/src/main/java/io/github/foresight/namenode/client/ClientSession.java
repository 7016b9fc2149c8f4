/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.graph.Allowance;
import io.github.foresight.core.graph.ClientHistory;
import io.github.foresight.core.graph.Expectations;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.RecentFiles;
import io.github.foresight.core.graph.Usefulness;
import org.jspecify.annotations.Nullable;

/** What one client has opened last, and which files it was told of just before. Thread-safe. */
public final class ClientSession {

    /** So many files are remembered as told of, the oldest giving way. */
    private static final int TOLD_MAX = 64;

    /** A client of ours waits for the end of no more predictions. */
    private static final int OUTSTANDING_MAX = 4096;

    /** The object, those that it always has, and an entry of the table of sessions with an identity of usual length. */
    private static final int BASE_BYTES = 600;

    /** An entry of a linked hash map with a boxed number and a place. */
    private static final int EXPECTED_BYTES = 140;

    /** So many times a client's report of a file is believed for each grant or open of its own, on average. Chosen, not measured. */
    private static final int HITS_PER_GRANT = 100;

    /** Of grants whose hits are still to come. */
    private static final int HITS_EXPECTED_MAX = 64 * HITS_PER_GRANT;

    private final long scope;

    @GuardedBy("this")
    private final ClientHistory history;

    /** Of a client that is told of files; empty until then. */
    @GuardedBy("this")
    private long[] told = {};

    @GuardedBy("this")
    private long[] toldUntilNanos = {};

    @GuardedBy("this")
    private int oldest;

    /** What the client may say that it has opened by itself. */
    @GuardedBy("this")
    private final RecentFiles recent;

    /** How many hits are believed until another file is granted or opened. */
    @GuardedBy("this")
    private int hitsExpected;

    @GuardedBy("this")
    private int bytesBefore;

    /** How many files were granted of which the client has not said yet that it used them. */
    @GuardedBy("this")
    private int outstanding;

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
    public ClientSession(long scope, int windowCapacity, long windowIdleNanos, double demanded) {
        this(
                scope,
                new ClientHistory(windowCapacity, windowIdleNanos),
                demanded,
                new RecentFiles(RecentFiles.CAPACITY_MIN, 0));
    }

    /**
     * Knows nothing yet.
     *
     * @param scope a number for those whose opens are learned from together: the same file is another vertex in another scope
     * @param demanded the share of the files told of that must be used, 0 to 1
     */
    public ClientSession(long scope, ClientHistory history, double demanded, RecentFiles recent) {
        this.scope = scope;
        this.history = history;
        this.recent = recent;
        this.allowance = new Allowance(demanded);
    }

    /**
     * Records opens one after another.
     *
     * @param files by their first blocks' ids; overwritten
     * @param nanos when each was opened
     * @param count how many there are
     */
    public synchronized void opened(Predictor predictor, long[] files, long[] nanos, int count) {
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
    public synchronized void opened(
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
    public long file(long vertex) {
        return vertex ^ scope;
    }

    /** Whether a stock client is expected to open a file. */
    public synchronized boolean isExpected(long file) {
        return expectations != null && expectations.isExpected(file);
    }

    /**
     * A stock client is expected to open a file.
     *
     * @param dataNode the UUID of that which makes it ready
     */
    public synchronized void expect(long file, int confidenceClass, String dataNode, Usefulness useful) {
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
    public synchronized @Nullable String openedExpected(long file, Usefulness useful) {
        String dataNode = expectations == null ? null : expectations.opened(file, useful);
        if (dataNode != null) {
            allowance.used(1);
        }
        return dataNode;
    }

    /** The client has opened a file, and may do so again without saying so at once. */
    public synchronized void openedForItself(long file) {
        expectHits(file);
    }

    @GuardedBy("this")
    private void expectHits(long file) {
        recent.add(file);
        hitsExpected = Math.min(HITS_EXPECTED_MAX, hitsExpected + HITS_PER_GRANT);
    }

    /** The client was granted a file that it may open without saying so at once. */
    public synchronized void granted(long file) {
        expectHits(file);
        outstanding = Math.min(OUTSTANDING_MAX, outstanding + 1);
    }

    /**
     * The client says that it has opened files by itself. Those that it was granted or has opened lately are moved to the front, in their
     * order: {@value #HITS_PER_GRANT} at most for each grant or open.
     *
     * @param files by their first blocks' ids
     * @return how many these are
     */
    public synchronized int admit(long[] files) {
        int admitted = 0;
        for (long file : files) {
            if (admitted < hitsExpected && recent.contains(file)) {
                files[admitted] = file;
                admitted++;
            }
        }
        hitsExpected -= admitted;
        return admitted;
    }

    /**
     * The client says that it has used files that it was granted.
     *
     * @return of how many that can be true
     */
    public synchronized int settle(int used) {
        int settled = Math.min(used, outstanding);
        outstanding -= settled;
        return settled;
    }

    /** About as much heap as it takes, with the client's identity. */
    public synchronized int bytes() {
        return BASE_BYTES
                + history.bytes()
                + recent.bytes()
                + Long.BYTES * (told.length + toldUntilNanos.length)
                + (expectations == null ? 0 : TOLD_MAX * EXPECTED_BYTES);
    }

    /** Notes how much heap it takes now; returns whether that is more than was noted last. */
    public synchronized boolean noteGrowth() {
        int now = bytes();
        boolean grown = now > bytesBefore;
        bytesBefore = now;
        return grown;
    }

    /** So many of the predicted files that it was granted were used. */
    public synchronized void used(int files) {
        allowance.used(files);
    }

    /** Of how many files it may be told now. */
    public synchronized int allowance() {
        return allowance.left();
    }

    /** The client asks for a file itself, so it does not have it, whatever it was told. */
    @GuardedBy("this")
    private void forget(long file, long nowNanos) {
        for (int i = 0; i < told.length; i++) {
            if (told[i] == file) {
                toldUntilNanos[i] = nowNanos;
            }
        }
    }

    /** Whether the client was told of a file so lately that it may still keep it. */
    public synchronized boolean isTold(long file, long nowNanos) {
        for (int i = 0; i < told.length; i++) {
            if (told[i] == file && toldUntilNanos[i] - nowNanos > 0) {
                return true;
            }
        }
        return false;
    }

    public synchronized void tell(long file, long untilNanos) {
        if (told.length == 0) {
            told = new long[TOLD_MAX];
            toldUntilNanos = new long[TOLD_MAX];
        }
        told[oldest] = file;
        toldUntilNanos[oldest] = untilNanos;
        oldest = (oldest + 1) % TOLD_MAX;
        allowance.told(1);
    }
}

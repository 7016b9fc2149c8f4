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

/** The recent opens of one client, and the predicted files that the client was granted recently. Thread-safe. */
public final class ClientSession {

    /** The most granted predictions that are remembered. The oldest is dropped first. */
    private static final int GRANTED_MAX = 64;

    /** A Foresight client tracks at most this many predictions whose outcome is open. */
    private static final int OUTSTANDING_MAX = 4096;

    /** Heap of a session without its variable parts, with its table entry and an identity of usual length. */
    private static final int BASE_BYTES = 600;

    /** An entry of a linked hash map with a boxed number and a place. */
    private static final int EXPECTED_BYTES = 140;

    /** How many reported hits each grant or open allows, on average. Chosen, not measured. */
    private static final int HITS_PER_GRANT = 100;

    /** The most hits that may be outstanding. */
    private static final int HITS_EXPECTED_MAX = 64 * HITS_PER_GRANT;

    private final long scope;

    @GuardedBy("this")
    private final ClientHistory history;

    /** The files granted last. Empty until the first grant. */
    @GuardedBy("this")
    private long[] granted = {};

    @GuardedBy("this")
    private long[] heldUntilNanos = {};

    @GuardedBy("this")
    private int oldest;

    /** The files whose hits the client may report. */
    @GuardedBy("this")
    private final RecentFiles recent;

    /** How many hits are accepted until another file is granted or opened. */
    @GuardedBy("this")
    private int hitsExpected;

    @GuardedBy("this")
    private int bytesBefore;

    /** How many granted files the client has not reported as used yet. */
    @GuardedBy("this")
    private int outstanding;

    @GuardedBy("this")
    private final Allowance allowance;

    /** The expected opens of a stock client. Null for other clients. */
    @GuardedBy("this")
    private @Nullable Expectations<String> expectations;

    /**
     * Makes a session without opens.
     *
     * @param scope a number for those whose opens are learned from together: the same file is another vertex in another scope
     * @param demanded the share of predicted files that must be used, 0 to 1
     */
    public ClientSession(long scope, int windowCapacity, long windowIdleNanos, double demanded) {
        this(
                scope,
                new ClientHistory(windowCapacity, windowIdleNanos),
                demanded,
                new RecentFiles(RecentFiles.CAPACITY_MIN, 0));
    }

    /**
     * Makes a session without opens.
     *
     * @param scope a number for those whose opens are learned from together: the same file is another vertex in another scope
     * @param demanded the share of predicted files that must be used, 0 to 1
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
     * @param group of vertices, see {@link #file}; stays empty if the client may be granted no file now
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
     * @param dataNode the UUID of the DataNode that prefetches the file
     */
    public synchronized void expect(long file, int confidenceClass, String dataNode, Usefulness useful) {
        if (expectations == null) {
            expectations = new Expectations<>(GRANTED_MAX);
        }
        expectations.expect(file, confidenceClass, dataNode, useful);
        allowance.spend(1);
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

    /** The client has opened a file, and may open it again from its cached layout. */
    public synchronized void openedForItself(long file) {
        expectHits(file);
    }

    @GuardedBy("this")
    private void expectHits(long file) {
        recent.add(file);
        hitsExpected = Math.min(HITS_EXPECTED_MAX, hitsExpected + HITS_PER_GRANT);
    }

    /** The client was granted a file, and may open it from its cached layout. */
    public synchronized void granted(long file) {
        expectHits(file);
        outstanding = Math.min(OUTSTANDING_MAX, outstanding + 1);
    }

    /**
     * The client reports hits: files that it opened from a cached layout. Files that it was granted, or has opened recently, are
     * moved to the front in their order. Each grant or open allows at most {@value #HITS_PER_GRANT} hits.
     *
     * @param files by their first blocks' ids
     * @return how many files were moved to the front
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
     * The client reports how many granted files it has used.
     *
     * @return the part of the report that the outstanding grants allow
     */
    public synchronized int settle(int used) {
        int settled = Math.min(used, outstanding);
        outstanding -= settled;
        return settled;
    }

    /** An estimate of the session's heap, with the client's identity. */
    public synchronized int bytes() {
        return BASE_BYTES
                + history.bytes()
                + recent.bytes()
                + Long.BYTES * (granted.length + heldUntilNanos.length)
                + (expectations == null ? 0 : GRANTED_MAX * EXPECTED_BYTES);
    }

    /** Notes how much heap it takes now; returns whether that is more than was noted last. */
    public synchronized boolean noteGrowth() {
        int now = bytes();
        boolean grown = now > bytesBefore;
        bytesBefore = now;
        return grown;
    }

    /** The client has used predicted files that it was granted. */
    public synchronized void used(int files) {
        allowance.used(files);
    }

    /** How many predicted files the client may be granted now. */
    public synchronized int allowance() {
        return allowance.left();
    }

    /** The client opens a file with a request, so it no longer holds the granted layout. */
    @GuardedBy("this")
    private void forget(long file, long nowNanos) {
        for (int i = 0; i < granted.length; i++) {
            if (granted[i] == file) {
                heldUntilNanos[i] = nowNanos;
            }
        }
    }

    /** Whether the client was granted a file recently enough to hold its layout still. */
    public synchronized boolean mayHold(long file, long nowNanos) {
        for (int i = 0; i < granted.length; i++) {
            if (granted[i] == file && heldUntilNanos[i] - nowNanos > 0) {
                return true;
            }
        }
        return false;
    }

    /** Notes that the client may hold the layout of a predicted file until a time. */
    public synchronized void noteHeld(long file, long untilNanos) {
        if (granted.length == 0) {
            granted = new long[GRANTED_MAX];
            heldUntilNanos = new long[GRANTED_MAX];
        }
        granted[oldest] = file;
        heldUntilNanos[oldest] = untilNanos;
        oldest = (oldest + 1) % GRANTED_MAX;
        allowance.spend(1);
    }
}

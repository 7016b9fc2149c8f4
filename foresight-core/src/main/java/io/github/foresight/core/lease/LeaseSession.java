/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a NameNode knows of one client with leases. {@link NameNodeLeases} guards its state.
 *
 * <pre>
 *   recalls   1 ... acknowledged      | acknowledged + 1 ... lastRecall
 *             processed by the client | each reply carries these, until the client acknowledges them
 * </pre>
 *
 * <p>When too many recalls are outstanding, one of the root takes the place of all of them, under the next number. So it is when the lease
 * has run out with recalls outstanding.
 */
public final class LeaseSession {

    private final long id;
    private final String user;
    private final long incarnation;

    /** Characters of the outstanding recalls; beyond that one recall of the root takes their place. Chosen, not measured. */
    private static final int RECALL_CHARS_MAX = 8_192;

    /** The recalls up to the last that the client has not acknowledged, in order; shorter than their number after one of the root. */
    private final Deque<String> recalls = new ArrayDeque<>();

    private int recallChars;

    /** Changes that wait for this client, each with the recall that must be acknowledged. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    private long acknowledged;
    private long lastRecall;

    /** By the NameNode's clock; the client stops using cached layouts before. */
    private long expiresAtNanos;

    /** The highest number of a request whose answer granted a layout. */
    private long lastGranting = Long.MIN_VALUE;

    private boolean queued;
    private int filesYoung;
    private int filesOld;

    LeaseSession(long id, String user, long incarnation, long expiresAtNanos) {
        this.id = id;
        this.user = user;
        this.incarnation = incarnation;
        this.expiresAtNanos = expiresAtNanos;
    }

    private static final class Waiting {
        final LayoutChange change;
        final long recall;

        Waiting(LayoutChange change, long recall) {
            this.change = change;
            this.recall = recall;
        }
    }

    /** The client's own name for itself. */
    public long id() {
        return id;
    }

    /** Whose client it was when it came first. */
    String user() {
        return user;
    }

    long incarnation() {
        return incarnation;
    }

    long acknowledged() {
        return acknowledged;
    }

    long lastRecall() {
        return lastRecall;
    }

    /** The number of the recall before the first of {@link #recalls()}. */
    long recallsAfter() {
        return lastRecall - recalls.size();
    }

    List<String> recalls() {
        return new ArrayList<>(recalls);
    }

    boolean hasRecalls() {
        return !recalls.isEmpty();
    }

    long expiresAtNanos() {
        return expiresAtNanos;
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - expiresAtNanos >= 0;
    }

    boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /** The lease lasts longer, unless a recall is outstanding: a change waits for what it saw at its begin, and no longer. */
    boolean renew(long untilNanos) {
        if (hasRecalls()) {
            return false;
        }
        expiresAtNanos = Math.max(expiresAtNanos, untilNanos);
        return true;
    }

    void recall(String path, int recallsMax) {
        lastRecall++;
        boolean tooMany = recalls.size() >= recallsMax || recallChars + path.length() > RECALL_CHARS_MAX;
        if (tooMany) {
            recalls.clear();
            recallChars = 0;
        }
        recalls.addLast(tooMany ? Subtree.ROOT : path);
        recallChars += recalls.getLast().length();
    }

    /** One recall of the root takes the place of those that are outstanding: nobody waits for a client whose lease has run out. */
    private void mergeRecalls() {
        if (hasRecalls()) {
            recalls.clear();
            recalls.addLast(Subtree.ROOT);
            recallChars = Subtree.ROOT.length();
        }
    }

    /** A change waits until the client has acknowledged all recalls up to now. */
    void await(LayoutChange change) {
        change.await(this);
        waiting.addLast(new Waiting(change, lastRecall));
    }

    /** The client has processed recalls up to a number. Changes that become ready are added to the list. */
    void acknowledge(long recall, List<LayoutChange> ready) {
        if (recall <= acknowledged || recall > lastRecall) {
            return;
        }
        acknowledged = recall;
        while (recalls.size() > lastRecall - acknowledged) {
            recallChars -= recalls.removeFirst().length();
        }
        while (!waiting.isEmpty() && waiting.getFirst().recall <= acknowledged) {
            release(ready);
        }
    }

    /** The client's lease has run out: no change waits for it any more. */
    void expire(List<LayoutChange> ready) {
        mergeRecalls();
        while (!waiting.isEmpty()) {
            release(ready);
        }
    }

    private void release(List<LayoutChange> ready) {
        LayoutChange change = waiting.removeFirst().change;
        if (change.release(this)) {
            ready.add(change);
        }
    }

    /** Returns whether the session was not in the queue of expiries; it is now. */
    boolean enqueue() {
        boolean added = !queued;
        queued = true;
        return added;
    }

    void dequeue() {
        queued = false;
    }

    boolean isFull(int filesMax) {
        return filesYoung + filesOld >= filesMax;
    }

    void granted(long requestNumber) {
        filesYoung++;
        lastGranting = Math.max(lastGranting, requestNumber);
    }

    long lastGranting() {
        return lastGranting;
    }

    void age() {
        filesOld = filesYoung;
        filesYoung = 0;
    }

    @Override
    public String toString() {
        return Long.toHexString(id) + "/" + incarnation;
    }
}

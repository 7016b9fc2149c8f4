/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The NameNode's record of one client with leases. {@link NameNodeLeases} guards its state.
 *
 * <pre>
 *   recalls   1 ... acknowledged      | acknowledged + 1 ... lastRecall
 *             processed by the client | each reply carries these, until the client acknowledges them
 * </pre>
 *
 * <p>When too many recalls are outstanding, one recall of the root replaces all of them, under the next number. The
 * same happens when the lease expires while recalls are outstanding.
 */
public final class LeaseSession {

    private final long id;
    private final String user;
    private final long incarnation;

    /**
     * The most characters of the outstanding recalls; more are replaced by one recall of the root. Chosen, not
     * measured.
     */
    private static final int RECALL_CHARS_MAX = 8_192;

    /**
     * The recalls that the client has not acknowledged, in order. After a recall of the root they are fewer than their
     * numbers.
     */
    private final Deque<String> recalls = new ArrayDeque<>();

    private int recallChars;

    /** The changes that wait for this client, each with the recall that the client must acknowledge. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    private long acknowledged;
    private long lastRecall;

    /** By the NameNode's clock; the client stops using cached layouts earlier. */
    private long expiresAtNanos;

    /** The highest number of a request whose reply granted a layout. */
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

    /** The user of the client's first request. */
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

    /**
     * Extends the lease, unless a recall is outstanding. By this rule a change waits only for the leases that it saw at
     * its begin.
     */
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

    /**
     * Replaces the outstanding recalls by one recall of the root, because no change waits for a client with an expired
     * lease.
     */
    private void mergeRecalls() {
        if (hasRecalls()) {
            recalls.clear();
            recalls.addLast(Subtree.ROOT);
            recallChars = Subtree.ROOT.length();
        }
    }

    /** Lets a change wait until the client has acknowledged all recalls so far. */
    void await(LayoutChange change) {
        change.await(this);
        waiting.addLast(new Waiting(change, lastRecall));
    }

    /**
     * Records that the client has processed the recalls up to a number. Adds the changes that become ready to the list.
     */
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

    /**
     * The client's lease has expired: no change waits for the client any longer. Adds the changes that become ready to
     * the list.
     */
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

    /** Marks the session as queued for expiry; returns false if it was queued already. */
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

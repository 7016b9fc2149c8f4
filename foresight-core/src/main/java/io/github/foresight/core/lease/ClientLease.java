/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The client's side of layout leases, for one NameNode. It decides until when cached layouts may be used, and which
 * layouts in replies are stale. The client adapter holds the layouts themselves.
 *
 * <pre>
 *   send() ─ request ─ reply ─ receive() ─┬─ forget the recalled layouts
 *                                         ├─ mayKeep(path)? for each layout in the reply
 *                                         └─ the lease lasts until send() + lease, if the reply renews it
 *   changing(paths) ─ request of a change
 * </pre>
 *
 * <p>The client answers an open from memory when {@link #mayServe} returns true after the client found the layout. The
 * answer equals an answer of the NameNode at that moment: until the lease expires, the NameNode carries out no change
 * that this client has not acknowledged.
 *
 * <p>Messages can overtake a reply. For this reason a layout in a reply is not kept in two cases: a later recall covers
 * the layout, or the client itself asked for a covering change after it sent the request. The last
 * {@link #REMEMBERED_MAX} recalls and own changes are remembered. A reply from before these brings no layouts.
 *
 * <p>Each operation takes constant time, except the check of a layout against the remembered paths. Not thread-safe:
 * the client holds one lock over each call, and over carrying out its result.
 */
public final class ClientLease {

    /** The remembered recalls, and the remembered own changes; older replies are rare. Chosen, not measured. */
    static final int REMEMBERED_MAX = 64;

    private final long leaseNanos;

    private long epoch;
    private long incarnation;
    private long processed;
    private boolean held;
    private long expiresAtNanos;

    /** As the NameNode has granted it last. */
    private long layoutNanos;

    private final Remembered recalls = new Remembered();
    private final Remembered ownChanges = new Remembered();
    private long requests;

    /**
     * Makes a client side without a lease.
     *
     * @param leaseNanos the longest lease by this client's clock, whatever the NameNode grants
     */
    public ClientLease(long leaseNanos) {
        if (leaseNanos < 0) {
            throw new IllegalArgumentException("leaseNanos must not be negative: " + leaseNanos);
        }
        this.leaseNanos = leaseNanos;
    }

    /** The last few paths with the number of each: of the recall, or of the own change. */
    private static final class Remembered {
        private final Deque<Numbered> last = new ArrayDeque<>();

        /** Paths up to this number are no longer remembered. */
        private long floor;

        private static final class Numbered {
            final String path;
            final long number;

            Numbered(String path, long number) {
                this.path = path;
                this.number = number;
            }
        }

        void add(String path, long number) {
            last.addLast(new Numbered(path, number));
            if (last.size() > REMEMBERED_MAX) {
                floor = last.removeFirst().number;
            }
        }

        void restart(long number) {
            last.clear();
            floor = number;
        }

        /** Whether a path of a higher number may cover the given path. */
        boolean coversAfter(long number, String path) {
            if (number < floor) {
                return true;
            }
            for (Numbered one : last) {
                if (one.number > number && Subtree.covers(one.path, path)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A request that was sent. Immutable. */
    public static final class Sent {
        private final long number;
        private final long sentAtNanos;
        private final LeaseMark processed;

        Sent(long number, long sentAtNanos, LeaseMark processed) {
            this.number = number;
            this.sentAtNanos = sentAtNanos;
            this.processed = processed;
        }

        /** The request's number. */
        public long number() {
            return number;
        }

        /** The time when the request was sent; the age of the layouts in its reply counts from this time. */
        public long sentAtNanos() {
            return sentAtNanos;
        }

        /** The mark of processed recalls in the request. */
        public LeaseMark processed() {
            return processed;
        }
    }

    /** Numbers a request that is about to be sent. */
    public Sent send(long nowNanos) {
        return new Sent(++requests, nowNanos, mark());
    }

    private LeaseMark mark() {
        return new LeaseMark(epoch, incarnation, processed);
    }

    /** The consequences of a reply: first layouts to forget, then layouts to keep. */
    public final class Received {
        private final Sent sent;
        private final long grantedAt;
        private final boolean isTaken;
        private final boolean everything;
        private final ImmutableList<String> forgotten;

        private Received(Sent sent, long grantedAt, boolean isTaken, boolean everything, List<String> forgotten) {
            this.sent = sent;
            this.grantedAt = grantedAt;
            this.isTaken = isTaken;
            this.everything = everything;
            this.forgotten = ImmutableList.copyOf(forgotten);
        }

        /** Whether the client must forget all cached layouts. */
        public boolean isEverythingForgotten() {
            return everything;
        }

        /** The paths to forget, each with all paths below it. */
        public ImmutableList<String> forgotten() {
            return forgotten;
        }

        /** Whether the client may keep a granted layout of the reply. */
        public boolean mayKeep(String path) {
            return isTaken && !recalls.coversAfter(grantedAt, path) && !ownChanges.coversAfter(sent.number, path);
        }
    }

    /**
     * Processes a reply. The reply may belong to another epoch or incarnation than the client's. It then brings no
     * layouts if the client has left the incarnation of its request, because the recalls of that incarnation are no
     * longer remembered.
     */
    public Received receive(Sent sent, LeaseReply reply) {
        boolean everything = false;
        if (!isCurrent(reply.epoch(), reply.incarnation())) {
            if (!isCurrent(sent.processed.epoch(), sent.processed.incarnation())) {
                return new Received(sent, reply.grantedAt(), false, false, ImmutableList.of());
            }
            everything = true;
            epoch = reply.epoch();
            incarnation = reply.incarnation();
            processed = reply.recallsAfter();
            held = false;
            recalls.restart(processed);
        } else if (reply.recallsAfter() > processed) {
            everything = true;
            processed = reply.recallsAfter();
            recalls.restart(processed);
        }
        List<String> forgotten = new ArrayList<>();
        long number = reply.recallsAfter();
        for (String path : reply.recalls()) {
            number++;
            if (number > processed) {
                recalls.add(path, number);
                forgotten.add(path);
                processed = number;
            }
        }
        layoutNanos = reply.layoutNanos();
        if (reply.isRenewed()) {
            renew(sent.sentAtNanos + Math.min(leaseNanos, Math.max(0, reply.leaseNanos())));
        }
        return new Received(sent, reply.grantedAt(), true, everything, forgotten);
    }

    private boolean isCurrent(long ofEpoch, long ofIncarnation) {
        return ofEpoch == epoch && ofIncarnation == incarnation;
    }

    private void renew(long untilNanos) {
        if (!held || untilNanos - expiresAtNanos > 0) {
            expiresAtNanos = untilNanos;
        }
        held = true;
    }

    /**
     * Whether a cached layout may be used to open a file now.
     *
     * @param askedAtNanos the time of the request whose reply brought the layout
     */
    public boolean mayServe(long askedAtNanos, long nowNanos) {
        return isLive(nowNanos) && nowNanos - askedAtNanos < layoutNanos;
    }

    /** Whether the client has a lease that has not expired. */
    public boolean isLive(long nowNanos) {
        return held && nowNanos - expiresAtNanos < 0;
    }

    /** The rest of the lease; 0 if it has expired. */
    public long remainingNanos(long nowNanos) {
        return isLive(nowNanos) ? expiresAtNanos - nowNanos : 0;
    }

    /**
     * Numbers a request for a change of this client. The client forgets the paths, each with all paths below it, before
     * it sends the request. A layout that the NameNode grants between this request and the change is recalled like the
     * layout of any other client.
     *
     * @param paths absolute, without a slash at their end
     */
    public Sent changing(List<String> paths, long nowNanos) {
        Sent sent = send(nowNanos);
        for (String path : paths) {
            ownChanges.add(path, sent.number);
        }
        return sent;
    }
}

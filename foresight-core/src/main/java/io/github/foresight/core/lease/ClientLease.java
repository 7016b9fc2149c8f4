/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The client's side of layout leases, for one NameNode: until when cached layouts may be used, and which layouts in replies are too old.
 * The layouts themselves are the adapter's.
 *
 * <pre>
 *   send() ─ request ─ reply ─ receive() ─┬─ forget what is recalled
 *                                         ├─ mayKeep(path)? for each layout in the reply
 *                                         └─ the lease lasts until send() + lease, if the reply renews it
 *   changing(paths) ─ request of a change
 * </pre>
 *
 * <p>An open is answered from memory when {@link #mayServe} says yes after the layout was found. It is then as if the NameNode had been
 * asked at that moment: until the lease runs out, the NameNode carries out no change that this client has not acknowledged.
 *
 * <p>A reply can be overtaken. So a layout is not kept if a later recall covers it, or a later
 * change of this client's own than the request. Both are remembered, within {@link #REMEMBERED_MAX}; replies from before what is
 * remembered bring nothing. Constant time, but for the remembered paths that each layout in a reply is held against. Not thread-safe: the
 * adapter holds one lock over each call, and over forgetting or keeping what the answer names.
 */
public final class ClientLease {

    /** How many recalls, and how many own changes, a layout is held against; replies older than that are rare. Chosen, not measured. */
    static final int REMEMBERED_MAX = 64;

    private final long leaseNanos;
    private final long ageMaxNanos;

    private long epoch;
    private long incarnation;
    private long processed;
    private boolean held;
    private long expiresAtNanos;

    private final Remembered recalls = new Remembered();
    private final Remembered ownChanges = new Remembered();
    private long requests;

    /**
     * Begins without a lease.
     *
     * @param leaseNanos how long a lease lasts at most by this client's clock, whatever the NameNode says
     * @param ageMaxNanos how long one layout is kept, at most as long as {@link LeaseSettings#ageMaxNanos()}
     */
    public ClientLease(long leaseNanos, long ageMaxNanos) {
        if (leaseNanos < 0 || ageMaxNanos < 0) {
            throw new IllegalArgumentException(
                    "leaseNanos and ageMaxNanos must not be negative: " + leaseNanos + ", " + ageMaxNanos);
        }
        this.leaseNanos = leaseNanos;
        this.ageMaxNanos = ageMaxNanos;
    }

    /** Paths with the numbers at which they were noted, the last few. */
    private static final class Remembered {
        private final Deque<Numbered> last = new ArrayDeque<>();

        /** What was noted up to this number is not remembered any more. */
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

        /** Whether a path was perhaps noted with a number higher than this. */
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

        /** When it was sent; the layouts in the reply are as old. */
        public long sentAtNanos() {
            return sentAtNanos;
        }

        /** What the request says of recalls. */
        public LeaseMark processed() {
            return processed;
        }
    }

    /** A request is about to be sent. */
    public Sent send(long nowNanos) {
        return new Sent(++requests, nowNanos, mark());
    }

    private LeaseMark mark() {
        return new LeaseMark(epoch, incarnation, processed);
    }

    /** What a reply asks for: first forget, then keep. */
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

        /** Whether all cached layouts are to be forgotten. */
        public boolean isEverythingForgotten() {
            return everything;
        }

        /** The paths that are to be forgotten, each with all below it. */
        public ImmutableList<String> forgotten() {
            return forgotten;
        }

        /** Whether a granted layout in the reply may be kept. */
        public boolean mayKeep(String path) {
            return isTaken && !recalls.coversAfter(grantedAt, path) && !ownChanges.coversAfter(sent.number, path);
        }
    }

    /**
     * A reply has come. One of another epoch or incarnation than the client's brings nothing if the client has left the one in which it
     * asked: what was recalled in that one is not remembered any more.
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
     * @param askedAtNanos when the request was sent whose reply brought the layout
     */
    public boolean mayServe(long askedAtNanos, long nowNanos) {
        return isLive(nowNanos) && nowNanos - askedAtNanos < ageMaxNanos;
    }

    /** Whether the lease lasts. */
    public boolean isLive(long nowNanos) {
        return held && nowNanos - expiresAtNanos < 0;
    }

    /** How much of the lease is left; 0 if it has run out. */
    public long remainingNanos(long nowNanos) {
        return isLive(nowNanos) ? expiresAtNanos - nowNanos : 0;
    }

    /**
     * This client is about to ask for a change. The adapter forgets the paths, each with all below it, before the request is sent. A
     * layout that the NameNode grants after this and before the change is recalled like any other client's.
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

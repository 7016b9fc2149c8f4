/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.lease.LeaseMember.Keeping;
import io.github.foresight.core.lease.ClientLease;
import io.github.foresight.core.lease.ClientLease.Received;
import io.github.foresight.core.lease.LeaseReply;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This JVM's lease with one NameNode, shared by all its connections to that NameNode.
 *
 * <pre>
 *   open, listing ── sending() ── receive() ── forget in all caches, then keep in the connection's own
 *   change ───────── changing(): forget in all caches ── request
 *   RecallCalls ──── a call parked at the NameNode ── receive()
 * </pre>
 *
 * <p>One lock is held while a reply is processed. So a request that is sent later, and acknowledges the reply's recalls, finds all of
 * them forgotten. If processing fails in the middle, the hub takes another session and begins anew: nothing that was granted before is used
 * again, and nothing is acknowledged that was not done. The lock is held for no call and no I/O. A hub takes a few hundred bytes, and the memory of {@link ClientLease}. Thread-safe.
 *
 * <p>The lease, its uses, and the thread that renews it are one class on purpose. Each use decides whether that thread must
 * run, and the end of the lease ends all three; one lock covers them.
 */
public final class LeaseHub {

    /** The thread with the parked call ends when no layout was used for so many leases. Chosen, not measured. */
    private static final int IDLE_LEASES = 3;

    private final InetSocketAddress address;
    private final LeaseTerms terms;
    private final LeaseEvents events;
    private final LongSupplier clock;
    private final SecureRandom random = new SecureRandom();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final LeaseMembers members = new LeaseMembers();

    @GuardedBy("lock")
    private ClientLease lease;

    @GuardedBy("lock")
    private long session;

    /** Counts the sessions; a grant of an earlier one is worth nothing. */
    @GuardedBy("lock")
    private int generation;

    /** Whether the NameNode has granted this JVM a lease; changes name the session from then on. */
    @GuardedBy("lock")
    private boolean leased;

    /** Whether the NameNode answered the last parked call with a lease, or has granted something since. */
    @GuardedBy("lock")
    private boolean parks;

    @GuardedBy("lock")
    private long leaseNanos;

    @GuardedBy("lock")
    private long usedAtNanos;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private @Nullable RecallCalls recallCalls;

    LeaseHub(InetSocketAddress address, LeaseTerms terms, LeaseEvents events, LongSupplier clock) {
        this.address = address;
        this.terms = terms;
        this.events = events;
        this.clock = clock;
        this.lease = new ClientLease(terms.leaseNanos());
        this.leaseNanos = terms.leaseNanos();
        this.session = newSession();
    }

    private long newSession() {
        long made = random.nextLong();
        return made == 0 ? 1 : made;
    }

    InetSocketAddress address() {
        return address;
    }

    LeaseEvents events() {
        return events;
    }

    void add(LeaseMember member) {
        synchronized (lock) {
            members.add(member);
        }
    }

    /** Ends a connection's part, and forgets what its cache would hear no more of; returns whether none is left. */
    boolean remove(LeaseMember member) {
        synchronized (lock) {
            members.remove(member);
            LeasedCache cache = member.cache();
            if (cache != null && !members.caches().contains(cache)) {
                cache.forgetGrantedBy(this);
            }
            return members.isEmpty();
        }
    }

    MarkedRequest sending() {
        synchronized (lock) {
            return new MarkedRequest(lease.send(clock.getAsLong()), session, generation, leased);
        }
    }

    MarkedRequest changing(List<String> paths) {
        synchronized (lock) {
            boolean done = false;
            try {
                MarkedRequest request =
                        new MarkedRequest(lease.changing(paths, clock.getAsLong()), session, generation, leased);
                for (LeasedCache cache : members.caches()) {
                    paths.forEach(cache::forget);
                }
                done = true;
                return request;
            } finally {
                if (!done) {
                    beginAnew();
                }
            }
        }
    }

    void receive(LeaseMember member, MarkedRequest request, LeaseReplyProto message, Keeping keeping) {
        synchronized (lock) {
            if (request.generation() != generation || ended) {
                return;
            }
            boolean done = false;
            try {
                Received received = process(request, message);
                if (members.contains(member)) {
                    keeping.keep(
                            path -> PlainPaths.isPlain(path) && received.mayKeep(path),
                            new LayoutGrant(this, generation, request.sent().sentAtNanos()));
                }
                done = true;
            } finally {
                if (!done) {
                    beginAnew();
                }
            }
            parks = true;
            usedAtNanos = clock.getAsLong();
            startRecallCalls();
        }
    }

    /**
     * Processes a reply that grants nothing.
     *
     * @return whether it brought anything to forget
     */
    boolean receive(MarkedRequest request, LeaseReplyProto message) {
        synchronized (lock) {
            if (request.generation() != generation || ended) {
                return false;
            }
            boolean done = false;
            try {
                Received received = process(request, message);
                done = true;
                return received.isEverythingForgotten() || !received.forgotten().isEmpty();
            } finally {
                if (!done) {
                    beginAnew();
                }
            }
        }
    }

    @GuardedBy("lock")
    private Received process(MarkedRequest request, LeaseReplyProto message) {
        LeaseReply reply = new LeaseReply(
                message.getEpoch(),
                message.getIncarnation(),
                message.getGrantedAt(),
                message.getRecallsAfter(),
                message.getRecallsList(),
                message.getRenewed(),
                TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(message.getLeaseMillis())),
                TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(message.getLayoutMillis())));
        Received received = lease.receive(request.sent(), reply);
        int forgotten = 0;
        for (LeasedCache cache : members.caches()) {
            if (received.isEverythingForgotten()) {
                forgotten += cache.forgetGrantedBy(this);
            }
            for (String path : received.forgotten()) {
                forgotten += cache.forget(path);
            }
        }
        leased = true;
        if (reply.leaseNanos() > 0) {
            leaseNanos = Math.min(terms.leaseNanos(), reply.leaseNanos());
        }
        if (reply.isRenewed()) {
            events.renewed();
        }
        if (!received.forgotten().isEmpty()) {
            events.recalled(received.forgotten().size(), forgotten);
        }
        return received;
    }

    /** Begins anew without a lease. The memory of the dropped layouts is freed when caches next look at the lease. */
    @GuardedBy("lock")
    private void beginAnew() {
        generation++;
        session = newSession();
        lease = new ClientLease(terms.leaseNanos());
    }

    void abandon(Throwable failure) {
        synchronized (lock) {
            beginAnew();
            members.caches().forEach(cache -> cache.forgetGrantedBy(this));
        }
        events.failed(failure);
    }

    boolean isLive(LayoutGrant grant) {
        synchronized (lock) {
            return mayServe(grant);
        }
    }

    @GuardedBy("lock")
    private boolean mayServe(LayoutGrant grant) {
        return grant.generation() == generation && !ended && lease.mayServe(grant.askedAtNanos(), clock.getAsLong());
    }

    boolean use(LayoutGrant grant) {
        synchronized (lock) {
            if (!mayServe(grant)) {
                events.expired();
                return false;
            }
            usedAtNanos = clock.getAsLong();
            startRecallCalls();
            return true;
        }
    }

    @GuardedBy("lock")
    private void startRecallCalls() {
        if (recallCalls == null && parks && !ended) {
            RecallCalls calls = new RecallCalls(this);
            calls.start();
            recallCalls = calls;
        }
    }

    /** A call that is about to be parked: over which connection, with what mark, for how long. */
    static final class Parking {
        final LeaseMember member;
        final MarkedRequest request;
        final long nanos;

        Parking(LeaseMember member, MarkedRequest request, long nanos) {
            this.member = member;
            this.request = request;
            this.nanos = nanos;
        }
    }

    /**
     * What to park next.
     *
     * @param turn ascending, to take another connection after a failure
     * @return null when nobody uses layouts any more, or the NameNode knows no leases; the thread must end then
     */
    @Nullable
    Parking nextParking(int turn) {
        synchronized (lock) {
            long now = clock.getAsLong();
            List<LeaseMember> open = members.open();
            if (ended || !parks || open.isEmpty() || now - usedAtNanos > IDLE_LEASES * leaseNanos) {
                recallCalls = null;
                return null;
            }
            return new Parking(
                    open.get(Math.floorMod(turn, open.size())),
                    new MarkedRequest(lease.send(now), session, generation, leased),
                    Math.min(leaseNanos / 3, terms.parkMaxNanos()));
        }
    }

    /** The NameNode has answered a parked call without a lease. */
    void grantsNone() {
        synchronized (lock) {
            parks = false;
        }
    }

    long leaseNanos() {
        synchronized (lock) {
            return leaseNanos;
        }
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    /** The thread has died of a failure; the next use starts another. */
    void died(RecallCalls calls) {
        synchronized (lock) {
            if (recallCalls == calls) {
                recallCalls = null;
            }
        }
    }

    /** Waits until the time has passed or the hub ends. */
    void pause(long nanos) throws InterruptedException {
        long until = clock.getAsLong() + nanos;
        synchronized (lock) {
            for (long left = nanos; left > 0 && !ended; left = until - clock.getAsLong()) {
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
        }
    }

    /**
     * The last connection is closed. If a call is parked, the lease is returned in the background before the connection is closed;
     * where none is, the lease has run out or soon will.
     */
    void end(LeaseMember last, Runnable stopping) {
        RecallCalls calls;
        synchronized (lock) {
            ended = true;
            calls = recallCalls;
            if (calls != null) {
                calls.giveBack(last, new MarkedRequest(lease.send(clock.getAsLong()), session, generation, leased));
            }
            lock.notifyAll();
        }
        if (calls == null) {
            stopping.run();
        } else {
            calls.close(stopping);
        }
    }
}

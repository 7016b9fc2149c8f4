/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import io.github.foresight.core.lease.ClientLease.Received;
import io.github.foresight.core.lease.ClientLease.Sent;
import io.github.foresight.core.lease.LeaseWorld.Count;
import io.github.foresight.core.lease.LeaseWorld.Defect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client in a simulated world: the shipped client's lease, with a cache, one open or change at a time, and crashes. Several operations
 * are under way after some were given up.
 */
final class SimulatedClient {
    /** The operation of a request that no open waits for. */
    private static final long NO_OPERATION = -1;

    /** A cached layout. */
    private record Cached(long content, long askedAt) {}

    private final LeaseWorld world;
    private final SimulatedFiles files;
    private final LeaseWorld.Clock clock;
    private final int index;
    private final boolean withLeases;
    private ClientLease lease = new ClientLease(LeaseWorld.LEASE);
    private Map<String, Cached> cache = new HashMap<>();
    private long session;
    private long pausedUntil;
    private long cutOffUntil;
    private long operations;
    private long invokedAt;
    private boolean isParked;
    private final Set<Sent> unanswered = new HashSet<>();

    /** Changes without an answer, by operation: the time of the call, and the written value. */
    private final Map<Long, Long> changesInvoked = new HashMap<>();

    private final Map<Long, List<SimulatedFiles.Written>> written = new HashMap<>();

    /**
     * Begins with nothing under way.
     *
     * @param index 0 is a client without leases, as stock HDFS's
     */
    SimulatedClient(LeaseWorld world, int index) {
        this.world = world;
        this.files = world.files();
        this.clock = world.newClock();
        this.index = index;
        this.withLeases = index > 0;
        this.session = world.newSession();
    }

    int index() {
        return index;
    }

    /** Does nothing until a time of the world. */
    void pauseUntil(long until) {
        pausedUntil = until;
    }

    /** Sends and receives nothing until a time of the world. */
    void cutOffUntil(long until) {
        cutOffUntil = until;
    }

    private void run(Runnable action) {
        if (pausedUntil > world.now()) {
            world.later(pausedUntil - world.now(), () -> run(action));
        } else {
            action.run();
        }
    }

    /** Sends a message from the NameNode to this client. */
    void transmit(Runnable arrival) {
        if (cutOffUntil <= world.now()) {
            world.send(() -> run(arrival));
        }
    }

    private void request(Runnable arrival) {
        if (cutOffUntil <= world.now()) {
            world.send(() -> world.nameNode().handle(arrival));
        }
    }

    /** Ends as a process that closes its file system; another client begins in its place. */
    void close() {
        long released = session;
        request(() -> world.nameNode().release(released));
        crash();
    }

    void crash() {
        session = world.newSession();
        lease = new ClientLease(LeaseWorld.LEASE);
        cache = new HashMap<>();
        isParked = false;
        operations++;
        think();
    }

    void think() {
        long next = operations;
        world.later(
                world.random().nextInt(30),
                () -> run(() -> {
                    if (next == operations) {
                        operate();
                    }
                }));
    }

    private void operate() {
        operations++;
        invokedAt = world.now();
        if (world.random().nextInt(withLeases ? 12 : 3) == 0) {
            change();
        } else {
            open(world.random().nextInt(files.count()));
        }
        long operation = operations;
        // Gives unanswered calls up and continues.
        world.later(
                1_000 + world.random().nextInt(1_500),
                () -> run(() -> {
                    if (operation == operations) {
                        operations++;
                        think();
                    }
                }));
    }

    private void open(int file) {
        Cached cached = cache.get(files.name(file));
        if (cached != null && isFresh(cached)) {
            world.counts().add(Count.OPENS_FROM_MEMORY);
            world.trace("client %d reads %s from memory: %d", index, files.name(file), cached.content());
            finishOpen(operations, file, cached.content());
            if (world.random().nextInt(3) == 0) {
                ask(world.random().nextInt(files.count()), NO_OPERATION);
            }
            return;
        }
        ask(file, operations);
    }

    /** Asks the NameNode, for an open or in the background to look ahead. */
    private void ask(int file, long operation) {
        List<Integer> wanted = new ArrayList<>(List.of(file));
        if (withLeases) {
            wanted.add((file + 1) % files.count());
        }
        Sent sent = withLeases ? lease.send(clock.read()) : null;
        if (sent != null) {
            unanswered.add(sent);
        }
        long ownSession = session;
        request(() -> world.nameNode().open(this, sent, ownSession, operation, wanted));
    }

    private boolean isFresh(Cached cached) {
        if (world.has(Defect.BOUNDED_CONSISTENCY)) {
            return clock.read() - cached.askedAt() < LeaseWorld.LEASE;
        }
        return world.has(Defect.AGE_UNLIMITED)
                ? lease.isLive(clock.read())
                : lease.mayServe(cached.askedAt(), clock.read());
    }

    private void finishOpen(long operation, int file, long content) {
        if (operation != operations) {
            return;
        }
        world.counts().add(Count.OPENS);
        world.trace("client %d has read %s: %d", index, files.name(file), content);
        files.history(file).read(content, invokedAt, world.now());
        operations++;
        think();
    }

    void opened(
            @Nullable Sent sent,
            long ofSession,
            long operation,
            int file,
            Map<Integer, Long> read,
            Set<Integer> granted,
            @Nullable LeaseReply reply) {
        if (ofSession != session) {
            return;
        }
        if (reply != null && sent != null && unanswered.remove(sent)) {
            Received received = receive(sent, reply);
            for (int one : granted) {
                if (received.mayKeep(files.name(one)) || world.has(Defect.LATE_REPLIES_KEPT)) {
                    world.trace("client %d caches %s: %d", index, files.name(one), read.get(one));
                    cache.put(files.name(one), new Cached(read.get(one), sent.sentAtNanos()));
                }
            }
            park();
        }
        finishOpen(operation, file, read.get(file));
    }

    private Received receive(Sent sent, LeaseReply reply) {
        Received received = lease.receive(counted(sent), reply);
        world.trace(
                "client %d receives %s to %d: forgets %s, lease left %d",
                index,
                reply,
                sent.number(),
                received.isEverythingForgotten() ? "everything" : received.forgotten(),
                lease.remainingNanos(clock.read()));
        if (!world.has(Defect.BOUNDED_CONSISTENCY)) {
            if (received.isEverythingForgotten()) {
                cache.clear();
            }
            received.forgotten().forEach(this::forget);
        }
        return received;
    }

    private Sent counted(Sent sent) {
        if (world.has(Defect.LEASE_FROM_THE_REPLY)) {
            return lease.send(clock.read());
        }
        return world.has(Defect.EPOCHS_LEFT_BEHIND_TAKEN)
                ? new Sent(
                        sent.number(),
                        sent.sentAtNanos(),
                        lease.send(clock.read()).processed())
                : sent;
    }

    private void forget(String path) {
        cache.keySet().removeIf(cached -> Subtree.covers(path, cached));
    }

    private void park() {
        if (isParked) {
            return;
        }
        isParked = true;
        Sent sent = lease.send(clock.read());
        unanswered.add(sent);
        long ownSession = session;
        request(() -> world.nameNode().park(this, sent, ownSession));
        world.later(
                2 * LeaseWorld.LEASE,
                () -> run(() -> {
                    if (ownSession == session) {
                        isParked = false;
                    }
                }));
    }

    void unparked(Sent sent, long ofSession, LeaseReply reply) {
        if (ofSession == session && unanswered.remove(sent)) {
            receive(sent, reply);
            isParked = false;
            park();
        }
    }

    private void change() {
        String path = world.random().nextInt(6) == 0
                ? files.directory(world.random().nextInt(files.directoryCount()))
                : files.name(world.random().nextInt(files.count()));
        Sent sent = null;
        if (withLeases) {
            sent = world.has(Defect.OWN_CHANGES_UNSEEN)
                    ? lease.send(clock.read())
                    : lease.changing(List.of(path), clock.read());
            forget(path);
        }
        Sent own = sent;
        long operation = operations;
        long ownSession = session;
        changesInvoked.put(operation, world.now());
        request(() -> world.nameNode().change(this, path, own, ownSession, operation));
    }

    /** The NameNode carries out this client's change. */
    void write(String path, long operation, long epoch) {
        List<SimulatedFiles.Written> values = files.write(path, epoch);
        world.trace("operation %d of client %d writes %s", operation, index, values);
        written.computeIfAbsent(operation, o -> new ArrayList<>()).addAll(values);
        world.counts().add(Count.CHANGES);
    }

    void changed(long ofSession, long operation) {
        if (operation == operations && ofSession == session) {
            answer(operation, world.now());
            operations++;
            think();
        }
    }

    private void answer(long operation, long respondedAt) {
        Long invoked = changesInvoked.remove(operation);
        List<SimulatedFiles.Written> values = written.remove(operation);
        if (invoked != null && values != null) {
            // A request that arrived twice was carried out twice; it does not matter to which of them this answer
            // belongs.
            values.forEach(value -> files.history(value.file()).write(value.content(), invoked, respondedAt));
        }
    }

    /** At the end: changes without an answer may have taken effect. */
    void leaveChangesOpen() {
        new ArrayList<>(changesInvoked.keySet()).forEach(o -> answer(o, RegisterHistory.unanswered()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import io.github.foresight.core.lease.ClientLease.Sent;
import io.github.foresight.core.lease.LeaseWorld.Count;
import io.github.foresight.core.lease.LeaseWorld.Defect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One activation of a NameNode in a simulated world: the shipped leases, with a clock, pauses and a call's steps around them. */
final class SimulatedNameNode {
    private final LeaseWorld world;
    private final SimulatedFiles files;
    private final LeaseWorld.Clock clock;
    private final long epoch;
    private final NameNodeLeases leases;
    private final Map<Long, Runnable> parked = new HashMap<>();
    private final Map<LayoutChange, Runnable> waiting = new HashMap<>();
    private boolean isDown;
    private long pausedUntil;

    /** Becomes active. */
    SimulatedNameNode(LeaseWorld world, long epoch) {
        this.world = world;
        this.files = world.files();
        this.epoch = epoch;
        this.clock = world.newClock();
        this.leases = new NameNodeLeases(
                LeaseSettings.builder()
                        .leaseNanos(LeaseWorld.LEASE)
                        .marginNanos(world.has(Defect.NO_MARGIN) ? 0 : LeaseWorld.MARGIN)
                        .ageMaxNanos(LeaseWorld.AGE_MAX)
                        .sessionsMax(1 + world.random().nextInt(4))
                        .recallsMax(1 + world.random().nextInt(3))
                        .scanMax(1 + world.random().nextInt(6))
                        .build(),
                epoch,
                clock.read() - (world.has(Defect.NO_GRACE_AFTER_FAILOVER) ? 2 * LeaseWorld.LEASE : 0));
    }

    /** Answers nothing any more. */
    void fail() {
        isDown = true;
    }

    /** Does nothing until a time of the world. */
    void pauseUntil(long until) {
        pausedUntil = until;
    }

    void handle(Runnable action) {
        if (isDown) {
            return;
        }
        if (pausedUntil > world.now()) {
            world.later(pausedUntil - world.now(), () -> handle(action));
            return;
        }
        carryOut(leases.expire(clock.read()));
        action.run();
        scheduleExpiry();
    }

    /**
     * Whether a second failover has made another NameNode active before the failover to this one was over. This one
     * finishes the reads that it has begun, as HDFS's does until it notices, and writes nothing: its edit log is
     * fenced.
     */
    private boolean isOvertaken() {
        return world.nameNode() != this;
    }

    private void scheduleExpiry() {
        long next = leases.expiresNextNanos();
        if (next != Long.MAX_VALUE && !waiting.isEmpty()) {
            world.later(clock.when(next) - world.now(), () -> handle(() -> carryOut(leases.expire(clock.read()))));
        }
    }

    private void carryOut(List<LayoutChange> ready) {
        for (LayoutChange change : ready) {
            Runnable write = waiting.remove(change);
            if (write != null) {
                world.later(world.random().nextInt(3), () -> handle(write));
            }
        }
    }

    /** Opens the first file for a client and predicts the others. */
    void open(SimulatedClient client, @Nullable Sent sent, long session, long operation, List<Integer> wanted) {
        boolean readFirst =
                world.has(Defect.READ_BEFORE_GRANT) || world.random().nextBoolean();
        Granted granted = new Granted();
        Map<Integer, Long> read = new HashMap<>();
        long readAt = leases.position();
        Runnable grant = () -> granted.grant(
                leases, sent, session, wanted, readFirst && !world.has(Defect.READ_BEFORE_GRANT) ? readAt : -1);
        Runnable layout = () -> wanted.forEach(file -> read.put(file, files.content(file)));
        (readFirst ? layout : grant).run();
        world.later(
                world.random().nextInt(4),
                () -> handle(() -> {
                    (readFirst ? grant : layout).run();
                    world.later(
                            world.random().nextInt(4),
                            () -> handle(() -> {
                                LeaseReply reply =
                                        granted.exchange == null ? null : granted.exchange.reply(clock.read());
                                client.transmit(() -> client.opened(
                                        sent, session, operation, wanted.get(0), read, granted.granted, reply));
                            }));
                }));
    }

    /** The grants of one request. */
    private final class Granted {
        private NameNodeLeases.@Nullable Exchange exchange;
        private final Set<Integer> granted = new HashSet<>();

        void grant(NameNodeLeases leases, @Nullable Sent sent, long session, List<Integer> wanted, long readAt) {
            exchange = sent == null
                    ? null
                    : leases.exchange(session, "user", sent.processed(), sent.number(), clock.read());
            if (exchange != null) {
                carryOut(exchange.ready());
                for (int file : wanted) {
                    boolean isGranted = readAt < 0
                            ? exchange.grant(files.name(file))
                            : exchange.grantRead(files.name(file), readAt);
                    if (isGranted) {
                        granted.add(file);
                    }
                }
            }
        }
    }

    /** Keeps a call until there is a recall. */
    void park(SimulatedClient client, Sent sent, long session) {
        NameNodeLeases.Exchange exchange =
                leases.exchange(session, "user", sent.processed(), sent.number(), clock.read());
        if (exchange == null) {
            return;
        }
        carryOut(exchange.ready());
        Runnable answer = () -> {
            LeaseReply reply = exchange.reply(clock.read());
            client.transmit(() -> client.unparked(sent, session, reply));
        };
        if (exchange.hasRecalls()) {
            answer.run();
        } else {
            parked.put(session, answer);
        }
    }

    void release(long session) {
        carryOut(leases.release(session));
    }

    void change(SimulatedClient client, String path, @Nullable Sent sent, long session, long operation) {
        if (!world.isFirst(client, operation)) {
            // As in HDFS's retry cache.
            return;
        }
        List<String> paths = List.of(path);
        long caller = sent == null ? NameNodeLeases.NO_SESSION : session;
        long number = sent == null ? 0 : world.has(Defect.CALLER_NEVER_RECALLED) ? Long.MAX_VALUE : sent.number();
        LayoutChange unheld = leases.beginUnheld(paths, caller, number, clock.read());
        if (unheld != null) {
            carryOut(client, path, session, operation, unheld, List.of());
        } else {
            NameNodeLeases.Begun begun = leases.begin(paths, caller, number, files.isOlder(path, epoch), clock.read());
            carryOut(client, path, session, operation, begun.change(), begun.toNotify());
        }
    }

    /** Carries a change out as soon as it is ready. */
    private void carryOut(
            SimulatedClient client,
            String path,
            long session,
            long operation,
            LayoutChange change,
            List<LeaseSession> toNotify) {
        world.trace(
                "change %d of %s by client %d begins: recalls %s, ready %s",
                operation, path, client.index(), toNotify, change.isReady());
        Runnable write = () -> {
            if (isOvertaken()) {
                return;
            }
            client.write(path, operation, epoch);
            leases.end(change);
            client.transmit(() -> client.changed(session, operation));
        };
        for (LeaseSession holder : toNotify) {
            Runnable answer = parked.remove(holder.id());
            if (answer != null) {
                answer.run();
            }
        }
        if (change.isReady() || world.has(Defect.CHANGE_DOES_NOT_WAIT)) {
            world.later(world.random().nextInt(3), () -> handle(write));
        } else {
            world.counts().add(Count.CHANGES_THAT_WAITED);
            waiting.put(change, write);
        }
    }
}

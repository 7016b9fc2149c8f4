/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.errorprone.annotations.FormatMethod;
import io.github.foresight.core.lease.ClientLease.Received;
import io.github.foresight.core.lease.ClientLease.Sent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode, its successors after failovers, and clients with and without leases, in a world of bad networks, pauses,
 * crashes and drifting clocks. A run is a function of its seed.
 *
 * <pre>
 *   client                    network                     NameNode
 *   open ─ cached? ─ yes ─ done
 *             └ no ─ request ─ late, lost, twice ─ exchange, grant ─ a while ─ read, reply ─ late, lost ─ receive
 *   change ───────── request ─────────────────────── begin ─ ready? ─ a while ─ write, end, reply ─────── done
 * </pre>
 *
 * <p>The content of a file is the number of its last change, so each write writes a different value.
 */
final class LeaseWorld {

    /** A missing part of the protocol, which the checker must detect. */
    enum Defect {
        /** Cached layouts are used for the length of a lease after their request, whatever changes. */
        BOUNDED_CONSISTENCY,
        NO_MARGIN,
        NO_GRACE_AFTER_FAILOVER,
        READ_BEFORE_GRANT,
        CHANGE_DOES_NOT_WAIT,
        CALLER_NEVER_RECALLED,
        LATE_REPLIES_KEPT,
        OWN_CHANGES_UNSEEN,
        LEASE_FROM_THE_REPLY,
        EPOCHS_LEFT_BEHIND_TAKEN,
        AGE_UNLIMITED
    }

    private static final long LEASE = 1_000;

    /** Clocks run up to two per cent too fast or too slow, so two clocks differ by at most 41 in a lease. */
    private static final double DRIFT = 0.02;

    private static final long MARGIN = 50;
    private static final long AGE_MAX = 2 * LEASE;

    private static final String[] FILES = {"/a/f", "/a/g", "/a/b/f", "/a-b/f", "/c/f", "/c/g"};
    private static final String[] DIRECTORIES = {"/a", "/a/b", "/c", "/"};
    private static final int CLIENTS = 4;

    /** The operation of a request that no open waits for. */
    private static final long NO_OPERATION = -1;

    private static final boolean TRACED = Boolean.getBoolean("foresight.lease.trace");

    private final Random random;
    private final Set<Defect> defects;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long sequence;
    private int steps;

    private final long[] contents = new long[FILES.length];

    /** The epoch in which each file was written last, and so the epoch of its inode. */
    private final long[] writtenIn = new long[FILES.length];

    private long lastContent;
    private final RegisterHistory[] histories = new RegisterHistory[FILES.length];
    private final Client[] clients = new Client[CLIENTS];
    private NameNode nameNode;
    private long epochs;

    /** In some worlds NameNodes fail more often than a lease lasts. */
    private final boolean isStormy;

    /** Until this time many messages are late. */
    private long disturbedUntil;

    private long sessions;
    private final Set<Long> changesBegun = new HashSet<>();

    private int servedFromMemory;
    private int served;
    private int changesDone;
    private int changesAwaited;
    private int failovers;

    /** Prints an event if {@code foresight.lease.trace} is set. */
    @FormatMethod
    private void trace(String format, Object... arguments) {
        if (TRACED) {
            System.out.printf("%6d  %s%n", now, String.format(format, arguments));
        }
    }

    private static final class Event implements Comparable<Event> {
        final long at;
        final long sequence;
        final Runnable action;

        Event(long at, long sequence, Runnable action) {
            this.at = at;
            this.sequence = sequence;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** A clock with a steady rate, too fast or too slow, and an arbitrary begin. */
    private final class Clock {
        private final double rate = 1 + DRIFT * (random.nextInt(3) - 1);
        private final long begin = random.nextInt(1_000_000) - 500_000L;

        long read() {
            return begin + (long) (now * rate);
        }

        /** The world's time at which this clock will show a time. */
        long when(long shown) {
            return (long) Math.ceil((shown - begin) / rate);
        }
    }

    LeaseWorld(long seed, Set<Defect> defects) {
        this.random = new Random(seed);
        this.defects = defects;
        this.isStormy = random.nextInt(5) == 0;
        Arrays.setAll(histories, i -> new RegisterHistory(0));
        nameNode = new NameNode();
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = new Client(i);
            clients[i].think();
        }
        later(random.nextInt(4_000), this::misfortune);
    }

    static LeaseWorld sound(long seed) {
        return new LeaseWorld(seed, EnumSet.noneOf(Defect.class));
    }

    private boolean has(Defect defect) {
        return defects.contains(defect);
    }

    private void later(long delay, Runnable action) {
        events.add(new Event(now + Math.max(0, delay), sequence++, action));
    }

    /**
     * Runs a number of steps.
     *
     * @return a contradiction of linearizability, or null
     */
    @Nullable
    String run(int stepsMax) {
        for (; steps < stepsMax; steps++) {
            Event next = events.remove();
            now = next.at;
            next.action.run();
        }
        for (Client client : clients) {
            client.leaveChangesOpen();
        }
        for (int i = 0; i < FILES.length; i++) {
            String contradiction = histories[i].contradiction();
            if (contradiction != null) {
                return FILES[i] + ": " + contradiction;
            }
        }
        return null;
    }

    int servedFromMemory() {
        return servedFromMemory;
    }

    int served() {
        return served;
    }

    int changesDone() {
        return changesDone;
    }

    int changesAwaited() {
        return changesAwaited;
    }

    int failovers() {
        return failovers;
    }

    /** Sends a message over the network: late, sometimes lost, sometimes twice, in any order. */
    private void send(Runnable arrival) {
        int copies = random.nextInt(100) < 3 ? 0 : random.nextInt(100) < 3 ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            later(delay(), arrival);
        }
    }

    private long delay() {
        if (now < disturbedUntil && random.nextInt(3) == 0) {
            return random.nextInt(500);
        }
        return random.nextInt(isStormy ? 8 : 50) == 0 ? random.nextInt(1_500) : 1 + random.nextInt(8);
    }

    private void misfortune() {
        Client client = clients[random.nextInt(CLIENTS)];
        switch (isStormy && random.nextBoolean() ? 0 : random.nextInt(6)) {
            case 0 -> {
                // A failure seldom hits the NameNode alone.
                long disturbance = random.nextInt(500);
                disturbedUntil = now + disturbance;
                later(random.nextInt(1 + (int) disturbance), this::failOver);
            }
            case 1 -> nameNode.pausedUntil = now + random.nextInt(1_500);
            case 2 -> {
                if (random.nextBoolean()) {
                    client.crash();
                } else {
                    client.close();
                }
            }
            case 3 -> client.cutOffUntil = now + random.nextInt(3_000);
            default -> client.pausedUntil = now + random.nextInt(2_000);
        }
        later(isStormy ? 100 + random.nextInt(900) : 1_000 + random.nextInt(4_000), this::misfortune);
    }

    private void failOver() {
        nameNode.isDown = true;
        trace("failover");
        failovers++;
        later(random.nextInt(60), () -> nameNode = new NameNode());
    }

    /** One activation of a NameNode. */
    private final class NameNode {
        private final Clock clock = new Clock();
        private final long epoch = ++epochs;
        private final NameNodeLeases leases = new NameNodeLeases(
                LeaseSettings.builder()
                        .leaseNanos(LEASE)
                        .marginNanos(has(Defect.NO_MARGIN) ? 0 : MARGIN)
                        .ageMaxNanos(AGE_MAX)
                        .sessionsMax(1 + random.nextInt(4))
                        .recallsMax(1 + random.nextInt(3))
                        .scanMax(1 + random.nextInt(6))
                        .build(),
                ++epochs,
                clock.read() - (has(Defect.NO_GRACE_AFTER_FAILOVER) || epochs == 1 ? 2 * LEASE : 0));
        private final Map<Long, Runnable> parked = new HashMap<>();
        private final Map<LayoutChange, Runnable> waiting = new HashMap<>();
        private boolean isDown;
        private long pausedUntil;

        void handle(Runnable action) {
            if (isDown) {
                return;
            }
            if (pausedUntil > now) {
                later(pausedUntil - now, () -> handle(action));
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
            return nameNode != this;
        }

        /** Whether a path holds an inode that was made in an earlier epoch. */
        private boolean isOld(String path) {
            for (int i = 0; i < FILES.length; i++) {
                if (Subtree.covers(path, FILES[i]) && writtenIn[i] < epoch) {
                    return true;
                }
            }
            return false;
        }

        private void scheduleExpiry() {
            long next = leases.expiresNextNanos();
            if (next != Long.MAX_VALUE && !waiting.isEmpty()) {
                later(clock.when(next) - now, () -> handle(() -> carryOut(leases.expire(clock.read()))));
            }
        }

        private void carryOut(List<LayoutChange> ready) {
            for (LayoutChange change : ready) {
                Runnable write = waiting.remove(change);
                if (write != null) {
                    later(random.nextInt(3), () -> handle(write));
                }
            }
        }

        /** Opens the first file for a client and predicts the others. */
        void open(Client client, @Nullable Sent sent, long session, long operation, List<Integer> files) {
            boolean readFirst = has(Defect.READ_BEFORE_GRANT) || random.nextBoolean();
            Granted granted = new Granted();
            Map<Integer, Long> read = new HashMap<>();
            long readAt = leases.position();
            Runnable grant = () -> granted.grant(
                    leases, sent, session, files, readFirst && !has(Defect.READ_BEFORE_GRANT) ? readAt : -1);
            Runnable layout = () -> files.forEach(file -> read.put(file, contents[file]));
            (readFirst ? layout : grant).run();
            later(
                    random.nextInt(4),
                    () -> handle(() -> {
                        (readFirst ? grant : layout).run();
                        later(
                                random.nextInt(4),
                                () -> handle(() -> {
                                    LeaseReply reply =
                                            granted.exchange == null ? null : granted.exchange.reply(clock.read());
                                    client.transmit(() -> client.opened(
                                            sent, session, operation, files.get(0), read, granted.files, reply));
                                }));
                    }));
        }

        /** The grants of one request. */
        private final class Granted {
            private NameNodeLeases.@Nullable Exchange exchange;
            private final Set<Integer> files = new HashSet<>();

            void grant(NameNodeLeases leases, @Nullable Sent sent, long session, List<Integer> wanted, long readAt) {
                exchange = sent == null
                        ? null
                        : leases.exchange(session, "user", sent.processed(), sent.number(), clock.read());
                if (exchange != null) {
                    carryOut(exchange.ready());
                    for (int file : wanted) {
                        boolean isGranted =
                                readAt < 0 ? exchange.grant(FILES[file]) : exchange.grantRead(FILES[file], readAt);
                        if (isGranted) {
                            files.add(file);
                        }
                    }
                }
            }
        }

        /** Keeps a call until there is a recall. */
        void park(Client client, Sent sent, long session) {
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

        void change(Client client, String path, @Nullable Sent sent, long session, long operation) {
            if (!changesBegun.add(operation * CLIENTS + client.index)) {
                // As in HDFS's retry cache.
                return;
            }
            NameNodeLeases.Begun begun = leases.begin(
                    List.of(path),
                    sent == null ? NameNodeLeases.NO_SESSION : session,
                    sent == null ? 0 : has(Defect.CALLER_NEVER_RECALLED) ? Long.MAX_VALUE : sent.number(),
                    isOld(path),
                    clock.read());
            trace(
                    "change %d of %s by client %d begins: recalls %s, ready %s",
                    operation,
                    path,
                    client.index,
                    begun.toNotify(),
                    begun.change().isReady());
            Runnable write = () -> {
                if (isOvertaken()) {
                    return;
                }
                client.write(path, operation, epoch);
                leases.end(begun.change());
                client.transmit(() -> client.changed(session, operation));
            };
            for (LeaseSession holder : begun.toNotify()) {
                Runnable answer = parked.remove(holder.id());
                if (answer != null) {
                    answer.run();
                }
            }
            if (begun.change().isReady() || has(Defect.CHANGE_DOES_NOT_WAIT)) {
                later(random.nextInt(3), () -> handle(write));
            } else {
                changesAwaited++;
                waiting.put(begun.change(), write);
            }
        }
    }

    /** A cached layout. */
    private static final class Cached {
        final long content;
        final long askedAt;

        Cached(long content, long askedAt) {
            this.content = content;
            this.askedAt = askedAt;
        }
    }

    /** The actions of one client: one open or change at a time. Several are under way after some were given up. */
    private final class Client {
        private final Clock clock = new Clock();
        private final int index;
        private final boolean withLeases;
        private ClientLease lease = new ClientLease(LEASE, AGE_MAX);
        private Map<String, Cached> cache = new HashMap<>();
        private long session = ++sessions;
        private long pausedUntil;
        private long cutOffUntil;
        private long operations;
        private long invokedAt;
        private boolean isParked;
        private final Set<Sent> unanswered = new HashSet<>();

        /** Changes without an answer, by operation: the time of the call, and the written value. */
        private final Map<Long, Long> changesInvoked = new HashMap<>();

        private final Map<Long, List<long[]>> written = new HashMap<>();

        Client(int index) {
            this.index = index;
            this.withLeases = index > 0;
        }

        private void run(Runnable action) {
            if (pausedUntil > now) {
                later(pausedUntil - now, () -> run(action));
            } else {
                action.run();
            }
        }

        /** Sends a message from the NameNode to this client. */
        void transmit(Runnable arrival) {
            if (cutOffUntil <= now) {
                send(() -> run(arrival));
            }
        }

        private void request(Runnable arrival) {
            if (cutOffUntil <= now) {
                send(() -> nameNode.handle(arrival));
            }
        }

        /** Ends as a process that closes its file system; another client begins in its place. */
        void close() {
            long released = session;
            request(() -> nameNode.release(released));
            crash();
        }

        void crash() {
            session = ++sessions;
            lease = new ClientLease(LEASE, AGE_MAX);
            cache = new HashMap<>();
            isParked = false;
            operations++;
            think();
        }

        void think() {
            long next = operations;
            later(
                    random.nextInt(30),
                    () -> run(() -> {
                        if (next == operations) {
                            operate();
                        }
                    }));
        }

        private void operate() {
            operations++;
            invokedAt = now;
            if (random.nextInt(withLeases ? 12 : 3) == 0) {
                change();
            } else {
                open(random.nextInt(FILES.length));
            }
            long operation = operations;
            // Gives unanswered calls up and continues.
            later(
                    1_000 + random.nextInt(1_500),
                    () -> run(() -> {
                        if (operation == operations) {
                            operations++;
                            think();
                        }
                    }));
        }

        private void open(int file) {
            Cached cached = cache.get(FILES[file]);
            if (cached != null && isFresh(cached)) {
                servedFromMemory++;
                trace("client %d reads %s from memory: %d", index, FILES[file], cached.content);
                finishOpen(operations, file, cached.content);
                if (random.nextInt(3) == 0) {
                    ask(random.nextInt(FILES.length), NO_OPERATION);
                }
                return;
            }
            ask(file, operations);
        }

        /** Asks the NameNode, for an open or in the background to look ahead. */
        private void ask(int file, long operation) {
            List<Integer> files = new ArrayList<>(List.of(file));
            if (withLeases) {
                files.add((file + 1) % FILES.length);
            }
            Sent sent = withLeases ? lease.send(clock.read()) : null;
            if (sent != null) {
                unanswered.add(sent);
            }
            long ownSession = session;
            request(() -> nameNode.open(this, sent, ownSession, operation, files));
        }

        private boolean isFresh(Cached cached) {
            if (has(Defect.BOUNDED_CONSISTENCY)) {
                return clock.read() - cached.askedAt < LEASE;
            }
            return has(Defect.AGE_UNLIMITED)
                    ? lease.isLive(clock.read())
                    : lease.mayServe(cached.askedAt, clock.read());
        }

        private void finishOpen(long operation, int file, long content) {
            if (operation != operations) {
                return;
            }
            served++;
            trace("client %d has read %s: %d", index, FILES[file], content);
            histories[file].read(content, invokedAt, now);
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
                    if (received.mayKeep(FILES[one]) || has(Defect.LATE_REPLIES_KEPT)) {
                        trace("client %d caches %s: %d", index, FILES[one], read.get(one));
                        cache.put(FILES[one], new Cached(read.get(one), sent.sentAtNanos()));
                    }
                }
                park();
            }
            finishOpen(operation, file, read.get(file));
        }

        private Received receive(Sent sent, LeaseReply reply) {
            Received received = lease.receive(counted(sent), reply);
            trace(
                    "client %d receives %s to %d: forgets %s, lease left %d",
                    index,
                    reply,
                    sent.number(),
                    received.isEverythingForgotten() ? "everything" : received.forgotten(),
                    lease.remainingNanos(clock.read()));
            if (!has(Defect.BOUNDED_CONSISTENCY)) {
                if (received.isEverythingForgotten()) {
                    cache.clear();
                }
                received.forgotten().forEach(this::forget);
            }
            return received;
        }

        private Sent counted(Sent sent) {
            if (has(Defect.LEASE_FROM_THE_REPLY)) {
                return lease.send(clock.read());
            }
            return has(Defect.EPOCHS_LEFT_BEHIND_TAKEN)
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
            request(() -> nameNode.park(this, sent, ownSession));
            later(
                    2 * LEASE,
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
            String path = random.nextInt(6) == 0
                    ? DIRECTORIES[random.nextInt(DIRECTORIES.length)]
                    : FILES[random.nextInt(FILES.length)];
            Sent sent = null;
            if (withLeases) {
                sent = has(Defect.OWN_CHANGES_UNSEEN)
                        ? lease.send(clock.read())
                        : lease.changing(List.of(path), clock.read());
                forget(path);
            }
            Sent own = sent;
            long operation = operations;
            long ownSession = session;
            changesInvoked.put(operation, now);
            request(() -> nameNode.change(this, path, own, ownSession, operation));
        }

        /** The NameNode carries out this client's change. */
        void write(String path, long operation, long epoch) {
            for (int i = 0; i < FILES.length; i++) {
                if (Subtree.covers(path, FILES[i])) {
                    contents[i] = ++lastContent;
                    writtenIn[i] = epoch;
                    trace("%s becomes %d by operation %d of client %d", FILES[i], lastContent, operation, index);
                    written.computeIfAbsent(operation, o -> new ArrayList<>()).add(new long[] {i, lastContent});
                }
            }
            changesDone++;
        }

        void changed(long ofSession, long operation) {
            if (operation == operations && ofSession == session) {
                answer(operation, now);
                operations++;
                think();
            }
        }

        private void answer(long operation, long respondedAt) {
            Long invoked = changesInvoked.remove(operation);
            List<long[]> values = written.remove(operation);
            if (invoked != null && values != null) {
                // A request that arrived twice was carried out twice; it does not matter to which of them this answer
                // belongs.
                values.forEach(value -> histories[(int) value[0]].write(value[1], invoked, respondedAt));
            }
        }

        /** At the end: changes without an answer may have taken effect. */
        void leaveChangesOpen() {
            new ArrayList<>(changesInvoked.keySet()).forEach(o -> answer(o, RegisterHistory.unanswered()));
        }
    }
}

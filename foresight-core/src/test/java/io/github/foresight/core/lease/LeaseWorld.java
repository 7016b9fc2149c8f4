/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.Multiset;
import com.google.errorprone.annotations.FormatMethod;
import java.util.EnumSet;
import java.util.HashSet;
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

    /** The counts of a run. */
    enum Count {
        OPENS,
        OPENS_FROM_MEMORY,
        CHANGES,
        CHANGES_THAT_WAITED,
        FAILOVERS
    }

    static final long LEASE = 1_000;

    /** Clocks run up to two per cent too fast or too slow, so two clocks differ by at most 41 in a lease. */
    private static final double DRIFT = 0.02;

    static final long MARGIN = 50;
    static final long AGE_MAX = 2 * LEASE;

    private static final int CLIENTS = 4;

    private static final boolean TRACED = Boolean.getBoolean("foresight.lease.trace");

    private final Random random;
    private final Set<Defect> defects;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long sequence;
    private int steps;

    private final SimulatedFiles files = new SimulatedFiles();
    private final SimulatedClient[] clients = new SimulatedClient[CLIENTS];
    private SimulatedNameNode nameNode;
    private long epochs;

    /** In some worlds NameNodes fail more often than a lease lasts. */
    private final boolean isStormy;

    /** Until this time many messages are late. */
    private long disturbedUntil;

    private long sessions;
    private final Set<Long> changesBegun = new HashSet<>();

    private final Multiset<Count> counts = EnumMultiset.create(Count.class);

    /** Prints an event if {@code foresight.lease.trace} is set. */
    @FormatMethod
    void trace(String format, Object... arguments) {
        if (TRACED) {
            System.out.printf("%6d  %s%n", now, String.format(format, arguments));
        }
    }

    private record Event(long at, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** A clock with a steady rate, too fast or too slow, and an arbitrary begin. */
    final class Clock {
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
        nameNode = new SimulatedNameNode(this, ++epochs);
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = new SimulatedClient(this, i);
            clients[i].think();
        }
        later(random.nextInt(4_000), this::misfortune);
    }

    static LeaseWorld sound(long seed) {
        return new LeaseWorld(seed, EnumSet.noneOf(Defect.class));
    }

    boolean has(Defect defect) {
        return defects.contains(defect);
    }

    void later(long delay, Runnable action) {
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
            now = next.at();
            next.action().run();
        }
        for (SimulatedClient client : clients) {
            client.leaveChangesOpen();
        }
        return files.contradiction();
    }

    Multiset<Count> counts() {
        return counts;
    }

    Random random() {
        return random;
    }

    long now() {
        return now;
    }

    Clock newClock() {
        return new Clock();
    }

    long newSession() {
        return ++sessions;
    }

    SimulatedFiles files() {
        return files;
    }

    /** The NameNode that the clients believe to be active. */
    SimulatedNameNode nameNode() {
        return nameNode;
    }

    /** Whether a change is seen for the first time; each NameNode knows it, as HDFS's retry cache does. */
    boolean isFirst(SimulatedClient client, long operation) {
        return changesBegun.add(operation * CLIENTS + client.index());
    }

    /** Sends a message over the network: late, sometimes lost, sometimes twice, in any order. */
    void send(Runnable arrival) {
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
        SimulatedClient client = clients[random.nextInt(CLIENTS)];
        switch (isStormy && random.nextBoolean() ? 0 : random.nextInt(6)) {
            case 0 -> {
                // A failure seldom hits the NameNode alone.
                long disturbance = random.nextInt(500);
                disturbedUntil = now + disturbance;
                later(random.nextInt(1 + (int) disturbance), this::failOver);
            }
            case 1 -> nameNode.pauseUntil(now + random.nextInt(1_500));
            case 2 -> {
                if (random.nextBoolean()) {
                    client.crash();
                } else {
                    client.close();
                }
            }
            case 3 -> client.cutOffUntil(now + random.nextInt(3_000));
            default -> client.pauseUntil(now + random.nextInt(2_000));
        }
        later(isStormy ? 100 + random.nextInt(900) : 1_000 + random.nextInt(4_000), this::misfortune);
    }

    private void failOver() {
        nameNode.fail();
        trace("failover");
        counts.add(Count.FAILOVERS);
        later(random.nextInt(60), () -> nameNode = new SimulatedNameNode(this, ++epochs));
    }
}

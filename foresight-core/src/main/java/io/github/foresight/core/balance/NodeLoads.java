/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How busy each DataNode is: the transfers that its last heartbeat reported, and the reads that it was handed since, the older
 * the less.
 *
 * <p>A heartbeat is three seconds old when the next one comes. In that time all handlers would send their readers to the one
 * DataNode that reported the least; therefore a read counts from the moment it is handed out, and fades with a half-life, since
 * nobody tells when it ends. A heartbeat does not take back what was handed out: that would make the DataNode that was heard
 * last look idle beside all others, and they would take turns at being overrun.
 *
 * <p>Every operation takes constant time but {@link #sweep}, which is linear in the nodes. Holds at most
 * {@link BalanceSettings#maxNodes}; further ones are not remembered, and taken to be as busy as the mean. Thread-safe, without
 * locks of its own: threads meet in one compare-and-set per read handed out, and only on the same DataNode.
 *
 * <p>SSPF (Li et al.), section II.D. The paper takes the loads as given.
 *
 * @param <K> names a DataNode; needs {@code equals} and a {@code hashCode} that is the same in every run for the same order
 */
public final class NodeLoads<K> {

    private static final long UNKNOWN = -1;

    private final Fading fading;
    private final int maxNodes;
    private final long forgetNanos;
    private final ConcurrentHashMap<K, Node> nodes = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final LongAdder refusals = new LongAdder();

    private volatile long meanUnits = UNKNOWN;

    /** Begins without a node. */
    public NodeLoads(BalanceSettings settings) {
        this.fading = new Fading(settings.halfLifeNanos());
        this.maxNodes = settings.maxNodes();
        this.forgetNanos = settings.forgetNanos();
    }

    /**
     * Takes a DataNode's word. The same heartbeat may be told many times; one that is older than the last changes nothing.
     *
     * @param xceivers transfers that it was serving, at least 0
     * @param nowNanos when the heartbeat came
     */
    public void heartbeat(K key, int xceivers, long nowNanos) {
        if (xceivers < 0) {
            throw new IllegalArgumentException("xceivers must be at least 0: " + xceivers + " of " + key);
        }
        node(key, nowNanos).heartbeat(xceivers, nowNanos);
    }

    /** Counts a read that a client was sent to a DataNode for. {@link ReplicaOrder} does so itself for what it puts first. */
    public void handedOut(K key, long nowNanos) {
        node(key, nowNanos).handOut(fading, nowNanos);
    }

    /** Transfers that a DataNode is taken to be serving, at least 0. */
    public double load(K key, long nowNanos) {
        Node node = nodes.get(key);
        return (double) (node == null ? Math.max(meanUnits, 0) : node.units(fading, nowNanos)) / Fading.ONE;
    }

    /** The mean load at the last {@link #sweep}, 0 before the first. */
    public double meanLoad() {
        return (double) Math.max(meanUnits, 0) / Fading.ONE;
    }

    /** DataNodes known. */
    public int size() {
        return count.get();
    }

    /** How often a DataNode was not remembered since there were too many. */
    public long refusals() {
        return refusals.sum();
    }

    /**
     * Takes the mean and forgets nodes that are silent; to be done every second or so, by any thread. Until it is done the first
     * time none counts as overloaded.
     */
    public void sweep(long nowNanos) {
        long sum = 0;
        int seen = 0;
        for (Map.Entry<K, Node> entry : nodes.entrySet()) {
            Node node = entry.getValue();
            node.tidy(fading, nowNanos);
            if (!node.isSilent(fading, forgetNanos, nowNanos)) {
                sum += node.units(fading, nowNanos);
                seen++;
            } else if (nodes.remove(entry.getKey(), node)) {
                count.decrementAndGet();
            }
        }
        meanUnits = seen == 0 ? UNKNOWN : sum / seen;
    }

    Fading fading() {
        return fading;
    }

    /** The load above which a DataNode exceeds the mean by a factor and a minimum, in 256ths; a factor of 0 has none. */
    long limitUnits(double factor, int minimum) {
        long mean = meanUnits;
        return factor == 0 || mean == UNKNOWN
                ? Long.MAX_VALUE
                : Math.max((long) (factor * mean), (long) minimum * Fading.ONE);
    }

    /** A DataNode, which is known from now on if there is room. */
    Node node(K key, long nowNanos) {
        Node node = nodes.get(key);
        return node == null ? meet(key, nowNanos) : node;
    }

    private Node meet(K key, long nowNanos) {
        if (count.incrementAndGet() > maxNodes) {
            count.decrementAndGet();
            refusals.increment();
            return new Node(Node.UNKNOWN, key.hashCode(), (int) meanLoad(), nowNanos);
        }
        Node made = new Node(nextNumber(), key.hashCode(), Node.NOT_HEARD, nowNanos);
        Node other = nodes.putIfAbsent(key, made);
        if (other != null) {
            count.decrementAndGet();
            return other;
        }
        return made;
    }

    private int nextNumber() {
        int number = lastNumber.incrementAndGet();
        return number == Node.UNKNOWN ? lastNumber.incrementAndGet() : number;
    }
}

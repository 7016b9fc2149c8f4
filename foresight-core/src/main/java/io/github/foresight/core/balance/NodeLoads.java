/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The load of each DataNode: the transfers in its last heartbeat, and the reads handed out since, which fade with their
 * age.
 *
 * <p>A heartbeat is three seconds old when the next heartbeat arrives. Until then all handlers would send their readers
 * to the DataNode with the lowest reported load. For this reason a read counts from the moment when it is handed out.
 * It fades with a half-life, because nobody reports its end. A heartbeat does not cancel handed-out reads. If it did,
 * the DataNode with the latest heartbeat would look idle beside all others, and the DataNodes would be overrun in turn.
 *
 * <p>Each operation takes constant time, except {@link #sweep}, which is linear in the nodes. At most
 * {@link BalanceSettings#maxNodes} nodes are remembered; the load of further nodes is assumed to be the mean.
 * Thread-safe without locks: threads meet in one compare-and-set for each handed-out read, and only on the same
 * DataNode.
 *
 * <p>SSPF (Li et al.), section II.D. The paper assumes that the loads are known.
 *
 * @param <K> the name of a DataNode; needs {@code equals}, and a {@code hashCode} that is the same in each run for the
 *     same order
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

    /** Makes loads without nodes. */
    public NodeLoads(BalanceSettings settings) {
        this.fading = new Fading(settings.halfLifeNanos());
        this.maxNodes = settings.maxNodes();
        this.forgetNanos = settings.forgetNanos();
    }

    /**
     * Records a DataNode's heartbeat. The same heartbeat may be recorded many times; a heartbeat that is older than the
     * last changes nothing.
     *
     * @param xceivers the transfers that the DataNode was serving, at least 0
     * @param nowNanos the time of the heartbeat
     */
    public void heartbeat(K key, int xceivers, long nowNanos) {
        if (xceivers < 0) {
            throw new IllegalArgumentException("xceivers must be at least 0: " + xceivers + " of " + key);
        }
        node(key, nowNanos).heartbeat(xceivers, nowNanos);
    }

    /**
     * Counts a read for which a client was sent to a DataNode. {@link ReplicaOrder} itself counts the replicas that it
     * puts first.
     */
    public void handedOut(K key, long nowNanos) {
        node(key, nowNanos).handOut(fading, nowNanos);
    }

    /** The estimated number of transfers that a DataNode is serving, at least 0. */
    public double load(K key, long nowNanos) {
        Node node = nodes.get(key);
        return (double) (node == null ? Math.max(meanUnits, 0) : node.units(fading, nowNanos)) / Fading.ONE;
    }

    /** The mean load at the last {@link #sweep}, 0 before the first. */
    public double meanLoad() {
        return (double) Math.max(meanUnits, 0) / Fading.ONE;
    }

    /** The number of known DataNodes. */
    public int size() {
        return count.get();
    }

    /** The number of times that a DataNode was not remembered because the table was full. */
    public long refusals() {
        return refusals.sum();
    }

    /**
     * Computes the mean, and removes silent nodes. Any thread may call it, about once a second. Before the first call
     * no node counts as overloaded.
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

    /**
     * The load above which a DataNode exceeds both a factor of the mean and a minimum, in 256ths. A factor of 0 sets no
     * limit.
     */
    long limitUnits(double factor, int minimum) {
        long mean = meanUnits;
        return factor == 0 || mean == UNKNOWN
                ? Long.MAX_VALUE
                : Math.max((long) (factor * mean), (long) minimum * Fading.ONE);
    }

    /** The node of a DataNode; it is added if there is room. */
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

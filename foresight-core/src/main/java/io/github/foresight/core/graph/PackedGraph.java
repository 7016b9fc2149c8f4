/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import com.google.common.math.IntMath;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The successor graph in a fixed number of bytes outside the heap, for many threads at once.
 *
 * <p>A vertex's number is hashed to a bucket of {@value #WAYS} slots. The vertex lives in one of these slots or
 * nowhere. A new vertex in a full bucket evicts a vertex by CLOCK (Corbato, 1968): a vertex without a use since the
 * hand passed it. Nothing is allocated after construction.
 *
 * <pre>
 *   bucket:  lock | hand | used bits | 7 vertices | 7 {@linkplain VertexLayout slots}
 *            int    byte   byte        long
 * </pre>
 *
 * <p>A vertex is charged to the user whose access made it. Let a heavy owner be an owner with more than its share. In a
 * full bucket a new vertex of a heavy owner takes only the slot of a heavy owner, possibly its own; without such a slot
 * the vertex is refused. A new vertex of any other owner also takes a heavy owner's slot first, and otherwise a slot by
 * CLOCK. As a result, one user can fill a graph that nobody else needs. A user keeps no more than its share of a graph
 * that others need.
 *
 * <p>An operation takes constant time: it searches the {@value #WAYS} slots of one bucket, and at most all successors
 * of one vertex. It reads the bucket's head, which is one cache line, and one slot, which is two or three. It writes
 * only to the slot, and only if it changes the vertex. For this reason processors that only read do not take cache
 * lines from one another.
 *
 * <p>The head is written with the bucket's lock held when a vertex is added or removed. The used bit is written without
 * the lock, at the first use since the hand passed. If two threads write used bits at once, one bit may be lost; the
 * vertex is then evicted too early.
 *
 * <p>Lock order: a thread that holds a bucket's lock may take a slot's lock, never the reverse. No thread takes two
 * locks of the same kind.
 *
 * <p>Thread-safe.
 */
public final class PackedGraph implements SuccessorGraph {

    /** The largest bound of the successors of a vertex; chosen, not measured. */
    static final int MOST_SUCCESSORS = 64;

    /** The slots of a bucket: with 7 vertex numbers the head fills one cache line. */
    private static final int WAYS = 7;

    /** The size of a segment: a power of two that the int offsets of a buffer can address. */
    private static final int SEGMENT_BYTES = 1 << 30;

    private static final int CACHE_LINE = 64;

    private static final int HAND = 4;
    private static final int USED_BITS = 5;
    private static final int VERTICES = 8;
    private static final int SLOTS = CACHE_LINE;

    private static final int NOWHERE = -1;

    /** The mark of a free slot. A vertex of this number is stored as {@link #STAND_IN}. */
    private static final long FREE = 0;

    private static final long STAND_IN = 0x9e3779b97f4a7c15L;

    private final VertexLayout layout;
    private final int slotBytes;
    private final int bucketBytes;
    private final int segmentShift;
    private final long buckets;
    private final ByteBuffer[] segments;
    private final LongAdder vertices = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final Charges charges;

    /**
     * Allocates all memory of the graph.
     *
     * @param budgetBytes the most bytes of the graph; at least one bucket is made
     */
    public PackedGraph(long budgetBytes, GraphSettings settings) {
        this.layout = new VertexLayout(settings);
        this.slotBytes = layout.bytes();
        this.bucketBytes = (SLOTS + WAYS * slotBytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        this.segmentShift = IntMath.log2(SEGMENT_BYTES / bucketBytes, RoundingMode.DOWN);
        long bucketsPerSegment = 1L << segmentShift;
        this.buckets = Math.max(1, budgetBytes / bucketBytes);
        this.charges = new Charges(Math.max(1, (long) (settings.ownerShare() * capacity())));
        this.segments = new ByteBuffer[Math.toIntExact((buckets + bucketsPerSegment - 1) / bucketsPerSegment)];
        for (int i = 0; i < segments.length; i++) {
            long left = buckets - i * bucketsPerSegment;
            int bytes = Math.toIntExact(Math.min(left, bucketsPerSegment) * bucketBytes);
            segments[i] = BufferInts.allocate(bytes, CACHE_LINE);
        }
    }

    /** The bytes of one vertex, including its part of the bucket's head. */
    public double bytesPerVertex() {
        return (double) bucketBytes / WAYS;
    }

    public long capacityBytes() {
        return buckets * bucketBytes;
    }

    /** The most vertices that the graph holds. */
    public long capacity() {
        return buckets * WAYS;
    }

    /** The number of vertices; may lag slightly behind concurrent changes. */
    public long vertices() {
        return vertices.sum();
    }

    /** The number of vertices that were evicted so far. */
    public long evictions() {
        return evictions.sum();
    }

    /** The number of vertices that were refused so far because their owner had more than its share. */
    public long refusals() {
        return refusals.sum();
    }

    /** The number of vertices that are charged to an owner. */
    long charged(int owner) {
        return charges.of(owner);
    }

    @Override
    public void touch(long vertex) {
        long key = key(vertex);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        int way = find(segment, base, home(hash), key);
        if (way != NOWHERE) {
            VertexLayout.touch(segment, slot(base, way));
        }
    }

    @Override
    public long fetch(long vertex) {
        long hash = hash(key(vertex));
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        return segment.getLong(base) + segment.getLong(slot(base, home(hash)));
    }

    @Override
    public void visit(long vertex, double leastConfidence, Successors successors) {
        visit(NOBODY, vertex, leastConfidence, successors);
    }

    @Override
    public void visit(int owner, long vertex, double leastConfidence, Successors successors) {
        long key = key(vertex);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int slot = lock(segment, baseOf(bucket), home(hash), key, owner);
        if (slot == NOWHERE) {
            successors.clear();
            return;
        }
        try {
            layout.visit(segment, slot);
            layout.copy(segment, slot, leastConfidence, successors);
        } finally {
            layout.unlock(segment, slot);
        }
    }

    @Override
    public void strengthen(long from, long to, int weight) {
        strengthen(NOBODY, from, to, weight);
    }

    @Override
    public void strengthen(int owner, long from, long to, int weight) {
        long key = key(from);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int slot = lock(segment, baseOf(bucket), home(hash), key, owner);
        if (slot == NOWHERE) {
            return;
        }
        try {
            layout.strengthen(segment, slot, to, weight);
        } finally {
            layout.unlock(segment, slot);
        }
    }

    @Override
    public void learn(long vertex, AccessBatch batch, int index, int reach) {
        int end = batch.endAfter(index, reach);
        int first = batch.firstAfter(index);
        if (!batch.isNew(index) && first >= end) {
            return;
        }
        long key = key(vertex);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int slot = lock(segment, baseOf(bucket), home(hash), key, batch.owner());
        if (slot == NOWHERE) {
            return;
        }
        try {
            if (batch.isNew(index)) {
                layout.visit(segment, slot);
            }
            for (int later = first; later < end; later++) {
                if (batch.file(later) != vertex) {
                    layout.strengthen(segment, slot, batch.file(later), batch.weight(index, later));
                }
            }
        } finally {
            layout.unlock(segment, slot);
        }
    }

    @Override
    public void read(long vertex, double leastConfidence, Successors successors) {
        long key = key(vertex);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        int way = find(segment, base, home(hash), key);
        while (way != NOWHERE && !tryCopy(segment, base, way, key, leastConfidence, successors)) {
            way = find(segment, base, home(hash), key);
        }
        if (way == NOWHERE) {
            successors.clear();
        } else {
            markUsed(segment, base, way);
        }
    }

    /**
     * Copies a vertex.
     *
     * @return whether the slot held the vertex, and no thread changed the vertex during the copy
     */
    private boolean tryCopy(
            ByteBuffer segment, int base, int way, long key, double leastConfidence, Successors successors) {
        int slot = slot(base, way);
        int version = layout.beginRead(segment, slot);
        if (segment.getLong(vertexAt(base, way)) != key) {
            return false;
        }
        layout.copy(segment, slot, leastConfidence, successors);
        successors.owner = VertexLayout.ownerIn(version);
        return layout.isUnchanged(version, segment, slot);
    }

    /** Receives vertices that are copied out of a graph; must not use the graph. */
    @FunctionalInterface
    interface VertexSink {
        void vertex(long vertex, Successors successors) throws IOException;
    }

    /** Copies all vertices to a sink, each as it is at some moment. Other threads may use the graph meanwhile. */
    void copyTo(VertexSink sink) throws IOException {
        Successors copy = new Successors(layout.maxSuccessors());
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            for (int way = 0; way < WAYS; way++) {
                long key = segment.getLong(vertexAt(base, way));
                while (key != FREE && !tryCopy(segment, base, way, key, 0, copy)) {
                    key = segment.getLong(vertexAt(base, way));
                }
                if (key != FREE) {
                    sink.vertex(key, copy);
                }
            }
        }
    }

    /**
     * Restores a vertex that was copied out of this graph or another graph, and charges it to its owner. If the graph
     * holds the vertex already, both are merged, and the charge stays. The vertex is refused if its owner has more than
     * its share, like any new vertex of this owner.
     *
     * @param trust the weight of the copy, as in {@link VertexMerge}
     */
    void restore(long vertex, Successors successors, double trust) {
        long hash = hash(vertex);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int slot = lock(segment, baseOf(bucket), home(hash), vertex, successors.owner);
        if (slot == NOWHERE) {
            return;
        }
        try {
            if (layout.isBlank(segment, slot)) {
                layout.restore(segment, slot, successors);
            } else {
                layout.merge(segment, slot, successors, trust);
            }
        } finally {
            layout.unlock(segment, slot);
        }
    }

    /** Removes all vertices. Other threads may use the graph meanwhile. */
    public void clear() {
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            lockBucket(segment, base);
            try {
                for (int way = 0; way < WAYS; way++) {
                    // The next vertex of this slot overwrites the slot's content.
                    if (segment.getLong(vertexAt(base, way)) != FREE) {
                        segment.putLong(vertexAt(base, way), FREE);
                        charges.move(VertexLayout.owner(segment, slot(base, way)), NOBODY);
                        vertices.decrement();
                    }
                }
                segment.put(base + HAND, (byte) 0);
                segment.put(base + USED_BITS, (byte) 0);
            } finally {
                unlockBucket(segment, base);
            }
        }
    }

    private static long key(long vertex) {
        return vertex == FREE ? STAND_IN : vertex;
    }

    /** Spreads consecutive numbers (the finalizer of MurmurHash3). */
    private static long hash(long key) {
        long hash = key;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    /**
     * The bucket, by the upper half of the hash. There are fewer than 2<sup>31</sup> buckets, which is above one
     * terabyte.
     */
    private long bucketOf(long hash) {
        return ((hash >>> Integer.SIZE) * buckets) >>> Integer.SIZE;
    }

    /**
     * The slot in which a vertex is looked for first, by the lower half of the hash. Most vertices that were added to a
     * free bucket are in this slot. For this reason the processor predicts the slot and fetches it together with the
     * head.
     */
    private static int home(long hash) {
        return (int) (((hash & 0xffffffffL) * WAYS) >>> Integer.SIZE);
    }

    private ByteBuffer segmentOf(long bucket) {
        return segments[(int) (bucket >>> segmentShift)];
    }

    private int baseOf(long bucket) {
        return (int) (bucket - (bucket >>> segmentShift << segmentShift)) * bucketBytes;
    }

    private static int vertexAt(int base, int way) {
        return base + VERTICES + way * Long.BYTES;
    }

    private int slot(int base, int way) {
        return base + SLOTS + way * slotBytes;
    }

    private static int find(ByteBuffer segment, int base, int home, long key) {
        if (segment.getLong(vertexAt(base, home)) == key) {
            return home;
        }
        for (int way = home + 1; way < WAYS; way++) {
            if (segment.getLong(vertexAt(base, way)) == key) {
                return way;
            }
        }
        for (int way = 0; way < home; way++) {
            if (segment.getLong(vertexAt(base, way)) == key) {
                return way;
            }
        }
        return NOWHERE;
    }

    private static void markUsed(ByteBuffer segment, int base, int way) {
        int bits = segment.get(base + USED_BITS);
        if ((bits & 1 << way) == 0) {
            segment.put(base + USED_BITS, (byte) (bits | 1 << way));
        }
    }

    /**
     * Finds or makes a vertex, and locks its slot.
     *
     * @param owner the owner that is charged if the vertex is made
     * @return the slot; {@link #NOWHERE} if the vertex is new and is refused
     */
    private int lock(ByteBuffer segment, int base, int home, long key, int owner) {
        int way = find(segment, base, home, key);
        if (way != NOWHERE) {
            int slot = slot(base, way);
            layout.lock(segment, slot);
            if (segment.getLong(vertexAt(base, way)) == key) {
                markUsed(segment, base, way);
                return slot;
            }
            layout.unlock(segment, slot);
        }
        return lockUnknown(segment, base, home, key, owner);
    }

    /** Finds or makes a vertex that was not found without the bucket's lock, and locks its slot. */
    private int lockUnknown(ByteBuffer segment, int base, int home, long key, int owner) {
        lockBucket(segment, base);
        try {
            int known = find(segment, base, home, key);
            int way = known == NOWHERE ? takeWay(segment, base, home, owner) : known;
            if (way == NOWHERE) {
                return NOWHERE;
            }
            int slot = slot(base, way);
            layout.lock(segment, slot);
            if (known == NOWHERE) {
                boolean wasFree = segment.getLong(vertexAt(base, way)) == FREE;
                charges.move(wasFree ? NOBODY : VertexLayout.owner(segment, slot), owner);
                segment.putLong(vertexAt(base, way), key);
                VertexLayout.setOwner(segment, slot, owner);
                layout.blank(segment, slot);
            }
            return slot;
        } finally {
            unlockBucket(segment, base);
        }
    }

    private static void lockBucket(ByteBuffer segment, int base) {
        for (int spins = 1; !BufferInts.compareAndSet(segment, base, 0, 1); spins++) {
            Spin.pause(spins);
        }
    }

    private static void unlockBucket(ByteBuffer segment, int base) {
        BufferInts.setRelease(segment, base, 0);
    }

    /**
     * Takes a free slot, or evicts a vertex and takes its slot.
     *
     * <p>The used bit of the new vertex is not set: it must be used again before the hand passes.
     *
     * @return the slot's way; {@link #NOWHERE} if the owner has more than its share, and no vertex in the bucket
     *     belongs to such an owner
     */
    private int takeWay(ByteBuffer segment, int base, int home, int owner) {
        int free = find(segment, base, home, FREE);
        if (free != NOWHERE) {
            vertices.increment();
            return free;
        }
        if (charges.isAnyOver()) {
            int way = wayOfOwnerOverShare(segment, base);
            if (way != NOWHERE) {
                segment.put(base + HAND, (byte) ((way + 1) % WAYS));
                evictions.increment();
                return way;
            }
            if (charges.isOver(owner)) {
                refusals.increment();
                return NOWHERE;
            }
        }
        int bits = segment.get(base + USED_BITS);
        int hand = segment.get(base + HAND);
        while ((bits & 1 << hand) != 0) {
            bits &= ~(1 << hand);
            hand = (hand + 1) % WAYS;
        }
        segment.put(base + USED_BITS, (byte) bits);
        segment.put(base + HAND, (byte) ((hand + 1) % WAYS));
        evictions.increment();
        return hand;
    }

    /**
     * A slot whose owner has more than its share: the first from the hand on that was not used lately, or else the
     * first used. {@link #NOWHERE} if there is none.
     */
    private int wayOfOwnerOverShare(ByteBuffer segment, int base) {
        int bits = segment.get(base + USED_BITS);
        int hand = segment.get(base + HAND);
        int used = NOWHERE;
        for (int i = 0; i < WAYS; i++) {
            int way = (hand + i) % WAYS;
            if (charges.isOver(VertexLayout.owner(segment, slot(base, way)))) {
                if ((bits & 1 << way) == 0) {
                    return way;
                }
                used = used == NOWHERE ? way : used;
            }
        }
        return used;
    }

    @Override
    public String toString() {
        return "PackedGraph"
                + Arrays.asList(vertices() + " of " + capacity() + " vertices", capacityBytes() + " bytes");
    }
}

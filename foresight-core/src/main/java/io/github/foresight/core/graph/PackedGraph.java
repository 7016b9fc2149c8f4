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
 * <p>A vertex's number is hashed to a bucket of {@value BucketHead#WAYS} slots. The vertex lives in one of these slots
 * or nowhere. A new vertex in a full bucket evicts a vertex without a use since the hand passed it. Nothing is
 * allocated after construction.
 *
 * <pre>
 *   bucket:  {@linkplain BucketHead head} | 7 {@linkplain VertexLayout slots}
 * </pre>
 *
 * <p>A vertex is charged to the user whose access made it. Let a heavy owner be an owner with more than its share. In a
 * full bucket a new vertex of a heavy owner takes only the slot of a heavy owner, possibly its own; without such a slot
 * the vertex is refused. A new vertex of any other owner also takes a heavy owner's slot first, and otherwise a slot by
 * CLOCK. As a result, one user can fill a graph that nobody else needs. A user keeps no more than its share of a graph
 * that others need.
 *
 * <p>An operation takes constant time: it searches the {@value BucketHead#WAYS} slots of one bucket, and at most all successors
 * of one vertex. It reads the bucket's head, which is one cache line, and one slot, which is two or three. It writes
 * only to the slot, and only if it changes the vertex. For this reason processors that only read do not take cache
 * lines from one another.
 *
 * <p>Lock order: a thread that holds a bucket's lock may take a slot's lock, never the reverse. No thread takes two
 * locks of the same kind.
 *
 * <p>Thread-safe.
 */
public final class PackedGraph implements SuccessorGraph {

    /** The largest bound of the successors of a vertex; chosen, not measured. */
    static final int MOST_SUCCESSORS = 64;

    /** The size of a segment: a power of two that the int offsets of a buffer can address. */
    private static final int SEGMENT_BYTES = 1 << 30;

    private static final int CACHE_LINE = 64;

    /** A vertex of the number {@link BucketHead#FREE} is stored as this number. */
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
        this.bucketBytes = (BucketHead.BYTES + BucketHead.WAYS * slotBytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
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
        return (double) bucketBytes / BucketHead.WAYS;
    }

    public long capacityBytes() {
        return buckets * bucketBytes;
    }

    /** The most vertices that the graph holds. */
    public long capacity() {
        return buckets * BucketHead.WAYS;
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
        int way = BucketHead.find(segment, base, BucketHead.home(hash), key);
        if (way != BucketHead.NOWHERE) {
            VertexLayout.touch(segment, slot(base, way));
        }
    }

    @Override
    public long fetch(long vertex) {
        long hash = hash(key(vertex));
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        return segment.getLong(base) + segment.getLong(slot(base, BucketHead.home(hash)));
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
        int slot = lock(segment, baseOf(bucket), BucketHead.home(hash), key, owner);
        if (slot == BucketHead.NOWHERE) {
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
        int slot = lock(segment, baseOf(bucket), BucketHead.home(hash), key, owner);
        if (slot == BucketHead.NOWHERE) {
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
        int slot = lock(segment, baseOf(bucket), BucketHead.home(hash), key, batch.owner());
        if (slot == BucketHead.NOWHERE) {
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
        int way = BucketHead.find(segment, base, BucketHead.home(hash), key);
        while (way != BucketHead.NOWHERE && !tryCopy(segment, base, way, key, leastConfidence, successors)) {
            way = BucketHead.find(segment, base, BucketHead.home(hash), key);
        }
        if (way == BucketHead.NOWHERE) {
            successors.clear();
        } else {
            BucketHead.markUsed(segment, base, way);
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
        if (BucketHead.vertex(segment, base, way) != key) {
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
            for (int way = 0; way < BucketHead.WAYS; way++) {
                long key = BucketHead.vertex(segment, base, way);
                while (key != BucketHead.FREE && !tryCopy(segment, base, way, key, 0, copy)) {
                    key = BucketHead.vertex(segment, base, way);
                }
                if (key != BucketHead.FREE) {
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
        int slot = lock(segment, baseOf(bucket), BucketHead.home(hash), vertex, successors.owner);
        if (slot == BucketHead.NOWHERE) {
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
            BucketHead.lock(segment, base);
            try {
                for (int way = 0; way < BucketHead.WAYS; way++) {
                    // The next vertex of this slot overwrites the slot's content.
                    if (BucketHead.vertex(segment, base, way) != BucketHead.FREE) {
                        BucketHead.setVertex(segment, base, way, BucketHead.FREE);
                        charges.move(VertexLayout.owner(segment, slot(base, way)), NOBODY);
                        vertices.decrement();
                    }
                }
                BucketHead.resetHand(segment, base);
            } finally {
                BucketHead.unlock(segment, base);
            }
        }
    }

    private static long key(long vertex) {
        return vertex == BucketHead.FREE ? STAND_IN : vertex;
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

    private ByteBuffer segmentOf(long bucket) {
        return segments[(int) (bucket >>> segmentShift)];
    }

    private int baseOf(long bucket) {
        return (int) (bucket - (bucket >>> segmentShift << segmentShift)) * bucketBytes;
    }

    private int slot(int base, int way) {
        return base + BucketHead.BYTES + way * slotBytes;
    }

    /**
     * Finds or makes a vertex, and locks its slot.
     *
     * @param owner the owner that is charged if the vertex is made
     * @return the slot; {@link BucketHead#NOWHERE} if the vertex is new and is refused
     */
    private int lock(ByteBuffer segment, int base, int home, long key, int owner) {
        int way = BucketHead.find(segment, base, home, key);
        if (way != BucketHead.NOWHERE) {
            int slot = slot(base, way);
            layout.lock(segment, slot);
            if (BucketHead.vertex(segment, base, way) == key) {
                BucketHead.markUsed(segment, base, way);
                return slot;
            }
            layout.unlock(segment, slot);
        }
        return lockUnknown(segment, base, home, key, owner);
    }

    /** Finds or makes a vertex that was not found without the bucket's lock, and locks its slot. */
    private int lockUnknown(ByteBuffer segment, int base, int home, long key, int owner) {
        BucketHead.lock(segment, base);
        try {
            int known = BucketHead.find(segment, base, home, key);
            int way = known == BucketHead.NOWHERE ? takeWay(segment, base, home, owner) : known;
            if (way == BucketHead.NOWHERE) {
                return BucketHead.NOWHERE;
            }
            int slot = slot(base, way);
            layout.lock(segment, slot);
            if (known == BucketHead.NOWHERE) {
                boolean wasFree = BucketHead.vertex(segment, base, way) == BucketHead.FREE;
                charges.move(wasFree ? NOBODY : VertexLayout.owner(segment, slot), owner);
                BucketHead.setVertex(segment, base, way, key);
                VertexLayout.setOwner(segment, slot, owner);
                layout.blank(segment, slot);
            }
            return slot;
        } finally {
            BucketHead.unlock(segment, base);
        }
    }

    /**
     * Takes a free slot, or evicts a vertex and takes its slot.
     *
     * <p>The used bit of the new vertex is not set: it must be used again before the hand passes.
     *
     * @return the slot's way; {@link BucketHead#NOWHERE} if the owner has more than its share, and no vertex in the bucket
     *     belongs to such an owner
     */
    private int takeWay(ByteBuffer segment, int base, int home, int owner) {
        int free = BucketHead.find(segment, base, home, BucketHead.FREE);
        if (free != BucketHead.NOWHERE) {
            vertices.increment();
            return free;
        }
        if (charges.isAnyOver()) {
            int way = wayOfOwnerOverShare(segment, base);
            if (way != BucketHead.NOWHERE) {
                BucketHead.passHand(segment, base, way);
                evictions.increment();
                return way;
            }
            if (charges.isOver(owner)) {
                refusals.increment();
                return BucketHead.NOWHERE;
            }
        }
        int way = BucketHead.moveHand(segment, base);
        BucketHead.passHand(segment, base, way);
        evictions.increment();
        return way;
    }

    /**
     * A slot whose owner has more than its share: the first from the hand on that was not used lately, or else the
     * first used. {@link BucketHead#NOWHERE} if there is none.
     */
    private int wayOfOwnerOverShare(ByteBuffer segment, int base) {
        int used = BucketHead.NOWHERE;
        for (int i = 0; i < BucketHead.WAYS; i++) {
            int way = BucketHead.fromHand(segment, base, i);
            if (charges.isOver(VertexLayout.owner(segment, slot(base, way)))) {
                if (!BucketHead.isUsed(segment, base, way)) {
                    return way;
                }
                used = used == BucketHead.NOWHERE ? way : used;
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

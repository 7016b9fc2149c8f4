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
 * <p>A vertex's number leads to a bucket of {@value #WAYS} slots; it lives in one of them or nowhere. A vertex that finds its bucket
 * full takes the slot of one that was not used since CLOCK's hand came by last. Nothing is allocated after construction.
 *
 * <pre>
 *   bucket:  lock | hand | used bits | 7 vertices | 7 {@linkplain VertexLayout slots}
 *            int    byte   byte        long
 * </pre>
 *
 * <p>A vertex is charged to the user whose access made it. An owner with more than its share takes, in a bucket that is full, the
 * slot of an owner that has more than its share as well, itself included; where there is none, its vertex is not kept. All others take
 * such a slot first, and else what CLOCK gives them. So one user can fill a graph that nobody else needs, and no more than its share
 * of one that others need.
 *
 * <p>An operation looks at a bucket's head, which is one cache line, and at one slot, which is two or three. It writes to the slot alone
 * and only if it changes the vertex, so that processors need not take cache lines from one another for what they only
 * read. The head is written when a vertex comes or goes, with the bucket's lock held, and when one is used for the first time
 * since the hand came by, without: of two such marks at once one may be lost, and a vertex then goes sooner than it should.
 *
 * <p>Who holds a bucket's lock may take a slot's, never the other way round, and nobody takes two of a kind.
 *
 * <p>Thread-safe.
 */
public final class PackedGraph implements SuccessorGraph {

    static final int MOST_SUCCESSORS = 64;

    private static final int WAYS = 7;

    private static final int SEGMENT_BYTES = 1 << 30;
    private static final int CACHE_LINE = 64;

    private static final int HAND = 4;
    private static final int USED_BITS = 5;
    private static final int VERTICES = 8;
    private static final int SLOTS = CACHE_LINE;

    private static final int NOWHERE = -1;

    /** Marks a slot that is free; a vertex of this number is kept under {@link #STAND_IN}. */
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
     * Takes its memory at once.
     *
     * @param budgetBytes how much it may take; at least one bucket is made
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

    /** Bytes that one vertex takes, a bucket's overhead shared. */
    public double bytesPerVertex() {
        return (double) bucketBytes / WAYS;
    }

    public long capacityBytes() {
        return buckets * bucketBytes;
    }

    /** How many vertices there is room for. */
    public long capacity() {
        return buckets * WAYS;
    }

    /** How many vertices it has; may be a little behind while others change it. */
    public long vertices() {
        return vertices.sum();
    }

    /** How many vertices gave way to others so far. */
    public long evictions() {
        return evictions.sum();
    }

    /** How many vertices were not kept so far as their owner had more than its share. */
    public long refusals() {
        return refusals.sum();
    }

    /** How many vertices are charged to an owner. */
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
    public void learn(long vertex, AccessRun run, int index, int reach) {
        int end = run.endAfter(index, reach);
        int first = run.firstAfter(index);
        if (!run.isNew(index) && first >= end) {
            return;
        }
        long key = key(vertex);
        long hash = hash(key);
        long bucket = bucketOf(hash);
        ByteBuffer segment = segmentOf(bucket);
        int slot = lock(segment, baseOf(bucket), home(hash), key, run.owner());
        if (slot == NOWHERE) {
            return;
        }
        try {
            if (run.isNew(index)) {
                layout.visit(segment, slot);
            }
            for (int later = first; later < end; later++) {
                if (run.file(later) != vertex) {
                    layout.strengthen(segment, slot, run.file(later), run.weight(index, later));
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
        while (way != NOWHERE && !copied(segment, base, way, key, leastConfidence, successors)) {
            way = find(segment, base, home(hash), key);
        }
        if (way == NOWHERE) {
            successors.clear();
        } else {
            markUsed(segment, base, way);
        }
    }

    /** Whether a vertex was there and was left alone while it was copied. */
    private boolean copied(
            ByteBuffer segment, int base, int way, long key, double leastConfidence, Successors successors) {
        int slot = slot(base, way);
        int version = layout.beginRead(segment, slot);
        if (segment.getLong(vertexAt(base, way)) != key) {
            return false;
        }
        layout.copy(segment, slot, leastConfidence, successors);
        successors.owner = VertexLayout.ownerIn(version);
        return layout.isStill(version, segment, slot);
    }

    /** Takes vertices that are copied out of a graph; must not use the graph. */
    @FunctionalInterface
    interface VertexSink {
        void vertex(long vertex, Successors successors) throws IOException;
    }

    /** Copies all vertices out, each as it is at some moment; others may use the graph meanwhile. */
    void copyTo(VertexSink sink) throws IOException {
        Successors copy = new Successors(layout.maxSuccessors());
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            for (int way = 0; way < WAYS; way++) {
                long key = segment.getLong(vertexAt(base, way));
                while (key != FREE && !copied(segment, base, way, key, 0, copy)) {
                    key = segment.getLong(vertexAt(base, way));
                }
                if (key != FREE) {
                    sink.vertex(key, copy);
                }
            }
        }
    }

    /**
     * Puts a vertex back that was copied out of a graph, this one or another, and charges it to its owner. If it is known by now both are
     * merged, and it stays charged as it is. It is not kept where its owner has more than its share, as a new one of the owner's.
     *
     * @param trust by how much more the copy counts, as in {@link VertexMerge}
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

    /** Forgets everything; others may use the graph meanwhile. */
    public void clear() {
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            lockBucket(segment, base);
            try {
                for (int way = 0; way < WAYS; way++) {
                    // What is in the slot is overwritten by who takes it next.
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

    /** Spreads numbers that follow one another (the finalizer of MurmurHash3). */
    private static long hash(long key) {
        long hash = key;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    /** By the upper half; there are fewer than 2<sup>31</sup> buckets, or a terabyte. */
    private long bucketOf(long hash) {
        return ((hash >>> Integer.SIZE) * buckets) >>> Integer.SIZE;
    }

    /**
     * Where in its bucket a vertex is looked for first, by the lower bits. Most that came while there was room are there, so the processor
     * foretells it and fetches the slot together with the head.
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
     * Finds a vertex, or makes one, and locks its slot.
     *
     * @param owner to whom the vertex is charged if it is made
     * @return the slot; {@link #NOWHERE} if the vertex is not known and its owner has more than its share
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

    /** The same for a vertex that was not there. */
    private int lockUnknown(ByteBuffer segment, int base, int home, long key, int owner) {
        lockBucket(segment, base);
        try {
            int known = find(segment, base, home, key);
            int way = known == NOWHERE ? freeWay(segment, base, home, owner) : known;
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
     * A free slot, or a victim's; {@link #NOWHERE} if the owner has more than its share and none of the bucket's others has. A newcomer's
     * used bit is not set: it must be used again before the hand comes.
     */
    private int freeWay(ByteBuffer segment, int base, int home, int owner) {
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

    /** A slot of an owner with more than its share, the next from the hand on that was not used lately if there is one; or nowhere. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import com.google.common.math.IntMath;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The successor graph in a fixed number of bytes outside the heap, for many threads at once.
 *
 * <p>A vertex's number leads to a bucket of {@value #WAYS} slots; it lives in one of them or nowhere. A bucket has its own
 * lock, taken for one operation on one vertex and never together with another, so threads meet only on the same bucket. A
 * vertex that finds its bucket full takes the slot of one that was not used since CLOCK's hand came by last. Nothing is
 * allocated after construction.
 *
 * <pre>
 *   bucket:  lock | hand | used bits | 7 vertices | 7 slots
 *            int    byte   byte        long
 *   slot:    visits | size | K weights | K successors
 *            short    byte   short       long
 * </pre>
 *
 * <p>An operation looks at a bucket's head, which is one cache line, and at one slot, which is two or three.
 *
 * <p>Thread-safe.
 */
public final class PackedGraph implements SuccessorGraph {

    static final int MOST_SUCCESSORS = 64;

    private static final int WAYS = 7;
    private static final VarHandle LOCK = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** A lock is held for some tens of nanoseconds, unless its holder lost its processor. */
    private static final int SPINS = 1000;

    private static final int SEGMENT_BYTES = 1 << 30;
    private static final int CACHE_LINE = 64;

    private static final int HAND = 4;
    private static final int USED_BITS = 5;
    private static final int VERTICES = 8;
    private static final int SLOTS = CACHE_LINE;

    /** Within a slot. */
    private static final int VISITS = 0;

    private static final int SIZE = 2;
    private static final int WEIGHTS = 4;
    private static final int MASK = GraphSettings.MAX_UNSIGNED_SHORT;

    /** Marks a slot that is free; a vertex of this number is kept under {@link #STAND_IN}. */
    private static final long FREE = 0;

    private static final long STAND_IN = 0x9e3779b97f4a7c15L;

    private final int maxSuccessors;
    private final int maxWeight;
    private final int agingVisits;
    private final int filesOffset;
    private final int slotBytes;
    private final int bucketBytes;
    private final int segmentShift;
    private final long buckets;
    private final ByteBuffer[] segments;
    private final LongAdder vertices = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    /**
     * Takes its memory at once.
     *
     * @param budgetBytes how much it may take; at least one bucket is made
     */
    public PackedGraph(long budgetBytes, GraphSettings settings) {
        this.maxSuccessors = settings.maxSuccessors();
        this.maxWeight = settings.maxWeight();
        this.agingVisits = settings.agingVisits();
        this.filesOffset = roundUp(WEIGHTS + maxSuccessors * Short.BYTES, Long.BYTES);
        this.slotBytes = filesOffset + maxSuccessors * Long.BYTES;
        this.bucketBytes = roundUp(SLOTS + WAYS * slotBytes, CACHE_LINE);
        this.segmentShift = IntMath.log2(SEGMENT_BYTES / bucketBytes, RoundingMode.DOWN);
        long bucketsPerSegment = 1L << segmentShift;
        this.buckets = Math.max(1, budgetBytes / bucketBytes);
        this.segments = new ByteBuffer[Math.toIntExact((buckets + bucketsPerSegment - 1) / bucketsPerSegment)];
        for (int i = 0; i < segments.length; i++) {
            long left = buckets - i * bucketsPerSegment;
            int bytes = Math.toIntExact(Math.min(left, bucketsPerSegment) * bucketBytes);
            segments[i] = ByteBuffer.allocateDirect(bytes + CACHE_LINE)
                    .alignedSlice(CACHE_LINE)
                    .order(ByteOrder.nativeOrder());
        }
    }

    private static int roundUp(int bytes, int unit) {
        return (bytes + unit - 1) / unit * unit;
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

    @Override
    public long touch(long vertex) {
        long bucket = bucketOf(key(vertex));
        return segmentOf(bucket).getLong(baseOf(bucket));
    }

    @Override
    public void visit(long vertex, double leastConfidence, Successors successors) {
        long key = key(vertex);
        long bucket = bucketOf(key);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        lock(segment, base);
        try {
            int way = findOrMake(segment, base, key);
            countVisit(segment, base, way);
            copy(segment, base, way, leastConfidence, successors);
        } finally {
            unlock(segment, base);
        }
    }

    @Override
    public void strengthen(long from, long to, int weight) {
        long key = key(from);
        long bucket = bucketOf(key);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        lock(segment, base);
        try {
            int way = findOrMake(segment, base, key);
            add(segment, base, way, to, weight);
        } finally {
            unlock(segment, base);
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
        long bucket = bucketOf(key);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        lock(segment, base);
        try {
            int way = findOrMake(segment, base, key);
            if (run.isNew(index)) {
                countVisit(segment, base, way);
            }
            for (int later = first; later < end; later++) {
                if (run.file(later) != vertex) {
                    add(segment, base, way, run.file(later), run.weight(index, later));
                }
            }
        } finally {
            unlock(segment, base);
        }
    }

    @Override
    public void read(long vertex, double leastConfidence, Successors successors) {
        long key = key(vertex);
        long bucket = bucketOf(key);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        lock(segment, base);
        try {
            int way = find(segment, base, key);
            if (way < 0) {
                successors.clear();
            } else {
                copy(segment, base, way, leastConfidence, successors);
            }
        } finally {
            unlock(segment, base);
        }
    }

    /** Takes vertices that are copied out of a graph; must not use the graph. */
    @FunctionalInterface
    interface VertexSink {
        void vertex(long vertex, Successors successors) throws IOException;
    }

    /** Copies all vertices out, a bucket at a time; others may use the graph meanwhile. */
    void copyTo(VertexSink sink) throws IOException {
        Successors[] copies = new Successors[WAYS];
        Arrays.setAll(copies, way -> new Successors(maxSuccessors));
        long[] keys = new long[WAYS];
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            lock(segment, base);
            try {
                for (int way = 0; way < WAYS; way++) {
                    keys[way] = segment.getLong(base + VERTICES + way * Long.BYTES);
                    copy(segment, base, way, 0, copies[way]);
                }
            } finally {
                unlock(segment, base);
            }
            for (int way = 0; way < WAYS; way++) {
                if (keys[way] != FREE) {
                    sink.vertex(keys[way], copies[way]);
                }
            }
        }
    }

    /** Puts a vertex back that was copied out of a graph; one that is known by now is left as it is. */
    void restore(long vertex, Successors successors) {
        long bucket = bucketOf(vertex);
        ByteBuffer segment = segmentOf(bucket);
        int base = baseOf(bucket);
        lock(segment, base);
        try {
            if (find(segment, base, vertex) < 0) {
                int way = findOrMake(segment, base, vertex);
                setVisits(segment, base, way, successors.visits);
                for (int rank = Math.min(successors.size, maxSuccessors) - 1; rank >= 0; rank--) {
                    add(segment, base, way, successors.files[rank], Math.min(maxWeight, successors.weights[rank]));
                }
            }
        } finally {
            unlock(segment, base);
        }
    }

    /** Forgets everything; others may use the graph meanwhile. */
    public void clear() {
        byte[] zeros = new byte[bucketBytes - VERTICES];
        for (long bucket = 0; bucket < buckets; bucket++) {
            ByteBuffer segment = segmentOf(bucket);
            int base = baseOf(bucket);
            lock(segment, base);
            try {
                vertices.add(-occupied(segment, base));
                segment.put(base + HAND, (byte) 0);
                segment.put(base + USED_BITS, (byte) 0);
                ByteBuffer view = segment.duplicate();
                view.position(base + VERTICES);
                view.put(zeros);
            } finally {
                unlock(segment, base);
            }
        }
    }

    private static int occupied(ByteBuffer segment, int base) {
        int occupied = 0;
        for (int way = 0; way < WAYS; way++) {
            if (segment.getLong(base + VERTICES + way * Long.BYTES) != FREE) {
                occupied++;
            }
        }
        return occupied;
    }

    private static long key(long vertex) {
        return vertex == FREE ? STAND_IN : vertex;
    }

    /** Spreads numbers that follow one another (the finalizer of MurmurHash3), then scales to the number of buckets. */
    private long bucketOf(long key) {
        long hash = key;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 33;
        return Math.multiplyHigh(hash >>> 1, 2 * buckets);
    }

    private ByteBuffer segmentOf(long bucket) {
        return segments[(int) (bucket >>> segmentShift)];
    }

    private int baseOf(long bucket) {
        return (int) (bucket - (bucket >>> segmentShift << segmentShift)) * bucketBytes;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a holder that lost its processor gets it sooner
    private static void lock(ByteBuffer segment, int base) {
        for (int spins = 1; !LOCK.compareAndSet(segment, base, 0, 1); spins++) {
            if (spins % SPINS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static void unlock(ByteBuffer segment, int base) {
        LOCK.setRelease(segment, base, 0);
    }

    private static int find(ByteBuffer segment, int base, long key) {
        for (int way = 0; way < WAYS; way++) {
            if (segment.getLong(base + VERTICES + way * Long.BYTES) == key) {
                int bits = segment.get(base + USED_BITS);
                segment.put(base + USED_BITS, (byte) (bits | 1 << way));
                return way;
            }
        }
        return -1;
    }

    private int findOrMake(ByteBuffer segment, int base, long key) {
        int found = find(segment, base, key);
        if (found >= 0) {
            return found;
        }
        int way = freeWay(segment, base);
        segment.putLong(base + VERTICES + way * Long.BYTES, key);
        segment.putInt(slot(base, way), 0);
        return way;
    }

    /** A free slot, or CLOCK's victim's. A newcomer's used bit is not set: it must be used again before the hand comes. */
    private int freeWay(ByteBuffer segment, int base) {
        for (int way = 0; way < WAYS; way++) {
            if (segment.getLong(base + VERTICES + way * Long.BYTES) == FREE) {
                vertices.increment();
                return way;
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

    private int slot(int base, int way) {
        return base + SLOTS + way * slotBytes;
    }

    private int visits(ByteBuffer segment, int base, int way) {
        return segment.getShort(slot(base, way) + VISITS) & MASK;
    }

    private void setVisits(ByteBuffer segment, int base, int way, int visits) {
        segment.putShort(slot(base, way) + VISITS, (short) visits);
    }

    private void countVisit(ByteBuffer segment, int base, int way) {
        int visits = visits(segment, base, way) + 1;
        setVisits(segment, base, way, Math.min(visits, MASK));
        if (agingVisits != 0 && visits >= agingVisits) {
            halve(segment, base, way);
        }
    }

    private int size(ByteBuffer segment, int base, int way) {
        return segment.get(slot(base, way) + SIZE);
    }

    private void setSize(ByteBuffer segment, int base, int way, int size) {
        segment.put(slot(base, way) + SIZE, (byte) size);
    }

    private int fileAt(int base, int way, int rank) {
        return slot(base, way) + filesOffset + rank * Long.BYTES;
    }

    private int weightAt(int base, int way, int rank) {
        return slot(base, way) + WEIGHTS + rank * Short.BYTES;
    }

    private int weight(ByteBuffer segment, int base, int way, int rank) {
        return segment.getShort(weightAt(base, way, rank)) & MASK;
    }

    private void add(ByteBuffer segment, int base, int way, long to, int weight) {
        int size = size(segment, base, way);
        int rank = 0;
        while (rank < size && segment.getLong(fileAt(base, way, rank)) != to) {
            rank++;
        }
        int sum = weight;
        if (rank < size) {
            if (weight(segment, base, way, rank) + weight > maxWeight) {
                rankWeights(segment, base, way, size);
            }
            sum += weight(segment, base, way, rank);
        } else if (size < maxSuccessors) {
            setSize(segment, base, way, size + 1);
        } else {
            rank = size - 1;
        }
        moveUp(segment, base, way, rank, to, sum);
    }

    /** Puts an edge in front of those that are not stronger, from a place that is free or its own. */
    private void moveUp(ByteBuffer segment, int base, int way, int from, long to, int weight) {
        int rank = from;
        while (rank > 0 && weight(segment, base, way, rank - 1) <= weight) {
            segment.putLong(fileAt(base, way, rank), segment.getLong(fileAt(base, way, rank - 1)));
            segment.putShort(weightAt(base, way, rank), segment.getShort(weightAt(base, way, rank - 1)));
            rank--;
        }
        segment.putLong(fileAt(base, way, rank), to);
        segment.putShort(weightAt(base, way, rank), (short) weight);
    }

    private void rankWeights(ByteBuffer segment, int base, int way, int size) {
        for (int rank = 0; rank < size; rank++) {
            segment.putShort(weightAt(base, way, rank), (short) (size - 1 - rank));
        }
    }

    /** Halves visits and weights; an edge that comes to nothing is forgotten. */
    private void halve(ByteBuffer segment, int base, int way) {
        setVisits(segment, base, way, visits(segment, base, way) / 2);
        int size = size(segment, base, way);
        for (int rank = 0; rank < size; rank++) {
            segment.putShort(weightAt(base, way, rank), (short) (weight(segment, base, way, rank) / 2));
        }
        while (size > 0 && weight(segment, base, way, size - 1) == 0) {
            size--;
        }
        setSize(segment, base, way, size);
    }

    private void copy(ByteBuffer segment, int base, int way, double leastConfidence, Successors successors) {
        int size = size(segment, base, way);
        int visits = visits(segment, base, way);
        double leastWeight = leastConfidence * WeightScheme.FULL * visits;
        int rank = 0;
        for (; rank < size; rank++) {
            int weight = weight(segment, base, way, rank);
            if (weight < leastWeight) {
                break;
            }
            successors.files[rank] = segment.getLong(fileAt(base, way, rank));
            successors.weights[rank] = weight;
        }
        successors.size = rank;
        successors.visits = visits;
    }

    @Override
    public String toString() {
        return "PackedGraph"
                + Arrays.asList(vertices() + " of " + capacity() + " vertices", capacityBytes() + " bytes");
    }
}

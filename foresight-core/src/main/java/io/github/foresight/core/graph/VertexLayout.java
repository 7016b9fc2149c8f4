/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.nio.ByteBuffer;

/**
 * The memory layout of a vertex, and the operations on it.
 *
 * <pre>
 *   owner | version | visits | size | unused | K weights | K successors
 *   byte    3 bytes   short    byte   byte     short       long
 * </pre>
 *
 * <p>The version is odd while a thread changes the vertex, and has a new even value afterwards. A reader need not
 * write: its copy is valid if the version was even and the same before and after the copy (a sequence lock). A thread
 * that changes a vertex holds its lock for some tens of nanoseconds.
 *
 * <p>The owner and the version are one int, so that both change at once. A version recurs after 2<sup>23</sup> changes.
 * A reader that stops during a copy for exactly that many changes takes a mixed copy as valid; the cost is one wrong
 * prediction.
 *
 * <p>A place is an offset in a buffer of native byte order, a multiple of {@value #ALIGNMENT}. Each operation takes
 * time in proportion to the vertex's successors at most. Immutable; the rules for threads are about the memory.
 */
final class VertexLayout {

    static final int ALIGNMENT = Long.BYTES;

    private static final int VISITS = 4;
    private static final int SIZE = 6;
    private static final int UNUSED = 7;
    private static final int WEIGHTS = 8;
    private static final int MASK = GraphSettings.MAX_UNSIGNED_SHORT;

    private static final int OWNER_SHIFT = 24;
    private static final int VERSION_MASK = (1 << OWNER_SHIFT) - 1;

    private final int maxSuccessors;
    private final int maxWeight;
    private final int agingVisits;
    private final int filesOffset;

    VertexLayout(GraphSettings settings) {
        this.maxSuccessors = settings.maxSuccessors();
        this.maxWeight = settings.maxWeight();
        this.agingVisits = settings.agingVisits();
        int weightsEnd = WEIGHTS + maxSuccessors * Short.BYTES;
        this.filesOffset = (weightsEnd + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    int bytes() {
        return filesOffset + maxSuccessors * Long.BYTES;
    }

    int maxSuccessors() {
        return maxSuccessors;
    }

    void lock(ByteBuffer memory, int place) {
        int version = BufferInts.getOpaque(memory, place);
        for (int spins = 1;
                isLocked(version) || !BufferInts.compareAndSet(memory, place, version, version + 1);
                spins++) {
            Spin.pause(spins);
            version = BufferInts.getOpaque(memory, place);
        }
        // As in StampedLock: no change of the vertex becomes visible before the odd version.
        BufferInts.storeStoreFence();
    }

    void unlock(ByteBuffer memory, int place) {
        int locked = BufferInts.getOpaque(memory, place);
        BufferInts.setRelease(memory, place, (locked & ~VERSION_MASK) | ((locked + 1) & VERSION_MASK));
    }

    /** The owner that is charged for a vertex. */
    static int owner(ByteBuffer memory, int place) {
        return ownerIn(BufferInts.getOpaque(memory, place));
    }

    /** The owner in the int that also holds the version. */
    static int ownerIn(int version) {
        return version >>> OWNER_SHIFT;
    }

    /** Charges a vertex, which must be locked, to an owner. */
    static void setOwner(ByteBuffer memory, int place, int owner) {
        int version = BufferInts.getOpaque(memory, place) & VERSION_MASK;
        BufferInts.setOpaque(memory, place, owner << OWNER_SHIFT | version);
    }

    /**
     * Starts a copy and returns the even version of the vertex. The copy is valid if {@link #isUnchanged} returns true for
     * this version afterwards.
     */
    int beginRead(ByteBuffer memory, int place) {
        int version = BufferInts.getAcquire(memory, place);
        for (int spins = 1; isLocked(version); spins++) {
            Spin.pause(spins);
            version = BufferInts.getAcquire(memory, place);
        }
        return version;
    }

    boolean isUnchanged(int version, ByteBuffer memory, int place) {
        BufferInts.acquireFence();
        return BufferInts.getOpaque(memory, place) == version;
    }

    private static boolean isLocked(int version) {
        return (version & 1) != 0;
    }

    /** Loads a vertex's first cache line for writing, by a write to an unused byte. */
    static void touch(ByteBuffer memory, int place) {
        memory.put(place + UNUSED, (byte) 0);
    }

    /** Copies a vertex, which must be locked; without the lock the caller must check the copy. */
    void copy(ByteBuffer memory, int place, double leastConfidence, Successors successors) {
        int size = size(memory, place);
        int visits = visits(memory, place);
        double leastWeight = leastConfidence * WeightScheme.FULL * visits;
        int rank = 0;
        for (; rank < size; rank++) {
            int weight = weight(memory, place, rank);
            if (weight < leastWeight) {
                break;
            }
            successors.files[rank] = memory.getLong(fileAt(place, rank));
            successors.weights[rank] = weight;
        }
        successors.size = rank;
        successors.visits = visits;
    }

    /** Whether a vertex, which must be locked, has no visits and no successors. */
    boolean isBlank(ByteBuffer memory, int place) {
        return visits(memory, place) == 0 && size(memory, place) == 0;
    }

    /** Removes the visits and successors of a vertex, which must be locked. */
    void blank(ByteBuffer memory, int place) {
        setVisits(memory, place, 0);
        setSize(memory, place, 0);
    }

    /** Fills a blank vertex, which must be locked, with successors of a graph that may have other bounds. */
    void restore(ByteBuffer memory, int place, Successors successors) {
        setVisits(memory, place, successors.visits);
        for (int rank = Math.min(successors.size, maxSuccessors) - 1; rank >= 0; rank--) {
            strengthen(memory, place, successors.files[rank], Math.min(maxWeight, successors.weights[rank]));
        }
    }

    /** Merges successors into a vertex, which must be locked. */
    void merge(ByteBuffer memory, int place, Successors successors, double trust) {
        Successors own = new Successors(maxSuccessors);
        copy(memory, place, 0, own);
        Successors merged = new Successors(maxSuccessors);
        VertexMerge.merge(own, successors, trust, merged);
        setSize(memory, place, 0);
        restore(memory, place, merged);
    }

    /** Counts a visit of a vertex, which must be locked. */
    void visit(ByteBuffer memory, int place) {
        int visits = visits(memory, place) + 1;
        setVisits(memory, place, Math.min(visits, MASK));
        if (agingVisits != 0 && visits >= agingVisits) {
            halve(memory, place);
        }
    }

    /** Adds weight to an edge from a vertex, which must be locked. */
    void strengthen(ByteBuffer memory, int place, long to, int weight) {
        int size = size(memory, place);
        int rank = 0;
        while (rank < size && memory.getLong(fileAt(place, rank)) != to) {
            rank++;
        }
        int sum = weight;
        if (rank < size) {
            if (weight(memory, place, rank) + weight > maxWeight) {
                rankWeights(memory, place, size);
            }
            sum += weight(memory, place, rank);
        } else if (size < maxSuccessors) {
            setSize(memory, place, size + 1);
        } else {
            rank = size - 1;
        }
        moveUp(memory, place, rank, to, sum);
    }

    /** Moves an edge in front of all edges that are not stronger, from a free place or from its own. */
    private void moveUp(ByteBuffer memory, int place, int from, long to, int weight) {
        int rank = from;
        while (rank > 0 && weight(memory, place, rank - 1) <= weight) {
            memory.putLong(fileAt(place, rank), memory.getLong(fileAt(place, rank - 1)));
            setWeight(memory, place, rank, weight(memory, place, rank - 1));
            rank--;
        }
        memory.putLong(fileAt(place, rank), to);
        setWeight(memory, place, rank, weight);
    }

    private void rankWeights(ByteBuffer memory, int place, int size) {
        for (int rank = 0; rank < size; rank++) {
            setWeight(memory, place, rank, size - 1 - rank);
        }
    }

    /** Halves visits and weights; an edge of weight 0 is removed. */
    private void halve(ByteBuffer memory, int place) {
        setVisits(memory, place, visits(memory, place) / 2);
        int size = size(memory, place);
        for (int rank = 0; rank < size; rank++) {
            setWeight(memory, place, rank, weight(memory, place, rank) / 2);
        }
        while (size > 0 && weight(memory, place, size - 1) == 0) {
            size--;
        }
        setSize(memory, place, size);
    }

    private static int visits(ByteBuffer memory, int place) {
        return memory.getShort(place + VISITS) & MASK;
    }

    private static void setVisits(ByteBuffer memory, int place, int visits) {
        memory.putShort(place + VISITS, (short) visits);
    }

    private static int size(ByteBuffer memory, int place) {
        return memory.get(place + SIZE);
    }

    private static void setSize(ByteBuffer memory, int place, int size) {
        memory.put(place + SIZE, (byte) size);
    }

    private int fileAt(int place, int rank) {
        return place + filesOffset + rank * Long.BYTES;
    }

    private static int weight(ByteBuffer memory, int place, int rank) {
        return memory.getShort(place + WEIGHTS + rank * Short.BYTES) & MASK;
    }

    private static void setWeight(ByteBuffer memory, int place, int rank, int weight) {
        memory.putShort(place + WEIGHTS + rank * Short.BYTES, (short) weight);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Files that one client was granted or has opened lately, at four bytes each. When a client reports an open that the
 * NameNode did not see, the report counts only for these files.
 *
 * <p>A file is kept as a mark of 32 bits in a bucket of eight places. The mark itself selects the bucket. A new mark
 * replaces the oldest mark of a full bucket. The table begins empty and doubles when a bucket is full, up to its limit.
 * The last eight files are always known. With {@code n} places about the last {@code n / 2} files are known, with very
 * few exceptions.
 *
 * <p>The probability that a file counts as known without having been added is 2<sup>-32</sup> times the number of
 * places. The marks depend on a seed; a client that does not know the seed cannot construct such a file.
 *
 * <p>Constant time, except when the table doubles. Allocates when it doubles. Not thread-safe.
 */
public final class RecentFiles {

    /** The smallest limit, and the number of places after the first addition. */
    public static final int CAPACITY_MIN = 64;

    /** The largest limit. */
    public static final int CAPACITY_MAX = 1 << 20;

    /** The places of a bucket, which fill half a cache line. Chosen, not measured. */
    private static final int WAYS = 8;

    private static final int NONE = 0;

    private final int capacityMax;
    private final long seed;
    private int[] marks = {};

    /**
     * Makes an empty table without memory.
     *
     * @param capacityMax the most places, {@value #CAPACITY_MIN} to {@value #CAPACITY_MAX}; rounded down to a power of
     *     two
     * @param seed a number that other processes do not know
     */
    public RecentFiles(int capacityMax, long seed) {
        if (capacityMax < CAPACITY_MIN || capacityMax > CAPACITY_MAX) {
            throw new IllegalArgumentException(
                    "capacityMax is " + capacityMax + "; accepted is " + CAPACITY_MIN + " to " + CAPACITY_MAX);
        }
        this.capacityMax = Integer.highestOneBit(capacityMax);
        this.seed = seed;
    }

    /** A file was granted or opened. */
    public void add(long file) {
        if (marks.length == 0) {
            marks = new int[CAPACITY_MIN];
        }
        int mark = mark(file);
        while (isFull(mark) && marks.length < capacityMax) {
            grow();
        }
        put(mark);
    }

    public boolean contains(long file) {
        return marks.length > 0 && placeOf(mark(file)) < WAYS;
    }

    /** The bytes of the table, without the object itself. */
    public int bytes() {
        return marks.length * Integer.BYTES;
    }

    private int mark(long file) {
        long hash = (file ^ seed) * 0x9e3779b97f4a7c15L;
        hash = (hash ^ (hash >>> 32) ^ seed) * 0xff51afd7ed558ccdL;
        int mark = (int) (hash >>> 32);
        return mark == NONE ? 1 : mark;
    }

    private int bucket(int mark) {
        return (mark & (marks.length / WAYS - 1)) * WAYS;
    }

    /** The place of a mark in its bucket, 0 for the newest; {@link #WAYS} if the mark is not there. */
    private int placeOf(int mark) {
        int bucket = bucket(mark);
        int place = 0;
        while (place < WAYS && marks[bucket + place] != mark) {
            place++;
        }
        return place;
    }

    /** Whether a new mark would replace the oldest mark of its bucket. */
    private boolean isFull(int mark) {
        return placeOf(mark) == WAYS && marks[bucket(mark) + WAYS - 1] != NONE;
    }

    private void put(int mark) {
        int bucket = bucket(mark);
        int last = Math.min(placeOf(mark), WAYS - 1);
        System.arraycopy(marks, bucket, marks, bucket + 1, last);
        marks[bucket] = mark;
    }

    private void grow() {
        int[] before = marks;
        marks = new int[2 * before.length];
        for (int bucket = 0; bucket < before.length; bucket += WAYS) {
            for (int place = WAYS - 1; place >= 0; place--) {
                if (before[bucket + place] != NONE) {
                    put(before[bucket + place]);
                }
            }
        }
    }
}

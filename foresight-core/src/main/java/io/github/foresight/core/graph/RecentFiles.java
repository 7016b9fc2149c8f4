/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Which files one client was granted or has opened lately, at four bytes each: what the client says it opened by itself is believed of
 * these files only.
 *
 * <p>A file is kept as a mark of 32 bits, in one of the eight places of the bucket that the mark leads to; a file that comes anew takes
 * the place of the bucket's oldest. The table begins empty and doubles when a bucket is full, up to its limit. The last eight
 * files are always known; of {@code n} places some {@code n / 2} files are, with hardly an exception.
 *
 * <p>A file that was never added is taken for a known one with a probability of 2<sup>-32</sup> times the number of places. The marks depend
 * on a seed, so that nobody can choose such a file without knowing the seed.
 *
 * <p>Constant time; allocates when it grows. Not thread-safe.
 */
public final class RecentFiles {

    /** The smallest limit; also the places to begin with. */
    public static final int CAPACITY_MIN = 64;

    /** The largest limit. */
    public static final int CAPACITY_MAX = 1 << 20;

    private static final int WAYS = 8;
    private static final int NONE = 0;

    private final int capacityMax;
    private final long seed;
    private int[] marks = {};

    /**
     * Knows no file and takes no memory yet.
     *
     * @param capacityMax places at most, {@value #CAPACITY_MIN} to {@value #CAPACITY_MAX}; a power of two, or the next smaller one is taken
     * @param seed that other processes do not know
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

    /** The memory that it takes now, without the object itself. */
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

    /** Where in its bucket a mark stands, the newest being at 0; {@link #WAYS} if it does not. */
    private int placeOf(int mark) {
        int bucket = bucket(mark);
        int place = 0;
        while (place < WAYS && marks[bucket + place] != mark) {
            place++;
        }
        return place;
    }

    /** Whether the oldest of a bucket would go for a mark that is not there. */
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

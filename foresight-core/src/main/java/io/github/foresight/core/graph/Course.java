/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The files that a client is expected to access one after another. A file may come by more than once. As long as the client keeps to its
 * course its next files need not be found out anew: the course is made longer at its end.
 *
 * <p>It also remembers the last files that the client has accessed on it, until they have been learned from.
 *
 * <p>Constant memory, no allocation. Not thread-safe.
 */
final class Course {

    /** The most files that it leads over. */
    static final int MOST_AHEAD = 47;

    /** The most files on it that wait to be learned from. */
    static final int MOST_BEHIND = 15;

    /** So many of the next files are near. */
    static final int NEAR = 4;

    /** Smaller ones might come to nothing. */
    private static final double LEAST_UNIT = 1e-100;

    /** About as much heap as a course takes. */
    static final int BYTES = 1150;

    /** Of places, of which there are 64. */
    private static final int MASK = Integer.highestOneBit(MOST_AHEAD + MOST_BEHIND) * 2 - 1;

    private final long[] files = new long[MASK + 1];

    /** How likely a file is accessed, in units of how likely the last access was. */
    private final double[] reach = new double[MASK + 1];

    /** Whether a file came by before as well, a bit for each place, when it was added. */
    private long recurring;

    /** Where the next file is; those ahead are there and after it, those behind before it. */
    private int next;

    private int ahead;
    private int behind;
    private boolean keptTo;

    /** How likely the last access was. */
    private double unit = 1;

    /** How many files it leads over. */
    int ahead() {
        return ahead;
    }

    /** How many files on it have been accessed and not been learned from. */
    int behind() {
        return behind;
    }

    /** Whether a file on it has been accessed since it began. */
    boolean isKeptTo() {
        return keptTo;
    }

    boolean isNext(long file) {
        return ahead > 0 && files[next] == file;
    }

    /** Whether a file is one of the next {@value #NEAR}: the client may leave some out, or access others instead. */
    boolean isNear(long file) {
        return isAmong(Math.min(NEAR, ahead), file);
    }

    /** Whether a file is the one that was accessed last and not been learned from. */
    boolean isLast(long file) {
        return behind > 0 && files[(next - 1) & MASK] == file;
    }

    /** Whether a file is among the first that it leads over. */
    private boolean isAmong(int first, long file) {
        for (int i = 0; i < first; i++) {
            if (files[(next + i) & MASK] == file) {
                return true;
            }
        }
        return false;
    }

    /**
     * A file that it leads over.
     *
     * @param distance 1 for the next one, up to {@link #ahead()}
     */
    long file(int distance) {
        return files[(next + distance - 1) & MASK];
    }

    /** How likely the client goes on as far as it leads: 1 if it leads nowhere. */
    double confidenceOfEnd() {
        return ahead == 0 ? 1 : reach[(next + ahead - 1) & MASK] / unit;
    }

    /**
     * Makes it longer by a file; there must be room.
     *
     * @param step how likely the file is accessed once the one before it has been, above 0 and at most 1
     */
    void add(long file, double step) {
        int place = (next + ahead) & MASK;
        files[place] = file;
        reach[place] = (ahead == 0 ? unit : reach[(place - 1) & MASK]) * step;
        long bit = 1L << place;
        recurring = isAmong(ahead, file) ? recurring | bit : recurring & ~bit;
        ahead++;
    }

    /** The next file has been accessed and is to be learned from later; there must be room behind. */
    void walk() {
        moveOn();
        behind++;
    }

    /** The same for a file that is near; nothing must be behind. */
    void walkTo(long file) {
        passTo(file);
        behind++;
    }

    private void moveOn() {
        keptTo = true;
        unit = reach[next];
        next = (next + 1) & MASK;
        ahead--;
        if (unit < LEAST_UNIT) {
            makeUnitOne();
        }
    }

    private void makeUnitOne() {
        for (int i = 0; i < ahead; i++) {
            reach[(next + i) & MASK] /= unit;
        }
        unit = 1;
    }

    /** A file that is near has been accessed and is learned from otherwise; nothing must be behind. */
    void passTo(long file) {
        while (!isNext(file)) {
            moveOn();
        }
        moveOn();
    }

    /** It leads nowhere any more. What is behind stays. */
    void end() {
        keptTo = false;
        ahead = 0;
    }

    /**
     * Takes what is behind, oldest first.
     *
     * @param accesses has room for {@value #MOST_BEHIND}
     * @return how many there were
     */
    int takeBehind(long[] accesses) {
        int taken = behind;
        for (int i = 0; i < taken; i++) {
            accesses[i] = files[(next - taken + i) & MASK];
        }
        behind = 0;
        return taken;
    }

    /**
     * Fills a group with what is ahead, each file once, as far as it is no less likely than a threshold.
     *
     * @param current the last access, which is left out
     */
    void copyTo(PrefetchGroup group, double threshold, long current) {
        double least = threshold * unit;
        double scale = 1 / unit;
        group.size = 0;
        for (int i = 0; i < ahead && group.size < group.files.length; i++) {
            int place = (next + i) & MASK;
            if (reach[place] < least) {
                return;
            }
            long file = files[place];
            boolean named = (recurring & 1L << place) != 0 && isAmong(i, file);
            if (file != current && !named) {
                group.add(file, reach[place] * scale);
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * A predicted run: the files that a client is expected to access one after another. A file may occur more than once.
 * While the client follows the run, its next files need not be predicted anew; {@link Predictor} only adds files at the
 * end.
 *
 * <p>The run also holds the client's last accesses on it until a graph has learned them.
 *
 * <p>Each operation takes constant time, except {@link #copyTo}, which takes time in proportion to the group. Constant
 * memory, no allocation. Not thread-safe.
 */
final class PredictedRun {

    /** The most files ahead. Together with {@link #MOST_BEHIND} and the two free places they fill 64 places. */
    static final int MOST_AHEAD = 47;

    /** The most accessed files that wait to be learned; chosen, not measured. */
    static final int MOST_BEHIND = 15;

    /** The number of next files that count as near; chosen, not measured. */
    static final int NEAR = 4;

    /** The least unit. A smaller unit could underflow to 0. */
    private static final double LEAST_UNIT = 1e-100;

    /** The approximate heap bytes of a run. */
    static final int BYTES = 1150;

    /** The mask of a place; there are 64 places. */
    private static final int MASK = Integer.highestOneBit(MOST_AHEAD + MOST_BEHIND) * 2 - 1;

    private final long[] files = new long[MASK + 1];

    /** The probability that a file is accessed, in units of the probability of the last access. */
    private final double[] reach = new double[MASK + 1];

    /** One bit for each place: whether the file was already ahead when it was added. */
    private long recurring;

    /** The place of the next file. The files ahead begin at this place; the accessed files stand before it. */
    private int next;

    private int ahead;
    private int behind;
    private boolean followed;

    /** The probability of the last access. */
    private double unit = 1;

    /** The number of files ahead. */
    int ahead() {
        return ahead;
    }

    /** The number of accessed files that are not yet learned. */
    int behind() {
        return behind;
    }

    /** Whether the client has accessed a file of the run since the run began. */
    boolean isFollowed() {
        return followed;
    }

    boolean isNext(long file) {
        return ahead > 0 && files[next] == file;
    }

    /**
     * Whether a file is one of the next {@value #NEAR} files. The client may skip some of them, or access other files
     * instead.
     */
    boolean isNear(long file) {
        return isAmong(Math.min(NEAR, ahead), file);
    }

    /** Whether a file is the last access, and is not yet learned. */
    boolean isLast(long file) {
        return behind > 0 && files[(next - 1) & MASK] == file;
    }

    /** Whether a file is among the first files ahead. */
    private boolean isAmong(int first, long file) {
        for (int i = 0; i < first; i++) {
            if (files[(next + i) & MASK] == file) {
                return true;
            }
        }
        return false;
    }

    /**
     * A file ahead.
     *
     * @param distance 1 for the next file, up to {@link #ahead()}
     */
    long file(int distance) {
        return files[(next + distance - 1) & MASK];
    }

    /** The probability that the client accesses the last file ahead; 1 if no file is ahead. */
    double confidenceOfEnd() {
        return ahead == 0 ? 1 : reach[(next + ahead - 1) & MASK] / unit;
    }

    /**
     * Adds a file at the end; there must be room.
     *
     * @param step the probability that the file is accessed after the file before it, above 0 and at most 1
     */
    void add(long file, double step) {
        int place = (next + ahead) & MASK;
        files[place] = file;
        reach[place] = (ahead == 0 ? unit : reach[(place - 1) & MASK]) * step;
        long bit = 1L << place;
        recurring = isAmong(ahead, file) ? recurring | bit : recurring & ~bit;
        ahead++;
    }

    /**
     * The client has accessed the next file, which is to be learned later. There must be room among the accessed files.
     */
    void advance() {
        moveOn();
        behind++;
    }

    /** The client has accessed a near file, which is to be learned later. No access may wait to be learned. */
    void advanceTo(long file) {
        passTo(file);
        behind++;
    }

    private void moveOn() {
        followed = true;
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

    /** The client has accessed a near file, which the caller learns. No access may wait to be learned. */
    void passTo(long file) {
        while (!isNext(file)) {
            moveOn();
        }
        moveOn();
    }

    /** Ends the run: no file is ahead. Accesses that wait to be learned stay. */
    void end() {
        followed = false;
        ahead = 0;
    }

    /**
     * Removes and returns the accesses that wait to be learned, oldest first.
     *
     * @param accesses has room for {@value #MOST_BEHIND}
     * @return the number of accesses
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
     * Fills a group with the files ahead, each file once, up to the first file that is less likely than the threshold.
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The files that a client is expected to access one after another, each at least as likely as not once the one before it has been. As
 * long as the client keeps to its course its next files need not be found out anew: the course is made longer at its end.
 *
 * <p>It also remembers the last files that the client has accessed on it, until they have been learned from.
 *
 * <p>Constant memory, no allocation. Not thread-safe.
 */
final class Course {

    /** The most files that it leads over. */
    static final int MOST_AHEAD = 32;

    /** The most files on it that wait to be learned from. */
    static final int MOST_BEHIND = 15;

    private static final int MASK = Math.max(MOST_AHEAD, MOST_BEHIND) * 2 - 1;

    private final long[] files = new long[MASK + 1];

    /** How likely a file is accessed once the one before it has been. */
    private final float[] steps = new float[MASK + 1];

    /** Where the next file is; those ahead are there and after it, those behind before it. */
    private int next;

    private int ahead;
    private int behind;
    private double confidenceOfEnd = 1;

    /** How many files it leads over. */
    int ahead() {
        return ahead;
    }

    /** How many files on it have been accessed and not been learned from. */
    int behind() {
        return behind;
    }

    boolean isNext(long file) {
        return ahead > 0 && files[next] == file;
    }

    /** Whether a file is the one that was accessed last and not been learned from. */
    boolean isLast(long file) {
        return behind > 0 && files[(next - 1) & MASK] == file;
    }

    /** Whether it leads over a file. */
    boolean leadsOver(long file) {
        for (int i = 0; i < ahead; i++) {
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
        return confidenceOfEnd;
    }

    /**
     * Makes it longer by a file; there must be room.
     *
     * @param step how likely the file is accessed once the one before it has been, above 0 and at most 1
     */
    void add(long file, double step) {
        files[(next + ahead) & MASK] = file;
        steps[(next + ahead) & MASK] = (float) step;
        ahead++;
        confidenceOfEnd *= (float) step;
    }

    /** The next file has been accessed and is to be learned from later; there must be room behind. */
    void walk() {
        moveOn();
        behind++;
    }

    private void moveOn() {
        confidenceOfEnd /= steps[next];
        next = (next + 1) & MASK;
        ahead--;
    }

    /** A file has been accessed that is learned from otherwise; nothing must be left behind. Only the next file keeps to the course. */
    void pass(long file) {
        if (isNext(file)) {
            moveOn();
        } else {
            end();
        }
    }

    /** It leads nowhere any more. What is behind stays. */
    void end() {
        ahead = 0;
        confidenceOfEnd = 1;
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

    /** Fills a group with what is ahead, as far as it is no less likely than a threshold. */
    void copyTo(PrefetchGroup group, double threshold) {
        int size = Math.min(ahead, group.files.length);
        double confidence = 1;
        group.size = 0;
        for (int i = 0; i < size; i++) {
            confidence *= steps[(next + i) & MASK];
            if (confidence < threshold) {
                return;
            }
            group.add(files[(next + i) & MASK], confidence);
        }
    }
}

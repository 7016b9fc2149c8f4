/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * When a client asks for the files after those it has been told of: while it opens these, so that it does not come to the end of what
 * it knows and wait there.
 *
 * <p>It asks once for each group, when a {@value #ASK_AT_ONE_IN}th of the group told last has been opened; that there is somebody
 * who follows the prediction is shown by then, and the rest of the group is still to come while the answer is under way. A
 * group of fewer than {@value #LEAST_FILES} files is not worth a request that nobody waits for.
 *
 * <p>Constant time and memory, no allocation. Thread-safe.
 */
public final class Lookahead {

    private static final int LEAST_FILES = 8;
    private static final int ASK_AT_ONE_IN = 4;

    private int group;
    private int told;
    private int used;

    /**
     * The NameNode has told of files that are new to the client.
     *
     * @param files how many; 0 leaves the last group the last
     * @return the group's number, never 0
     */
    public synchronized int told(int files) {
        if (files > 0 || group == 0) {
            group++;
            told = files;
            used = 0;
        }
        return group;
    }

    /**
     * A file that was told of is opened for the first time.
     *
     * @param ofGroup the number of the group it came with
     * @return whether what comes next should be asked for now
     */
    public synchronized boolean used(int ofGroup) {
        if (ofGroup != group || told < LEAST_FILES) {
            return false;
        }
        used++;
        return used == (told + ASK_AT_ONE_IN - 1) / ASK_AT_ONE_IN;
    }
}

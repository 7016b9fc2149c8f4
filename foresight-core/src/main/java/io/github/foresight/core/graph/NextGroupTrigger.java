/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Decides when a client asks for the next prefetch group: while it still opens files of the last group. The client then
 * does not reach the end of its cached layouts and wait there.
 *
 * <p>The client asks once for each group, when it has opened one in {@value #ASK_AT_ONE_IN} files of the group. By then
 * it is clear that the client follows the prediction. The rest of the group covers the time until the answer arrives. A
 * group of fewer than {@value #LEAST_FILES} files is not worth a request in advance. The numbers are chosen, not
 * measured.
 *
 * <p>Constant time and memory, no allocation. Thread-safe.
 */
public final class NextGroupTrigger {

    private static final int LEAST_FILES = 8;
    private static final int ASK_AT_ONE_IN = 4;

    private int group;
    private int groupFiles;
    private int used;

    /**
     * The NameNode has granted predicted files that are new to the client.
     *
     * @param files the number of files; with 0 the last group stays the last
     * @return the group's number, never 0
     */
    public synchronized int granted(int files) {
        if (files > 0 || group == 0) {
            group++;
            groupFiles = files;
            used = 0;
        }
        return group;
    }

    /**
     * The client opens a predicted file for the first time.
     *
     * @param ofGroup the number of the file's group
     * @return whether the client asks for the next group now
     */
    public synchronized boolean used(int ofGroup) {
        if (ofGroup != group || groupFiles < LEAST_FILES) {
            return false;
        }
        used++;
        return used == (groupFiles + ASK_AT_ONE_IN - 1) / ASK_AT_ONE_IN;
    }
}

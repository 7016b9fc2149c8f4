/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Decides whether a client asks the NameNode for a file's layout with the file's status. The client does so if it opens
 * most of the files whose status it has asked for. Then status and open take one round trip instead of two (MiF,
 * section II.A, {@code open-getlayout}).
 *
 * <p>A status counts as followed by an open if the same path is opened before {@value #AWAITED} more paths' statuses
 * are asked for. The share of such statuses is a moving average over about the last {@value #SPAN}. A new client begins
 * with a share of 0 and asks once seven statuses in a row were followed. The client sees all its statuses and opens, so
 * it needs no probes. The numbers are chosen, not measured.
 *
 * <p>Paths are compared by a hash. A collision may settle another path's status and does no other harm. Constant time
 * and memory, no allocation. Thread-safe.
 */
public final class StatusRequestPolicy {

    private static final int AWAITED = 32;
    private static final int SPAN = 8;
    private static final double MOST = 0.6;

    /** The paths' hashes in a ring, and which of them may still be opened. */
    private final int[] paths = new int[AWAITED];

    private final boolean[] awaited = new boolean[AWAITED];
    private int next;
    private int awaitedCount;
    private double followedShare;

    /**
     * A path's status is asked for, whether or not the client can answer it from memory.
     *
     * @param path its hash
     * @return whether the layout is to be asked for as well
     */
    public synchronized boolean statusAsked(int path) {
        if (find(path) < 0) {
            if (awaited[next]) {
                settle(next, false);
            }
            paths[next] = path;
            awaited[next] = true;
            awaitedCount++;
            next = (next + 1) % AWAITED;
        }
        return followedShare >= MOST;
    }

    /**
     * A file is opened.
     *
     * @param path its hash
     */
    public synchronized void opened(int path) {
        int slot = find(path);
        if (slot >= 0) {
            settle(slot, true);
        }
    }

    private int find(int path) {
        for (int slot = 0; awaitedCount > 0 && slot < AWAITED; slot++) {
            if (awaited[slot] && paths[slot] == path) {
                return slot;
            }
        }
        return -1;
    }

    private void settle(int slot, boolean followed) {
        awaited[slot] = false;
        awaitedCount--;
        followedShare += ((followed ? 1 : 0) - followedShare) / SPAN;
    }
}

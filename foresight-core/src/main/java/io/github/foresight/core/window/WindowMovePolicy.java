/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/**
 * Decides whether a window moves, so that it stays where it is for a reader without locality.
 *
 * <p>The paper moves the window with each access outside, and its node then reads up to the window's full width. In a
 * file many times as large as the window, a reader without locality causes forty object reads for each own read. For
 * this reason the window stops after a number of consecutive accesses outside. From then on it moves only for one
 * access in {@value #PROBE}. One access inside the window ends this state.
 *
 * <p>If the reader does not come back to prefetched objects ({@link WindowTrail}), the window stops at once. Then it moves for
 * one access in {@value #PROBE}, and each time only after twice as many, up to {@value #PROBE_MOST}. The numbers are
 * chosen, not measured. Constant time and memory. Not thread-safe.
 */
public final class WindowMovePolicy {

    private static final int PROBE = 16;
    private static final int PROBE_MOST = 1024;

    private final int most;
    private int outside;
    private int useless;
    private int interval = PROBE;

    /**
     * Makes a policy without accesses.
     *
     * @param most the most consecutive accesses outside before the window stops, at least 1; 0 for no limit, as in the
     *     paper
     */
    public WindowMovePolicy(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("most must be at least 0: " + most);
        }
        this.most = most;
    }

    /**
     * Records an access.
     *
     * @param inside whether the window or its trail has the object
     * @param useful whether the reader comes back to prefetched objects
     * @return whether the window may move to the access
     */
    public boolean decideMove(boolean inside, boolean useful) {
        if (useful || most == 0) {
            interval = PROBE;
            useless = 0;
        }
        if (inside || most == 0) {
            outside = 0;
            return true;
        }
        return useful ? decidePatiently() : decideRarely();
    }

    private boolean decidePatiently() {
        outside = outside >= most + PROBE ? most + 1 : outside + 1;
        return outside <= most || outside == most + PROBE;
    }

    private boolean decideRarely() {
        useless++;
        if (useless < interval) {
            return false;
        }
        useless = 0;
        interval = Math.min(PROBE_MOST, 2 * interval);
        return true;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/**
 * Decides whether a window moves, so that it stays where it is for a reader without locality.
 *
 * <p>The paper moves the window with each access outside, and its node then reads up to the window's full width. In a
 * file many times as large as the window, a reader without locality causes forty object reads for each own read. For
 * this reason the window stops after a number of consecutive accesses outside. From then on it moves only for one
 * access in {@value #PROBE}. One access inside the window ends this state. {@value #PROBE} is chosen, not measured.
 * Constant time and memory. Not thread-safe.
 */
public final class WindowMovePolicy {

    private static final int PROBE = 16;

    private final int most;
    private int outside;

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
     * @return whether the window moves to the access
     */
    public boolean decideMove(boolean inside) {
        if (inside || most == 0) {
            outside = 0;
            return true;
        }
        outside = outside >= most + PROBE ? most + 1 : outside + 1;
        return outside <= most || outside == most + PROBE;
    }
}

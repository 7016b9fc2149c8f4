/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/**
 * Decides whether a window is still worth moving, for a reader whose every read is somewhere else.
 *
 * <p>The paper moves the window with each access outside, and has its node read up to the window's full width for it. For a reader with no
 * locality at all, in a file many times as large as the window, that is forty objects read for each one. So after a number of
 * accesses outside in a row the window stays where it is, but for one access in {@value #PROBE}; one access within brings it
 * back. Constant time and memory. Not thread-safe.
 */
public final class Patience {

    private static final int PROBE = 16;

    private final int most;
    private int outside;

    /**
     * Begins patient.
     *
     * @param most how many accesses in a row may be outside, at least 1; 0 for any number, as in the paper
     */
    public Patience(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("most must be at least 0: " + most);
        }
        this.most = most;
    }

    /** There is an access; whether the window is to move to it. */
    public boolean isWorthMoving(boolean inside) {
        if (inside || most == 0) {
            outside = 0;
            return true;
        }
        outside = outside >= most + PROBE ? most + 1 : outside + 1;
        return outside <= most || outside == most + PROBE;
    }
}

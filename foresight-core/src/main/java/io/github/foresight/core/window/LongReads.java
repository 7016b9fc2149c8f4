/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/**
 * Guesses from how long a reader's last reads were whether the next one is too long for any window to cover.
 *
 * <p>Such a read gains nothing from a window: what was read ahead about its begin ends before it does. How long a read is becomes
 * known only after its DataNode was chosen, so what is told of one read holds for the next. A read over a block's end comes in
 * parts of any length, so one short part in between changes nothing. Constant time and memory. Not thread-safe.
 */
public final class LongReads {

    /** So many short reads in a row are believed. */
    static final int BELIEVED = 4;

    private final long mostBytes;
    private int shortInARow = BELIEVED;

    /**
     * Expects short reads.
     *
     * @param mostBytes a read of up to so many bytes is short
     */
    public LongReads(long mostBytes) {
        if (mostBytes < 1) {
            throw new IllegalArgumentException("mostBytes must be at least 1: " + mostBytes);
        }
        this.mostBytes = mostBytes;
    }

    /** There was a read, or a block's part of one. */
    public void read(long bytes) {
        shortInARow = bytes > mostBytes ? 0 : Math.min(BELIEVED, shortInARow + 1);
    }

    /** Whether the next read is taken to be too long. */
    public boolean areExpected() {
        return shortInARow < BELIEVED;
    }
}

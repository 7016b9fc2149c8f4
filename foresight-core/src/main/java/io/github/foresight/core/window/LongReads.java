/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/**
 * Predicts from the lengths of a reader's last reads whether the next read is too long for any window.
 *
 * <p>A too long read gains nothing from a window, because the blocks prefetched around its begin end before the read
 * does. The length of a read is known only after its DataNode was chosen; for this reason the length of one read
 * decides for the next. A read across a block's end arrives in parts of any length, so one short part in between
 * changes nothing. Constant time and memory. Not thread-safe.
 */
public final class LongReads {

    /** The consecutive short reads after which short reads are expected; chosen, not measured. */
    static final int BELIEVED = 4;

    private final long mostBytes;
    private int shortInARow = BELIEVED;

    /**
     * Makes a predictor that expects short reads.
     *
     * @param mostBytes the longest short read
     */
    public LongReads(long mostBytes) {
        if (mostBytes < 1) {
            throw new IllegalArgumentException("mostBytes must be at least 1: " + mostBytes);
        }
        this.mostBytes = mostBytes;
    }

    /** Records a read, or the part of a read in one block. */
    public void read(long bytes) {
        shortInARow = bytes > mostBytes ? 0 : Math.min(BELIEVED, shortInARow + 1);
    }

    /** Whether the next read is expected to be too long. */
    public boolean areExpected() {
        return shortInARow < BELIEVED;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Decides when a client sends its next hint for a file that is too long for one hint.
 *
 * <p>A hint names {@code windowBlocks} blocks, beginning with the reader's block. The next hint is due when at most
 * half a window of hinted blocks is left. By this rule a DataNode always has blocks to read ahead. A file of n blocks
 * costs about 2 n / windowBlocks hints to each DataNode. Constant time and memory. Not thread-safe.
 */
public final class HintWindow {

    private final int windowBlocks;
    private int hintedUpTo;

    /** Makes a window without hinted blocks. */
    public HintWindow(int windowBlocks) {
        if (windowBlocks < 1) {
            throw new IllegalArgumentException("windowBlocks must be at least 1: " + windowBlocks);
        }
        this.windowBlocks = windowBlocks;
    }

    /**
     * Whether a hint is due for a reader at a block.
     *
     * @param index the reader's block, from 0
     * @param knownBlocks the number of known blocks of the layout
     */
    public boolean isDue(int index, int knownBlocks) {
        return hintedUpTo < knownBlocks && hintedUpTo - index <= windowBlocks / 2;
    }

    /** A hint that begins with this block was sent. */
    public void hintedFrom(int index, int knownBlocks) {
        hintedUpTo = (int) Math.min(knownBlocks, (long) index + windowBlocks);
    }

    /** The hinted blocks are no longer valid. */
    public void reset() {
        hintedUpTo = 0;
    }
}

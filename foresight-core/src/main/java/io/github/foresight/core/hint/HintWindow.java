/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Says when a client must send its next hint for a file too long to be hinted at once.
 *
 * <p>A hint names {@code windowBlocks} blocks from the reader's on. The next is due when the reader has come to within half a
 * window of the end of what was named, so a DataNode never runs out of blocks to read ahead, and a file of n blocks costs about
 * 2 n / windowBlocks hints per DataNode. Constant time and memory. Not thread-safe.
 */
public final class HintWindow {

    private final int windowBlocks;
    private int hintedUpTo;

    /** Begins with nothing hinted. */
    public HintWindow(int windowBlocks) {
        if (windowBlocks < 1) {
            throw new IllegalArgumentException("windowBlocks must be at least 1: " + windowBlocks);
        }
        this.windowBlocks = windowBlocks;
    }

    /**
     * Whether a hint is due now that the reader is at a block.
     *
     * @param index the reader's block, from 0
     * @param knownBlocks how many blocks of the layout are known
     */
    public boolean isDue(int index, int knownBlocks) {
        return hintedUpTo < knownBlocks && hintedUpTo - index <= windowBlocks / 2;
    }

    /** A hint beginning with this block has been sent. */
    public void hintedFrom(int index, int knownBlocks) {
        hintedUpTo = (int) Math.min(knownBlocks, (long) index + windowBlocks);
    }

    /** What was hinted no longer holds. */
    public void reset() {
        hintedUpTo = 0;
    }
}

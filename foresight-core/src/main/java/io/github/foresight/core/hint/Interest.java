/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/** What a {@link ReadAhead} wants to hear of the streams on a block; each next one includes the one before. */
public enum Interest {
    /** Nothing: it is neither hinted nor in memory. */
    NONE,

    /** That a stream is closed, as an access to what is in memory; nobody hints the block, so nothing else follows from it. */
    CLOSE,

    /** All: the block is hinted, or on its way into memory. */
    ALL
}

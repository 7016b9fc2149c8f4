/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/** The stream events of a block that a {@link ReadAhead} needs; each value includes the values before it. */
public enum StreamEvents {
    /** No events: no session hints the block, and the block is not in memory. */
    NONE,

    /** Only the end of a stream, which counts as an access to a block in memory. No session hints the block. */
    CLOSE,

    /** All events: a session hints the block, or its prefetch runs. */
    ALL
}

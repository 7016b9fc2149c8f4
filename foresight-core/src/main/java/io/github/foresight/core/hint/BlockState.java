/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/** How far a hinted block has come in its session (SSPF section II.B, the states of {@code file_block_map}). */
enum BlockState {
    /** Known, not yet begun. */
    UNPREFETCH,
    /** Being read into memory. */
    PREFETCHING,
    /** In memory, not yet read by the client. */
    PREFETCHED,
    /** Read by the client, skipped by it, or given up. */
    ACCESSED
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/** The state of a hinted block in its session (SSPF section II.B, the states of {@code file_block_map}). */
enum BlockState {
    /** Hinted; its prefetch has not begun. */
    UNPREFETCH,
    /** Its prefetch runs. */
    PREFETCHING,
    /** In memory; the client has not read it yet. */
    PREFETCHED,
    /** Read by the client, skipped by the client, or given up. */
    ACCESSED
}

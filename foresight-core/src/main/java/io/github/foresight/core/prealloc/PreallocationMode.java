/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

/** How space is taken for a replica being written; the three that MiF's section V compares. */
public enum PreallocationMode {
    /** As the file system does it by itself; the paper's "reservation". */
    OFF,
    /** The whole of what the writer announced, at its first write. */
    STATIC,
    /** Windows that grow as a stream turns out to go on. */
    ON_DEMAND
}

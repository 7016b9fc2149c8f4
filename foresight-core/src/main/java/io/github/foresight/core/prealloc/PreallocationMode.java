/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

/** The way in which space is taken for a replica being written; MiF's section V compares these three. */
public enum PreallocationMode {
    /** The file system takes space by itself; the paper's "reservation". */
    OFF,
    /** The announced size is taken at the first write. */
    STATIC,
    /** Windows of space are taken, which grow while a stream continues. */
    ON_DEMAND
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

/** Tells files by what does not change when they are renamed. Thread-safe. */
interface FileNumbers {

    /** The {@linkplain io.github.foresight.core.layout.LayoutHash number} of the file at a path. */
    long of(String path);
}

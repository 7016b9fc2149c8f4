/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/** The position of a window relative to its pivot, which is the object that was read last (NBJLOFS, Fig. 6). */
public enum WindowKind {
    /** On both sides; if the size is even, the greater part is after the pivot. */
    WING {
        @Override
        long objectsBefore(long size) {
            return (size - 1) / 2;
        }
    },
    /** From the pivot on. */
    FORWARD {
        @Override
        long objectsBefore(long size) {
            return 0;
        }
    };

    /** The number of a window's objects before its pivot. */
    abstract long objectsBefore(long size);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

/** Where a window lies about the object that was read last, its pivot (NBJLOFS, Fig. 6). */
public enum WindowKind {
    /** On both sides; of an even number the greater part is behind the pivot. */
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

    /** How many of a window's objects come before its pivot. */
    abstract long objectsBefore(long size);
}

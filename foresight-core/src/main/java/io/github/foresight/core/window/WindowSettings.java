/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import java.util.Objects;

/** The shape of windows; immutable and thread-safe. */
public final class WindowSettings {

    private final WindowKind kind;
    private final long objectBytes;
    private final int firstObjects;
    private final int mostObjects;
    private final int trailObjects;

    /**
     * Makes settings.
     *
     * @param objectBytes the size of an object, at least 1; the paper's is 128 KiB
     * @param firstObjects the first width of a window in objects, at least 1; the paper's is 1
     * @param mostObjects the largest width of a window in objects, at least {@code firstObjects}. If both are equal,
     *     the width is fixed. The paper's is 40
     * @param trailObjects the number of objects that the replica node is assumed to hold in addition to the window, at
     *     least 0
     * @throws IllegalArgumentException if a value is out of range
     */
    public WindowSettings(WindowKind kind, long objectBytes, int firstObjects, int mostObjects, int trailObjects) {
        if (trailObjects < 0) {
            throw new IllegalArgumentException("trailObjects must be at least 0: " + trailObjects);
        }
        this.kind = Objects.requireNonNull(kind, "kind");
        if (objectBytes < 1) {
            throw new IllegalArgumentException("objectBytes must be at least 1: " + objectBytes);
        }
        if (firstObjects < 1) {
            throw new IllegalArgumentException("firstObjects must be at least 1: " + firstObjects);
        }
        if (mostObjects < firstObjects) {
            throw new IllegalArgumentException(
                    "mostObjects must be at least firstObjects, which is " + firstObjects + ": " + mostObjects);
        }
        this.objectBytes = objectBytes;
        this.firstObjects = firstObjects;
        this.mostObjects = mostObjects;
        this.trailObjects = trailObjects;
    }

    public WindowKind kind() {
        return kind;
    }

    public long objectBytes() {
        return objectBytes;
    }

    public int firstObjects() {
        return firstObjects;
    }

    public int mostObjects() {
        return mostObjects;
    }

    public int trailObjects() {
        return trailObjects;
    }

    /** The longest read from the pivot's begin that lies within the widest window. */
    public long reachBytes() {
        return (mostObjects - kind.objectsBefore(mostObjects)) * objectBytes;
    }
}

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
     * @param objectBytes what a window is counted in, at least 1; the paper's is 128 KiB
     * @param firstObjects how wide a window begins, at least 1; the paper's is 1
     * @param mostObjects how wide a window may become, at least {@code firstObjects}; equal, the window has a fixed width. The
     *     paper's is 40
     * @param trailObjects how many objects the replica node is taken to have besides, of what windows have left; at least 0
     * @throws IllegalArgumentException if one is out of range
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

    /** How long a read from the pivot's begin may be to lie within the widest window. */
    public long reachBytes() {
        return (mostObjects - kind.objectsBefore(mostObjects)) * objectBytes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import com.google.common.collect.ImmutableList;
import java.util.Objects;

/**
 * The window of one client around its reads of one file (NBJLOFS, Sui et al., section 3.2 and Fig. 7).
 *
 * <p>A file is a sequence of objects of equal size. An access to an object within the window keeps the window's width
 * and makes the object its pivot. An access outside first doubles the width, up to a limit, because the window was not
 * wide enough. The replica node prefetches the objects of the new window that were not in the old window.
 *
 * <p>There are three differences from the paper:
 *
 * <ul>
 *   <li>In the paper each access to another object moves the window, and a sequential reader has the node prefetch
 *       one object at a time. Here the window stays until the reader is more than {@link #SLACK a third} of the width
 *       away from the pivot. Several adjacent objects then make one request and one disk access.
 *   <li>In the paper only accesses outside widen a window, and a sequential reader has none once its window is two
 *       objects wide. Here a moving window also doubles if the reader has accessed each object since the pivot,
 *       upwards or downwards. The next access outside takes this growth back, and leaves the width that accesses
 *       outside alone have made. For this reason a reader without sequential accesses has the paper's window.
 *   <li>The paper's node has a cache, in which an object stays for a while after a window has left it. Here the trail
 *       is the last objects that the node was asked to prefetch. An access outside the window to an object on the
 *       trail goes to the node and moves nothing.
 * </ul>
 *
 * <p>The window is cut off at the file's ends and not shifted, so the pivot stays in the middle. An access takes time
 * linear in the added objects; memory is linear in the trail. Not thread-safe.
 */
public final class MovingWindow {

    /**
     * The divisor of the width: a reader may be this part of the width, rounded down, away from the pivot before the
     * window moves. Chosen, not measured.
     */
    private static final int SLACK = 3;

    private final WindowSettings settings;
    private final long fileBytes;
    private int size;

    /** The width that accesses outside alone have made; at most the size. */
    private int sizeByMisses;

    private long pivot;
    private final ObjectRun run = new ObjectRun();
    private Extent extent = Extent.EMPTY;

    private final WindowTrail trail;
    private final long firstObject;

    /**
     * Makes a file's window of width 0: the first access is outside.
     *
     * @param fileBytes the file's length, at least 1
     */
    public MovingWindow(WindowSettings settings, long fileBytes) {
        this(settings, fileBytes, new WindowTrail(settings.trailObjects()), 0);
    }

    /**
     * Makes a window of width 0 over a part of a file. Offsets and extents count from the part's begin.
     *
     * @param fileBytes the part's length, at least 1
     * @param trail of all windows of the file
     * @param firstObject the number in the file of the part's first object
     */
    public MovingWindow(WindowSettings settings, long fileBytes, WindowTrail trail, long firstObject) {
        if (fileBytes < 1) {
            throw new IllegalArgumentException("fileBytes must be at least 1: " + fileBytes);
        }
        this.settings = Objects.requireNonNull(settings, "settings");
        this.fileBytes = fileBytes;
        this.trail = Objects.requireNonNull(trail, "trail");
        this.firstObject = firstObject;
    }

    /** The last consecutively accessed objects, upwards or downwards. */
    private static final class ObjectRun {
        private long first;
        private long last;

        void accessed(long object) {
            long step = object - last;
            boolean isContinued =
                    step == 0 || (Math.abs(step) == 1 && (last == first || step == Long.signum(last - first)));
            if (!isContinued) {
                first = Math.abs(step) == 1 ? last : object;
            }
            last = object;
        }

        void begin(long object) {
            first = object;
            last = object;
        }

        /** Whether the run leads from an object to the last object without a gap. */
        boolean leadsFrom(long object) {
            return first <= last ? first <= object && object < last : last < object && object <= first;
        }
    }

    /** The place of an access. */
    public enum Place {
        /** Within the window before the access: the replica node has the object. */
        INSIDE,
        /** On the trail: the replica node had the object, and may still have it. */
        ON_TRAIL,
        /** Elsewhere: the reader must read an original. */
        OUTSIDE
    }

    /** The effect of an access on the window; immutable. */
    public static final class Move {
        private final Place place;
        private final Extent window;
        private final ImmutableList<Extent> added;
        private final long addedObjects;

        private Move(Place place, Extent window, ImmutableList<Extent> added, long objectBytes) {
            this.place = place;
            this.window = window;
            this.added = added;
            long objects = 0;
            for (Extent extent : added) {
                objects += (extent.lengthBytes() + objectBytes - 1) / objectBytes;
            }
            this.addedObjects = objects;
        }

        public Place place() {
            return place;
        }

        /** The window after the access. It contains the access unless the access was on the trail. */
        public Extent window() {
            return window;
        }

        /**
         * The extents to prefetch: at most two, each of whole adjacent objects; only the file's last object may be
         * shorter.
         */
        public ImmutableList<Extent> added() {
            return added;
        }

        public long addedObjects() {
            return addedObjects;
        }
    }

    /**
     * Records a read from an offset of the file.
     *
     * @throws IllegalArgumentException if the offset is not in the file
     */
    public Move accessed(long offset) {
        if (offset < 0 || offset >= fileBytes) {
            throw new IllegalArgumentException("offset must be in [0, " + fileBytes + "): " + offset);
        }
        long object = offset / settings.objectBytes();
        Place place = placeOf(offset);
        trail.read(firstObject + object);
        if (size == 0) {
            run.begin(object);
        } else {
            run.accessed(object);
        }
        boolean isNear = Math.abs(object - pivot) <= (size - 1) / SLACK;
        boolean isKept = place == Place.ON_TRAIL || (place == Place.INSIDE && isNear);
        if (isKept) {
            return new Move(place, extent, ImmutableList.of(), settings.objectBytes());
        }
        if (place == Place.OUTSIDE) {
            sizeByMisses = size == 0 ? settings.firstObjects() : doubled(sizeByMisses);
            size = sizeByMisses;
        } else if (run.leadsFrom(pivot)) {
            size = doubled(size);
        }
        Extent before = extent;
        pivot = object;
        extent = around(object);
        ImmutableList<Extent> added = extent.minus(before);
        added.forEach(this::addToTrail);
        return new Move(place, extent, added, settings.objectBytes());
    }

    private int doubled(int objects) {
        return (int) Math.min(2L * objects, settings.mostObjects());
    }

    /** The place that an access to an offset would have. */
    public Place placeOf(long offset) {
        if (extent.contains(offset)) {
            return Place.INSIDE;
        }
        return trail.contains(firstObject + offset / settings.objectBytes()) ? Place.ON_TRAIL : Place.OUTSIDE;
    }

    private void addToTrail(Extent added) {
        for (long at = added.begin(); at < added.end(); at += settings.objectBytes()) {
            trail.add(firstObject + at / settings.objectBytes());
        }
    }

    private Extent around(long object) {
        long first = Math.max(0, object - settings.kind().objectsBefore(size));
        long afterLast = object - settings.kind().objectsBefore(size) + size;
        long objects = (fileBytes - 1) / settings.objectBytes() + 1;
        long end = afterLast >= objects ? fileBytes : afterLast * settings.objectBytes();
        return Extent.of(first * settings.objectBytes(), end);
    }

    /** The width of the window in objects, before it is cut off at the file's ends; 0 before the first access. */
    public int size() {
        return size;
    }

    /** The part of the file in the window; empty before the first access. */
    public Extent extent() {
        return extent;
    }
}

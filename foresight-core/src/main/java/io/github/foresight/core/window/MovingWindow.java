/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import com.google.common.collect.ImmutableList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The window of one client about its reads of one file (NBJLOFS, Sui et al., section 3.2 and Fig. 7).
 *
 * <p>A file is a row of objects of equal size. An access to an object within the window leaves the window as wide as it was
 * and makes the object its pivot; an access outside doubles it first, up to a limit, for it was not wide enough. What the replica
 * node has to prefetch is what is in the new window and was not in the old.
 *
 * <p>In the paper each access to another object moves the window, and so a reader that goes on has the node prefetch one object at a
 * time. Here a window stays where it is until the reader has gone {@link #SLACK a third} of its width from the pivot, so
 * that several adjacent objects make one request and one disk access.
 *
 * <p>In the paper only accesses outside widen a window, and a reader that goes on has none once its window is two objects wide. Here a
 * window that moves after a reader who has been in each object since the pivot, up or down, doubles as well. What was gained so is
 * taken back with the next access outside, which leaves the width that accesses outside alone have made; so a reader who never goes
 * from an object to the next has the paper's window.
 *
 * <p>The paper's node has a cache of which windows are a part; an object that a window has left is in it for a while. So an access
 * outside of the window to one of the last objects that the node was told of, the trail, goes to the node as well, and moves nothing.
 *
 * <p>The window is cut off at the file's ends and not shifted, so the pivot stays in the middle. Time linear in the objects added, memory in the trail. Not
 * thread-safe.
 */
public final class MovingWindow {

    /** By this part of a window's width, rounded down, accesses may be away from the pivot before it moves. */
    private static final int SLACK = 3;

    private final WindowSettings settings;
    private final long fileBytes;
    private int size;

    /** How wide accesses outside alone have made the window; at most its size. */
    private int sizeByMisses;

    private long pivot;
    private final Run run = new Run();
    private Extent extent = Extent.EMPTY;

    /** Objects that the node was told of, the oldest first. */
    private final Set<Long> trail = new LinkedHashSet<>();

    /**
     * Begins with no window: the first access is outside.
     *
     * @param fileBytes the file's length, at least 1
     */
    public MovingWindow(WindowSettings settings, long fileBytes) {
        if (fileBytes < 1) {
            throw new IllegalArgumentException("fileBytes must be at least 1: " + fileBytes);
        }
        this.settings = Objects.requireNonNull(settings, "settings");
        this.fileBytes = fileBytes;
    }

    /** The objects that were accessed last one after the other, up or down. */
    private static final class Run {
        private long first;
        private long last;

        void accessed(long object) {
            long step = object - last;
            boolean goesOn = step == 0 || (Math.abs(step) == 1 && (last == first || step == Long.signum(last - first)));
            if (!goesOn) {
                first = Math.abs(step) == 1 ? last : object;
            }
            last = object;
        }

        void begin(long object) {
            first = object;
            last = object;
        }

        /** Whether it leads from an object to the last without a gap. */
        boolean leadsFrom(long object) {
            return first <= last ? first <= object && object < last : last < object && object <= first;
        }
    }

    /** Where an access was. */
    public enum Place {
        /** Within the window as it was before: the replica node has the object. */
        INSIDE,
        /** On the trail: the replica node had the object, and may have it still. */
        ON_TRAIL,
        /** An original has to be asked. */
        OUTSIDE
    }

    /** What an access did to the window; immutable. */
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

        /** The window as it is now; the access is in it unless it was on the trail. */
        public Extent window() {
            return window;
        }

        /** What is to be prefetched: whole objects but for the file's last, adjacent ones in one extent; at most two extents. */
        public ImmutableList<Extent> added() {
            return added;
        }

        public long addedObjects() {
            return addedObjects;
        }
    }

    /**
     * A client reads from an offset of the file.
     *
     * @throws IllegalArgumentException if the offset is not in the file
     */
    public Move accessed(long offset) {
        if (offset < 0 || offset >= fileBytes) {
            throw new IllegalArgumentException("offset must be in [0, " + fileBytes + "): " + offset);
        }
        long object = offset / settings.objectBytes();
        Place place = placeOf(offset);
        if (size == 0) {
            run.begin(object);
        } else {
            run.accessed(object);
        }
        boolean near = Math.abs(object - pivot) <= (size - 1) / SLACK;
        boolean stays = place == Place.ON_TRAIL || (place == Place.INSIDE && near);
        if (stays) {
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
        added.forEach(this::tell);
        return new Move(place, extent, added, settings.objectBytes());
    }

    private int doubled(int objects) {
        return (int) Math.min(2L * objects, settings.mostObjects());
    }

    /** Where an access to an offset would be. */
    public Place placeOf(long offset) {
        if (extent.contains(offset)) {
            return Place.INSIDE;
        }
        return trail.contains(offset / settings.objectBytes()) ? Place.ON_TRAIL : Place.OUTSIDE;
    }

    private void tell(Extent added) {
        if (settings.trailObjects() == 0) {
            return;
        }
        for (long at = added.begin(); at < added.end(); at += settings.objectBytes()) {
            Long object = at / settings.objectBytes();
            trail.remove(object);
            trail.add(object);
        }
        Iterator<Long> oldest = trail.iterator();
        for (int excess = trail.size() - settings.trailObjects(); excess > 0; excess--) {
            oldest.next();
            oldest.remove();
        }
    }

    private Extent around(long object) {
        long first = Math.max(0, object - settings.kind().objectsBefore(size));
        long afterLast = object - settings.kind().objectsBefore(size) + size;
        long objects = (fileBytes - 1) / settings.objectBytes() + 1;
        long end = afterLast >= objects ? fileBytes : afterLast * settings.objectBytes();
        return Extent.of(first * settings.objectBytes(), end);
    }

    /** How many objects wide the window is, before it is cut off at the file's ends; 0 before the first access. */
    public int size() {
        return size;
    }

    /** The part of the file that the window covers; empty before the first access. */
    public Extent extent() {
        return extent;
    }
}

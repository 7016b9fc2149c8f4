/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The objects of a file that replica nodes were asked to prefetch last, and whether the reader comes back to them. The
 * windows over one file share a trail.
 *
 * <p>A window that moves brings new objects onto the trail, and a full trail loses its oldest ones. That pays only if
 * the reader comes back to new objects more often than to old ones. A reader at random comes to all alike. In a file
 * many times as long as the trail, each of its moves would cost a replica node forty objects, and gain nothing. So a
 * full trail is useful only if the newer half has {@value #TIMES} times as many reads as the older half, and one read
 * for each {@value #ADDED_FOR_A_READ} objects that come. The counts are over about the last {@value #MEMORY} reads and
 * objects. The numbers are chosen, not measured.
 *
 * <p>Bounded by its number of objects. Constant time for each, except {@link #forget}. Thread-safe.
 */
public final class WindowTrail {

    private static final int TIMES = 2;
    private static final int ADDED_FOR_A_READ = 8;
    private static final int MEMORY = 1024;

    private final int most;

    /** By the object's number in the file: when it came, by the count of objects that had come. The oldest first. */
    private final Map<Long, Long> objects = new LinkedHashMap<>();

    private boolean hasOverflowed;
    private long came;
    private int lately;
    private int readsOfNew;
    private int readsOfOld;

    /**
     * Makes an empty trail.
     *
     * @param most the most objects, at least 0; a trail of none is always useful, as the paper has none
     */
    public WindowTrail(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("most must be at least 0: " + most);
        }
        this.most = most;
    }

    /** A replica node is asked to prefetch an object. It becomes the newest; if the trail is full, the oldest leaves. */
    synchronized void add(long object) {
        if (most == 0) {
            return;
        }
        objects.remove(object);
        objects.put(object, came++);
        lately++;
        if (objects.size() > most) {
            Iterator<Long> oldest = objects.keySet().iterator();
            oldest.next();
            oldest.remove();
            hasOverflowed = true;
        }
        fade();
    }

    synchronized boolean contains(long object) {
        return objects.containsKey(object);
    }

    /** The reader reads an object. */
    synchronized void read(long object) {
        Long since = objects.get(object);
        if (since == null) {
            return;
        }
        if (came - since <= most / 2) {
            readsOfNew++;
        } else {
            readsOfOld++;
        }
        fade();
    }

    private void fade() {
        if (lately + readsOfNew + readsOfOld > MEMORY) {
            lately /= 2;
            readsOfNew /= 2;
            readsOfOld /= 2;
        }
    }

    /** The replica node does not hold objects after all. */
    public synchronized void forget(long first, long afterLast) {
        objects.keySet().removeIf(object -> object >= first && object < afterLast);
    }

    /** Whether it pays to move windows, or that is not known yet. */
    public synchronized boolean isUseful() {
        return !hasOverflowed || (readsOfNew >= TIMES * readsOfOld && readsOfNew * ADDED_FOR_A_READ >= lately);
    }
}

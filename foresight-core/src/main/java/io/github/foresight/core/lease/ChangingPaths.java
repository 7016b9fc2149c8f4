/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.HashMap;
import java.util.Map;

/**
 * The paths with changes under way, and the paths of the last begins and ends of changes.
 *
 * <p>A change takes constant time; a query takes time linear in the depth of its path, or in the {@value #RECENT_MAX}
 * remembered paths. Memory is bounded by the changes under way and by the remembered paths. Not thread-safe.
 */
final class ChangingPaths {

    /**
     * The remembered begins and ends of changes, for layouts that were read before they are granted. Chosen, not
     * measured.
     */
    private static final int RECENT_MAX = 1024;

    /** The number of changes under way, for each of their paths. */
    private final Map<String, Integer> changing = new HashMap<>();

    /** The paths of the last begins and ends of changes, each at its number modulo the length. */
    private final String[] recent = new String[RECENT_MAX];

    private long position;

    /** A change of a path begins. */
    void begin(String path) {
        changing.merge(path, 1, Integer::sum);
        note(path);
    }

    /** A change of a path ends. */
    void end(String path) {
        note(path);
        changing.computeIfPresent(path, (p, count) -> count == 1 ? null : count - 1);
    }

    private void note(String path) {
        recent[(int) (position % RECENT_MAX)] = path;
        position++;
    }

    /** The number of begins and ends of changes so far. */
    long position() {
        return position;
    }

    /** Whether a change of a path may have begun or ended since a position. */
    boolean hasChangedSince(long earlier, String path) {
        if (position - earlier > RECENT_MAX) {
            return true;
        }
        for (long i = earlier; i < position; i++) {
            if (Subtree.covers(recent[(int) (i % RECENT_MAX)], path)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a change of a path, or of a directory above it, is under way. */
    boolean isChanging(String path) {
        if (changing.isEmpty()) {
            return false;
        }
        String at = path;
        while (!changing.containsKey(at)) {
            if (at.equals(Subtree.ROOT)) {
                return false;
            }
            at = Subtree.parent(at);
        }
        return true;
    }

    /** The number of paths with changes under way. */
    int count() {
        return changing.size();
    }
}

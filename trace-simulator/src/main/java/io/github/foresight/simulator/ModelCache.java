/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of so many entries that gives up what was used, or predicted, longest ago; it knows which entries came by prediction
 * and were not used yet. Not thread-safe.
 */
final class ModelCache {

    /** An entry that was predicted, or {@link #DEMANDED}. */
    static final class Entry {
        static final Entry DEMANDED = new Entry(-1);

        final int confidenceClass;

        Entry(int confidenceClass) {
            this.confidenceClass = confidenceClass;
        }

        boolean isPredicted() {
            return confidenceClass >= 0;
        }
    }

    private final int capacity;
    private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    ModelCache(int capacity) {
        this.capacity = capacity;
    }

    /** The entry, with its age begun anew, or null. */
    @Nullable
    Entry touch(int file) {
        return entries.get(file);
    }

    /** Adds an entry, or replaces it, and gives back the one that had to go, or null. */
    @Nullable
    Entry put(int file, Entry entry) {
        entries.put(file, entry);
        if (entries.size() <= capacity) {
            return null;
        }
        Iterator<Entry> oldest = entries.values().iterator();
        Entry evicted = oldest.next();
        oldest.remove();
        return evicted;
    }
}

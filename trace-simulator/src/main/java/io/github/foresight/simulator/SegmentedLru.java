/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A segmented LRU: an entry that is asked for again is protected, as far as the room for those goes; the others go in the order in which
 * they came or were first asked for. Without room for protected entries, a plain LRU.
 */
final class SegmentedLru implements ModelCache {

    private final int capacity;
    private final int protectedCapacity;
    private final boolean renewing;
    private final Consumer<Entry> evicted;
    private final Map<Integer, Entry> onProbation = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, Entry> protectedEntries = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Makes an empty one.
     *
     * @param protectedCapacity entries of the capacity that are for those asked for again
     * @param renewing whether the age of an entry that is predicted begins anew
     * @param evicted receives each evicted entry
     */
    SegmentedLru(int capacity, int protectedCapacity, boolean renewing, Consumer<Entry> evicted) {
        this.capacity = capacity;
        this.protectedCapacity = protectedCapacity;
        this.renewing = renewing;
        this.evicted = evicted;
    }

    @Override
    public boolean expect(int file) {
        return renewing
                ? onProbation.get(file) != null || protectedEntries.get(file) != null
                : onProbation.containsKey(file) || protectedEntries.containsKey(file);
    }

    @Override
    public @Nullable Entry touch(int file) {
        Entry entry = protectedEntries.get(file);
        if (entry != null) {
            return entry;
        }
        entry = onProbation.get(file);
        if (entry != null && !entry.isPredicted() && protectedCapacity > 0) {
            onProbation.remove(file);
            protect(file, entry);
        }
        return entry;
    }

    private void protect(int file, Entry entry) {
        protectedEntries.put(file, entry);
        if (protectedEntries.size() > protectedCapacity) {
            Map.Entry<Integer, Entry> oldest =
                    protectedEntries.entrySet().iterator().next();
            protectedEntries.remove(oldest.getKey());
            onProbation.put(oldest.getKey(), oldest.getValue());
        }
    }

    @Override
    public void put(int file, Entry entry) {
        onProbation.put(file, entry);
        if (onProbation.size() + protectedEntries.size() > capacity) {
            Iterator<Entry> oldest = onProbation.values().iterator();
            Entry gone = oldest.next();
            oldest.remove();
            evicted.accept(gone);
        }
    }
}

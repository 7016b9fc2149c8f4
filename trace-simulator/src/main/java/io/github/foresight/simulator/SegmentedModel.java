/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.metadata.SegmentedLru;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cache that Foresight's clients keep layouts in, with entries of one size and no age. */
final class SegmentedModel implements ModelCache {

    private final SegmentedLru<Integer, Entry> entries;
    private final boolean renewing;

    /**
     * Makes an empty one.
     *
     * @param protectedCapacity entries of the capacity that are for those asked for again; with 0 this is a plain LRU
     * @param renewing whether an entry that is predicted again counts as new
     * @param evicted receives each evicted entry
     */
    SegmentedModel(int capacity, int protectedCapacity, boolean renewing, Consumer<Entry> evicted) {
        this.entries =
                new SegmentedLru<>(capacity, protectedCapacity, Long.MAX_VALUE, (file, entry) -> evicted.accept(entry));
        this.renewing = renewing;
    }

    @Override
    public boolean expect(int file) {
        if (renewing) {
            entries.renew(file);
        }
        return entries.peek(file, 0) != null;
    }

    @Override
    public @Nullable Entry touch(int file) {
        return entries.use(file, 0);
    }

    @Override
    public void put(int file, Entry entry) {
        entries.put(file, entry, 1, !entry.isPredicted(), 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.Allowance;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cache of so many entries, which knows those that came by prediction and were not used yet, and tells of entries that had to go. Not
 * thread-safe.
 */
interface ModelCache {

    /** How a cache chooses what goes. */
    enum Policy {
        /** The one that was asked for or came longest ago goes; what is predicted again stays where it was. */
        LRU,
        /** The same, but what is predicted again stays as if it had come now. */
        RENEWED,
        /** The same, and a fifth is kept for entries that were asked for again. */
        SEGMENTED,
        /** What Foresight's clients keep layouts in: W-TinyLFU. Its results vary a little from run to run. */
        CAFFEINE;

        ModelCache of(int capacity, Consumer<Entry> evicted) {
            switch (this) {
                case LRU:
                    return new SegmentedLru(capacity, 0, false, evicted);
                case RENEWED:
                    return new SegmentedLru(capacity, 0, true, evicted);
                case SEGMENTED:
                    return new SegmentedLru(capacity, capacity / 5, true, evicted);
                default:
                    return new CaffeineModel(capacity, evicted);
            }
        }
    }

    /** An entry that was predicted, or {@link #DEMANDED}. */
    final class Entry {
        static final Entry DEMANDED = new Entry(-1, new Allowance(0));

        final int confidenceClass;
        final Allowance allowance;

        /**
         * Makes one that was predicted.
         *
         * @param allowance of the client that was told
         */
        Entry(int confidenceClass, Allowance allowance) {
            this.confidenceClass = confidenceClass;
            this.allowance = allowance;
        }

        boolean isPredicted() {
            return confidenceClass >= 0;
        }
    }

    /** Whether a file that is predicted is here already. */
    boolean expect(int file);

    /** The entry of a file that is asked for, or null. */
    @Nullable
    Entry touch(int file);

    /** Adds an entry of a file, or replaces it. */
    void put(int file, Entry entry);
}

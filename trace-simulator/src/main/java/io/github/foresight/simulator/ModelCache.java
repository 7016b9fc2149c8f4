/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.Allowance;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cache with a limited number of entries. It knows the predicted entries that were not used yet, and reports evicted entries. Not
 * thread-safe.
 */
interface ModelCache {

    /** How a cache chooses what goes. */
    enum Policy {
        /** Evicts the entry whose last demand or arrival is oldest. A repeated prediction does not move an entry. */
        LRU,
        /** The same, but a repeated prediction counts as an arrival. */
        RENEWED,
        /** The same, and a fifth is kept for entries that were asked for again: what Foresight's clients keep layouts in. */
        SEGMENTED,
        /** W-TinyLFU, for comparison. Its results vary a little from run to run. */
        CAFFEINE;

        ModelCache of(int capacity, Consumer<Entry> evicted) {
            switch (this) {
                case LRU:
                    return new SegmentedModel(capacity, 0, false, evicted);
                case RENEWED:
                    return new SegmentedModel(capacity, 0, true, evicted);
                case SEGMENTED:
                    return new SegmentedModel(capacity, capacity / 5, true, evicted);
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
         * Makes a predicted entry.
         *
         * @param allowance of the client that received the prediction
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

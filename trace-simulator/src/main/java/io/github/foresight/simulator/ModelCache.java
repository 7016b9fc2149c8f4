/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.Allowance;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cache with a limited number of entries. It knows which entries are predicted and unused, and reports each evicted entry. Not
 * thread-safe.
 */
interface ModelCache {

    /** The rule that chooses the evicted entry. */
    enum Policy {
        /** Evicts the least recently opened or added entry; a repeated prediction does not renew an entry. */
        LRU,
        /** Like {@link #LRU}, but a repeated prediction renews an entry. */
        RENEWED,
        /** Like {@link #RENEWED}, but a fifth of the entries is reserved for files that were opened again. */
        SEGMENTED,
        /** The policy of Foresight's client: W-TinyLFU. Its results vary a little from run to run. */
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

    /** A predicted entry, or {@link #DEMANDED}. */
    final class Entry {
        static final Entry DEMANDED = new Entry(-1, new Allowance(0));

        final int confidenceClass;
        final Allowance allowance;

        /**
         * A predicted entry.
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

    /** Whether a predicted file is in the cache. */
    boolean expect(int file);

    /** The entry of an opened file, or null. */
    @Nullable
    Entry touch(int file);

    /** Adds an entry of a file, or replaces it. */
    void put(int file, Entry entry);
}

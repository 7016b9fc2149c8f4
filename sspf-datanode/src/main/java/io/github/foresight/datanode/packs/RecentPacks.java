/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import io.github.foresight.core.pack.Pack;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The packs of the folders that were read from last, found without the bookkeeping of the cache that holds them: one for each of
 * {@value #SLOTS} places, where a folder's place is taken by the last that falls on it. To be {@linkplain #forget forgotten} whenever a
 * pack of the cache is replaced or leaves it, and from time to time, so that the cache sees which are in use. Thread-safe, never
 * waits.
 */
final class RecentPacks {

    private static final int SLOTS = 256;

    private static final class Recent {
        final BlockFolder folder;
        final Pack pack;

        Recent(BlockFolder folder, Pack pack) {
            this.folder = folder;
            this.pack = pack;
        }
    }

    private final AtomicReferenceArray<@Nullable Recent> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicInteger forgotten = new AtomicInteger();

    @Nullable
    Pack find(BlockFolder folder) {
        Recent recent = slots.get(slot(folder));
        return recent != null && recent.folder.equals(folder) ? recent.pack : null;
    }

    /** Where forgetting stands; to be asked before the cache is. */
    int position() {
        return forgotten.get();
    }

    /**
     * Remembers the cache's result, unless all has been forgotten meanwhile.
     *
     * @param askedAt the position before it was asked
     */
    void keep(BlockFolder folder, Pack pack, int askedAt) {
        if (position() == askedAt) {
            slots.set(slot(folder), new Recent(folder, pack));
            if (position() != askedAt) {
                slots.set(slot(folder), null);
            }
        }
    }

    void forget() {
        forgotten.incrementAndGet();
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.set(slot, null);
        }
    }

    private static int slot(BlockFolder folder) {
        return folder.hashCode() & SLOTS - 1;
    }
}

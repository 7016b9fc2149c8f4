/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** W-TinyLFU, with entries of one size and no age. */
final class CaffeineModel implements ModelCache {

    private final Cache<Integer, Entry> entries;

    /**
     * Makes an empty one.
     *
     * @param evicted receives each evicted entry
     */
    CaffeineModel(int capacity, Consumer<Entry> evicted) {
        this.entries = Caffeine.newBuilder()
                .maximumSize(capacity)
                .initialCapacity(capacity)
                .executor(Runnable::run)
                .evictionListener((@Nullable Integer file, @Nullable Entry entry, RemovalCause cause) -> {
                    if (entry != null) {
                        evicted.accept(entry);
                    }
                })
                .build();
    }

    /** Without counting as a use. */
    @Override
    public boolean expect(int file) {
        return entries.asMap().containsKey(file);
    }

    @Override
    public @Nullable Entry touch(int file) {
        return entries.getIfPresent(file);
    }

    @Override
    public void put(int file, Entry entry) {
        entries.put(file, entry);
        entries.cleanUp();
    }
}

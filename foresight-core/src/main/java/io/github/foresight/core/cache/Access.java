/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of an access: the queue that held the block, and the evicted blocks. Immutable. */
public final class Access<K> {

    private final MultiQueueCache.@Nullable Queue foundIn;
    private final ImmutableList<Eviction<K>> victims;

    private Access(MultiQueueCache.@Nullable Queue foundIn, ImmutableList<Eviction<K>> victims) {
        this.foundIn = foundIn;
        this.victims = victims;
    }

    static <K> Access<K> miss() {
        return new Access<>(null, ImmutableList.of());
    }

    static <K> Access<K> hit(MultiQueueCache.Queue foundIn, List<Eviction<K>> victims) {
        return new Access<>(foundIn, ImmutableList.copyOf(victims));
    }

    /** The block's queue before the access; empty if the cache does not hold the block. */
    public Optional<MultiQueueCache.Queue> foundIn() {
        return Optional.ofNullable(foundIn);
    }

    /** The evicted blocks, in the order of eviction; the accessed block may be one of them. */
    public ImmutableList<Eviction<K>> victims() {
        return victims;
    }

    @Override
    public String toString() {
        return (foundIn == null ? "miss" : "found in " + foundIn) + ", victims " + victims;
    }
}

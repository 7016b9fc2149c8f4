/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import io.github.foresight.core.hint.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The streams that are open, by their blocks. Each read of a block is added and removed here, and almost no read is ever looked for: so
 * they stand in {@value #SETS} sets by themselves, and who looks for a block's streams goes through one set. Thread-safe.
 */
public final class OpenStreams {

    private static final int SETS = 64;

    private final List<Set<ObservedBlockInputStream>> sets = new ArrayList<>(SETS);

    public OpenStreams() {
        for (int i = 0; i < SETS; i++) {
            sets.add(ConcurrentHashMap.newKeySet());
        }
    }

    private Set<ObservedBlockInputStream> setOf(BlockKey key) {
        return sets.get(key.hashCode() & SETS - 1);
    }

    public void opened(ObservedBlockInputStream stream) {
        setOf(stream.key()).add(stream);
    }

    public void closed(ObservedBlockInputStream stream) {
        setOf(stream.key()).remove(stream);
    }

    /** Does something for each of a block's open streams. */
    public void forEach(BlockKey key, Consumer<ObservedBlockInputStream> action) {
        for (ObservedBlockInputStream stream : setOf(key)) {
            if (stream.key().equals(key)) {
                action.accept(stream);
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Publishes the levels of a read-ahead's parts. A level is read with the lock of the read-ahead held. */
final class ReadAheadGauges {

    private final ReadAheadMetrics metrics;
    private final Object lock;

    /**
     * Begins without gauges.
     *
     * @param lock guards the parts
     */
    ReadAheadGauges(ReadAheadMetrics metrics, Object lock) {
        this.metrics = metrics;
        this.lock = lock;
    }

    void register(ReadAhead readAhead) {
        locked("Sessions", "Hint sessions", readAhead::sessionCount);
        locked(
                "SessionsYielded",
                "Hint sessions that ended early to make room for new sessions",
                readAhead::yieldedSessions);
        locked("WarmBlocks", "Warmed blocks that have not been read yet", readAhead::warmBlockCount);
        locked("SessionBlocks", "Hinted blocks of all hint sessions", readAhead::sessionBlockCount);
    }

    void register(MultiQueueCache<BlockKey> cache) {
        for (MultiQueueCache.Queue queue : MultiQueueCache.Queue.values()) {
            String name = queue.name().charAt(0) + queue.name().substring(1).toLowerCase(Locale.ROOT);
            locked(name + "Bytes", "Bytes in the " + name + " queue", () -> cache.bytes(queue));
            locked(name + "Hits", "Accesses that found their block in the " + name + " queue", () -> cache.hits(queue));
        }
    }

    private void locked(String name, String description, LongSupplier level) {
        metrics.gauge(name, description, () -> {
            synchronized (lock) {
                return level.getAsLong();
            }
        });
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.Decision;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.hint.StreamEvents;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.replica.Footprint;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.stream.ObservedBlockInputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks a {@link ReadAhead} under one lock, and hands its decisions in their order to a {@link BlockPrefetcher}.
 *
 * <p>The lock is held for the decision only, never over I/O nor over one of HDFS's locks. Thread-safe.
 */
final class PrefetchDecisions {

    private final BlockPrefetcher prefetcher;
    private final ReadAheadMetrics metrics;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ReadAhead readAhead;

    @GuardedBy("lock")
    private final MultiQueueCache<BlockKey> cache;

    /** What of a block's streams is of interest; asked without the lock. */
    private final Function<BlockKey, StreamEvents> neededEvents;

    private volatile boolean tracksAny;

    @GuardedBy("lock")
    private boolean closed;

    /** Begins without sessions and publishes the levels of its parts. */
    PrefetchDecisions(DataNodeSettings settings, BlockPrefetcher prefetcher, ReadAheadMetrics metrics) {
        this.prefetcher = prefetcher;
        this.metrics = metrics;
        MultiQueueCache<BlockKey> queues = new MultiQueueCache<>(settings.cache());
        this.cache = queues;
        ReadAhead decides = new ReadAhead(settings.readAhead(), queues, Footprint::of);
        this.readAhead = decides;
        this.neededEvents = decides::neededEvents;
        ReadAheadGauges gauges = new ReadAheadGauges(metrics, lock);
        gauges.register(decides);
        gauges.register(queues);
    }

    /** Whether any block is hinted or in memory; if not, no stream is of interest. */
    boolean tracksAny() {
        return tracksAny;
    }

    StreamEvents neededEvents(BlockKey key) {
        return neededEvents.apply(key);
    }

    /** Takes a hint; returns how many of its blocks found room. */
    int hint(SessionId id, Reader reader, List<HintedBlock> blocks, boolean sequential) {
        synchronized (lock) {
            holdBackIfBehind();
            return accept(readAhead.hint(id, reader, blocks, sequential, System.nanoTime()));
        }
    }

    /** Takes blocks that will be read soon, in whatever order; returns how many found room. */
    int warm(Reader reader, List<HintedBlock> blocks) {
        synchronized (lock) {
            holdBackIfBehind();
            return accept(readAhead.warm(reader, blocks, System.nanoTime()));
        }
    }

    @GuardedBy("lock")
    private void holdBackIfBehind() {
        boolean behind = prefetcher.isBehind();
        if (behind) {
            metrics.heldBack.incr();
        }
        readAhead.holdBack(behind);
    }

    @GuardedBy("lock")
    private int accept(ReadAhead.HintResult result) {
        tracksAny = true;
        metrics.hintedBlocks.incr(result.accepted());
        dispatch(result.decisions());
        return result.accepted();
    }

    Optional<ReadAhead.Progress> progress(SessionId id) {
        synchronized (lock) {
            return readAhead.progress(id);
        }
    }

    void release(SessionId id) {
        synchronized (lock) {
            dispatch(readAhead.release(id, System.nanoTime()));
        }
    }

    /** Follows all events of a stream from now on, if its block is of interest; returns whether it is. */
    boolean follow(ObservedBlockInputStream stream) {
        synchronized (lock) {
            if (readAhead.neededEvents(stream.key()) == StreamEvents.NONE) {
                return false;
            }
            stream.follow(StreamEvents.ALL);
            opened(stream);
            return true;
        }
    }

    @GuardedBy("lock")
    private void opened(ObservedBlockInputStream stream) {
        dispatch(readAhead.streamOpened(
                stream.key(), stream.generationStamp(), stream.id(), stream.reader(), System.nanoTime()));
    }

    void bytesSent(ObservedBlockInputStream stream, long position, long bytes) {
        synchronized (lock) {
            dispatch(readAhead.bytesSent(stream.key(), stream.reader(), position, bytes, System.nanoTime()));
        }
    }

    /** A followed stream ended at a position of its block. */
    void streamClosed(ObservedBlockInputStream stream, long position) {
        synchronized (lock) {
            closed(stream, position);
        }
    }

    /** A stream of which only the end was to be followed ended at a position of its block. */
    void streamOpenedAndClosed(ObservedBlockInputStream stream, long position) {
        synchronized (lock) {
            opened(stream);
            closed(stream, position);
        }
    }

    @GuardedBy("lock")
    private void closed(ObservedBlockInputStream stream, long position) {
        dispatch(readAhead.streamClosed(stream.key(), stream.id(), stream.reader(), position, System.nanoTime()));
    }

    /** All that was wanted of a block is in memory. */
    void loaded(BlockKey key) {
        synchronized (lock) {
            dispatch(readAhead.prefetched(key, System.nanoTime()));
        }
    }

    /** A block's prefetch failed. */
    void failed(BlockKey key) {
        synchronized (lock) {
            dispatch(readAhead.invalidated(key, System.nanoTime()));
        }
    }

    /** HDFS changed a block's replica; nothing happens if the block is not of interest. */
    void changed(BlockKey key) {
        if (tracksAny && neededEvents(key) != StreamEvents.NONE) {
            synchronized (lock) {
                metrics.invalidatedBlocks.incr();
                dispatch(readAhead.invalidated(key, System.nanoTime()));
            }
        }
    }

    /** Ages the cache and ends idle sessions. */
    void tick() {
        synchronized (lock) {
            readAhead.holdBack(prefetcher.isBehind());
            dispatch(readAhead.tick(System.nanoTime()));
            tracksAny = readAhead.sessionCount() > 0 || cache.usedBytes() > 0;
        }
    }

    /** Ends all sessions and has their memory given back; returns false if that was done before. */
    boolean close() {
        synchronized (lock) {
            if (closed) {
                return false;
            }
            dispatch(readAhead.clear());
            closed = true;
            return true;
        }
    }

    /** Hands decisions on. The next decision begins no block if the prefetcher is behind then. */
    @GuardedBy("lock")
    private void dispatch(List<Decision> decisions) {
        if (!decisions.isEmpty() && !closed) {
            prefetcher.carryOut(decisions);
            readAhead.holdBack(prefetcher.isBehind());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import io.github.foresight.core.grant.CacheRecord;
import io.github.foresight.core.grant.GrantTable;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.path.NamespacePath;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tells clients' caches what has changed of the entries that they were granted: a {@link GrantTable} behind HDFS's paths and our
 * messages. Listens to {@link NamespaceChanges}. Thread-safe.
 */
public final class Invalidations implements NamespaceChanges.Listener {

    private static final long LONGEST_KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A client's clock may begin an entry's age later than ours. */
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a name takes in a note besides its characters. */
    public static final int FRAME_BYTES = 4;

    /** What goes to one client's cache with one reply. One thread. */
    public static final class CacheQueue {
        private final CacheRecord record;

        private CacheQueue(CacheRecord record) {
            this.record = record;
        }

        /** About how many bytes of a reply the changes would take now; very many if the cache is to forget everything. */
        public long pendingBytes() {
            return record.pendingBytes(FRAME_BYTES);
        }

        /** Once for a reply, after all that is granted with it: what is taken here and not sent is lost. */
        public void moveTo(NameNodeNoteProto.Builder note) {
            CacheRecord.Changes changes = record.take();
            note.setGrantRecord(record.number());
            if (changes.isEverything()) {
                note.setAllInvalidated(true);
            } else {
                note.addAllInvalidated(changes.names());
            }
        }
    }

    private final GrantTable table;
    private final LongSupplier clock;
    private final AtomicLong missed = new AtomicLong();

    /** How many missed changes there were when everything was forgotten last. */
    private volatile long missedBefore;

    /**
     * Makes one that knows of no grant.
     *
     * @param clock the time in nanoseconds
     * @param firstNumber any number that no other NameNode has, nor this one before
     */
    public Invalidations(
            int maxChanges, long capacityBytes, long firstNumber, LongSupplier clock, NameNodeMetrics metrics) {
        this.clock = clock;
        this.table = new GrantTable(capacityBytes, maxChanges, firstNumber, new GrantTable.Events() {
            @Override
            public void invalidated() {
                metrics.invalidated.incr();
            }

            @Override
            public void overflowed() {
                metrics.invalidationsOverflowed.incr();
            }

            @Override
            public void crowded(long grants) {
                metrics.grantsForgotten.incr(grants);
            }

            @Override
            public void forgotten() {
                metrics.allForgotten.incr();
            }
        });
    }

    /** What a user's cache is told with a reply. */
    public CacheQueue queue(long cacheId, String user) {
        long missedNow = missed.get();
        if (missedNow != missedBefore) {
            // In this order: nobody is told of nothing meanwhile.
            table.everythingChanged();
            missedBefore = missedNow;
        }
        return new CacheQueue(table.record(cacheId, Caller.bounded(user), clock.getAsLong()));
    }

    /** How many changes there have been; to be asked before what is given is read. */
    public long position() {
        return table.position();
    }

    /**
     * A cache is given an entry.
     *
     * @param path as the client knows it
     * @param readAt the position before the entry was read; what has changed since can't be followed
     * @return false if the entry can't be followed, so that the client must not keep it
     */
    public boolean given(CacheQueue queue, String path, long keptNanos, long readAt, long nowNanos) {
        long until = nowNanos + Math.min(keptNanos, LONGEST_KEPT_NANOS) + SLACK_NANOS;
        String followed = NamespacePath.of(path);
        return followed != null && table.granted(queue.record, followed, path, until, readAt, nowNanos);
    }

    @Override
    public void changed(String path) {
        table.changed(path);
    }

    @Override
    public void everythingChanged() {
        table.everythingChanged();
    }

    /** A change was not told here, as the feature was off. */
    void missedChange() {
        missed.incrementAndGet();
    }

    /** Forgets caches that hold nothing any more. */
    void expire(long nowNanos) {
        table.expire(nowNanos);
    }

    /** How many entries are kept track of. */
    public long grantCount() {
        return table.grants();
    }

    /** How many bytes that takes. */
    public long bytes() {
        return table.bytes();
    }
}

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
 * Invalidates entries of clients' caches that were granted and have changed: a {@link GrantTable} behind HDFS's paths and
 * Foresight's messages. Listens to {@link NamespaceChanges}. Thread-safe.
 */
public final class Invalidations implements NamespaceChanges.Listener {

    private static final long LONGEST_KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A client's clock may begin an entry's age later than ours. */
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Bytes of a path in a note in addition to its characters. */
    public static final int FRAME_BYTES = 4;

    /** The changes that one reply brings to the cache of one client. Confined to one thread. */
    public static final class CacheQueue {
        private final CacheRecord record;

        private CacheQueue(CacheRecord record) {
            this.record = record;
        }

        /** About how many bytes of a reply the changes would take now; very many if the cache is to forget everything. */
        public long pendingBytes() {
            return record.pendingBytes(FRAME_BYTES);
        }

        /**
         * Moves the changes into a reply. Called once for a reply, after all grants of the reply. Changes that are moved but not
         * sent are lost.
         */
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
     * Makes an empty table of grants.
     *
     * @param clock the time in nanoseconds
     * @param firstNumber a number that differs from the number of each other NameNode and of each earlier start
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
                metrics.grantsUntracked.incr(grants);
            }

            @Override
            public void forgotten() {
                metrics.allInvalidated.incr();
            }
        });
    }

    /** The queue of changes for a user's cache. */
    public CacheQueue queue(long cacheId, String user) {
        long missedNow = missed.get();
        if (missedNow != missedBefore) {
            // In this order: otherwise another reply could leave without the missed change.
            table.everythingChanged();
            missedBefore = missedNow;
        }
        return new CacheQueue(table.record(cacheId, Caller.bounded(user), clock.getAsLong()));
    }

    /** The number of changes so far. Called before an entry is read that will be granted. */
    public long position() {
        return table.position();
    }

    /**
     * Grants an entry to a cache.
     *
     * @param path as the client knows it
     * @param readAt the position before the entry was read; what has changed since can't be followed
     * @return false if the entry can't be followed, so that the client must not keep it
     */
    public boolean grant(CacheQueue queue, String path, long keptNanos, long readAt, long nowNanos) {
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

    /** A change was missed because the feature was off. */
    void missedChange() {
        missed.incrementAndGet();
    }

    /** Forgets caches without valid entries. */
    void expire(long nowNanos) {
        table.expire(nowNanos);
    }

    /** The number of tracked entries. */
    public long grantCount() {
        return table.grants();
    }

    /** The heap of the grant table, in bytes. */
    public long bytes() {
        return table.bytes();
    }
}

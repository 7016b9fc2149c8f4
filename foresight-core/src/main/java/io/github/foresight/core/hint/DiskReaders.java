/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How many files a process reads from each disk, and where so many that parts of blocks are of no use.
 *
 * <p>{@link BlockParts} let disks work that would be idle. Where several readers wait for each disk, none is idle. Parts make more seeks then,
 * and the kernel reads ahead beyond the end of each part that was not prefetched in time.
 *
 * <p>A file whose blocks are on several disks counts at each by its share. A file counts until its reading ends, or was not used for a minute,
 * or for a second at first.
 * At most {@value #READINGS_MAX} files count. Thread-safe.
 */
public final class DiskReaders {

    /** With so many files, a disk is busy. Chosen between 1.3, where parts gain, and 10.7, where they lose; both are measured. */
    static final int CROWD = 2;

    static final int READINGS_MAX = 4096;

    /** The default of {@code foresight.datanode.sessions.idle.time}: a DataNode forgets the hints then. */
    static final long IDLE_NANOS = 60_000_000_000L;

    /** A file counts so long before its first use: some readers are never heard of, and many may begin at the same moment. */
    static final long FIRST_USE_NANOS = 1_000_000_000L;

    private static final long CLEAN_UP_NANOS = 1_000_000_000L;

    /** The load of a file in small units, so that equal shares of it are whole numbers. */
    private static final long FILE = 1L << 32;

    /** The time at which each file ceases to count, nanoseconds. */
    @GuardedBy("this")
    private final Map<Reading, Long> readings = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Long> load = new HashMap<>();

    @GuardedBy("this")
    private boolean hasCleanedUp;

    @GuardedBy("this")
    private long cleanedUpAtNanos;

    /** A file that is read. */
    public final class Reading {
        private final ImmutableSet<String> disks;

        private Reading(ImmutableSet<String> disks) {
            this.disks = disks;
        }

        /** The file's stream is open, or has turned to another part. So the file counts again, if it did not. */
        public void used(long nowNanos) {
            countUntil(nowNanos + IDLE_NANOS, this);
        }

        /** The file is read no longer. A second call has no effect. A use afterwards would begin the reading anew. */
        public void end() {
            DiskReaders.this.end(this);
        }
    }

    /**
     * A file is opened; it counts at once.
     *
     * @param disks the disks of its blocks, by name
     */
    public Reading begin(Collection<String> disks, long nowNanos) {
        Reading begun = new Reading(ImmutableSet.copyOf(disks));
        countUntil(nowNanos + FIRST_USE_NANOS, begun);
        return begun;
    }

    private synchronized void countUntil(long endNanos, Reading reading) {
        boolean mayCount = readings.containsKey(reading) || readings.size() < READINGS_MAX;
        if (mayCount && readings.put(reading, endNanos) == null) {
            add(reading, 1);
        }
    }

    private synchronized void end(Reading ended) {
        if (readings.remove(ended) != null) {
            add(ended, -1);
        }
    }

    @GuardedBy("this")
    private void add(Reading reading, int sign) {
        int disks = reading.disks.size();
        for (String disk : reading.disks) {
            long share = (FILE + disks - 1) / disks;
            load.merge(disk, sign * share, Long::sum);
            load.remove(disk, 0L);
        }
    }

    /** Whether each of these disks, at least one, serves many files already. */
    public synchronized boolean areBusy(Collection<String> disks, long nowNanos) {
        if (!areLoaded(disks)) {
            return false;
        }
        if (!hasCleanedUp || nowNanos - cleanedUpAtNanos >= CLEAN_UP_NANOS) {
            hasCleanedUp = true;
            cleanedUpAtNanos = nowNanos;
            for (Iterator<Map.Entry<Reading, Long>> i = readings.entrySet().iterator(); i.hasNext(); ) {
                Map.Entry<Reading, Long> reading = i.next();
                if (nowNanos - reading.getValue() >= 0) {
                    add(reading.getKey(), -1);
                    i.remove();
                }
            }
        }
        return areLoaded(disks);
    }

    @GuardedBy("this")
    private boolean areLoaded(Collection<String> disks) {
        for (String disk : disks) {
            if (load.getOrDefault(disk, 0L) < CROWD * FILE) {
                return false;
            }
        }
        return !disks.isEmpty();
    }
}

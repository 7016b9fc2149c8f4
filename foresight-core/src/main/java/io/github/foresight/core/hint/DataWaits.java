/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Judges whether a process waits for disks when it reads small files. Only then is it worth hinting the data of files that
 * will be opened next: where the data is in memory, hints cost the client and the DataNodes processor time for nothing.
 *
 * <pre>
 *   quick ── most of the last files were slow ──▶ waiting
 *     ▲                                            │
 *     └── DataNodes found the hinted data in memory ┘
 * </pre>
 *
 * <p>A file can be slow because the processors are busy, too. The DataNodes' counts tell the difference, but they are of
 * all clients. So files that are slow again are believed at once, and the DataNodes only after a pause. Each pause is twice
 * as long as the one before, up to {@link #PAUSE_MAX_NANOS}; a DataNode that had to read from its disk makes the next one
 * short again. A process of which no file's time is known counts as waiting.
 *
 * <p>Constant time and memory, except for two numbers a DataNode. Thread-safe. The numbers are chosen, not measured.
 */
public final class DataWaits {

    /** The last files that are remembered. */
    private static final int FILES = 8;

    /** The slow ones among them that make a process wait. */
    private static final int SLOW_FILES = 5;

    /** The hinted bytes after which the DataNodes' counts are judged. */
    private static final long JUDGED_BYTES = 1 << 20;

    /** The share of hinted bytes from disks below which hints are not worth it. */
    private static final double FROM_DISK_MIN = 0.1;

    static final long PAUSE_NANOS = 30_000_000_000L;
    static final long PAUSE_MAX_NANOS = 16 * PAUSE_NANOS;

    private static final int DATA_NODES_MAX = 4096;
    private static final int ALL_FILES = (1 << FILES) - 1;

    private static final class Counts {
        final long resident;
        final long read;

        Counts(long resident, long read) {
            this.resident = resident;
            this.read = read;
        }
    }

    /** A bit for each of the last files, set if the file was slow. */
    @GuardedBy("this")
    private int slow;

    private volatile boolean isKnown;
    private volatile boolean isWaiting;

    @GuardedBy("this")
    private long pauseNanos = PAUSE_NANOS;

    /** Whether the DataNodes' counts are believed only later. */
    @GuardedBy("this")
    private boolean isPausing;

    @GuardedBy("this")
    private long pausedUntilNanos;

    @GuardedBy("this")
    private final Map<String, Counts> last = new HashMap<>();

    @GuardedBy("this")
    private long resident;

    @GuardedBy("this")
    private long read;

    /** Whether it is worth hinting the data of files that will be opened next. */
    public boolean isWaiting() {
        return isWaiting || !isKnown;
    }

    /**
     * A small file was read.
     *
     * @param isSlow whether the read took longer than it takes from memory
     */
    public synchronized void read(boolean isSlow, long nowNanos) {
        isKnown = true;
        slow = (slow << 1 | (isSlow ? 1 : 0)) & ALL_FILES;
        isPausing &= nowNanos - pausedUntilNanos < 0;
        if (!isWaiting && Integer.bitCount(slow) >= SLOW_FILES) {
            isWaiting = true;
            resident = 0;
            read = 0;
        }
    }

    /**
     * A DataNode has taken a hint.
     *
     * @param dataNode the DataNode's UUID
     * @param residentBytes the hinted bytes that it has found in memory so far
     * @param readBytes the hinted bytes that it has read from its disk so far
     */
    public synchronized void answered(String dataNode, long residentBytes, long readBytes, long nowNanos) {
        if (last.size() >= DATA_NODES_MAX && !last.containsKey(dataNode)) {
            last.clear();
        }
        Counts before = last.put(dataNode, new Counts(residentBytes, readBytes));
        if (before == null || !isWaiting || residentBytes < before.resident || readBytes < before.read) {
            return;
        }
        resident += residentBytes - before.resident;
        read += readBytes - before.read;
        if (resident + read < JUDGED_BYTES) {
            return;
        }
        if (read >= FROM_DISK_MIN * (resident + read)) {
            pauseNanos = PAUSE_NANOS;
        } else if (!isPausing) {
            isWaiting = false;
            slow = 0;
            isPausing = true;
            pausedUntilNanos = nowNanos + pauseNanos;
            pauseNanos = Math.min(PAUSE_MAX_NANOS, 2 * pauseNanos);
        }
        resident = 0;
        read = 0;
    }
}

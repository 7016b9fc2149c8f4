/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.math.LongMath;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.PositionedSequence;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The reads by position of one open stream. While they go on from front to back, the blocks ahead are hinted. {@link PositionedSequence}
 * decides whether they do.
 *
 * <p>A reader of small pieces is often slower than a disk, and needs no other disks. So reads below a length are left alone. The hints for
 * longer ones reach as far as the reader will come in {@value #AHEAD_SECONDS} s at its present rate, and to the next block at least, which is
 * as far as SSPF prefetches. A reader that waits for a disk gets faster thereby, and then the hints reach further.
 *
 * <p>Thread-safe; never waits, and never fails.
 */
public final class PositionedReads {

    /** A disk of 25 MiB/s reads a block of 128 MiB in that time; chosen, not measured. */
    static final int AHEAD_SECONDS = 5;

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final String path;
    private final String blockPool;
    private final String clientName;
    private final long leastBytes;
    private final LongSupplier nanoClock;
    private final long number = NUMBERS.incrementAndGet();

    @GuardedBy("this")
    private final PositionedSequence sequence;

    /** The end of the block that was hinted last; 0 before the first, the largest number where no hint is wanted. */
    @GuardedBy("this")
    private long hintedTo;

    /** Where the reads were when a hint was wanted last, and when. */
    @GuardedBy("this")
    private long lastFrontier;

    @GuardedBy("this")
    private long lastNanos;

    /**
     * No read yet.
     *
     * @param clientName the name by which the stream's DataNodes know its client
     * @param settings say how long the reads and their sequence must be
     */
    public PositionedReads(String path, String blockPool, String clientName, ClientSettings settings) {
        this(path, blockPool, clientName, settings, System::nanoTime);
    }

    PositionedReads(String path, String blockPool, String clientName, ClientSettings settings, LongSupplier nanoClock) {
        this.leastBytes = settings.get(ClientKeys.HINT_READ_MIN);
        this.nanoClock = nanoClock;
        this.path = path;
        this.blockPool = blockPool;
        this.clientName = clientName;
        this.sequence = new PositionedSequence(settings.get(ClientKeys.HINT_EVIDENCE));
    }

    /** A read by position begins. */
    public void read(long position, long lengthBytes) {
        if (lengthBytes < leastBytes) {
            return;
        }
        long frontier;
        long reach;
        synchronized (this) {
            boolean was = sequence.isSequential();
            sequence.read(position, lengthBytes);
            boolean goesOn = sequence.isSequential();
            if (goesOn ? sequence.frontier() <= hintedTo : !was) {
                return;
            }
            frontier = goesOn ? sequence.frontier() : 0;
            reach = goesOn ? reach(frontier, was) : 0;
            hintedTo = goesOn ? Long.MAX_VALUE : 0;
        }
        if (frontier == 0) {
            OpenFiles.INSTANCE.sequenceEnded(path, blockPool, clientName, number);
        } else {
            long end = OpenFiles.INSTANCE.sequenceRead(path, blockPool, clientName, number, frontier - 1, reach);
            synchronized (this) {
                hintedTo = hintedTo == 0 ? 0 : end;
            }
        }
    }

    /** How far the reads will come soon, if they go on as since the last hint; of a sequence's begin no rate is known. */
    @GuardedBy("this")
    private long reach(long frontier, boolean goesOn) {
        long now = nanoClock.getAsLong();
        double seconds = Math.max(1, now - lastNanos) / 1e9;
        long ahead = goesOn ? (long) ((frontier - lastFrontier) / seconds * AHEAD_SECONDS) : 0;
        lastNanos = now;
        lastFrontier = frontier;
        return LongMath.saturatedAdd(frontier, Math.max(0, ahead));
    }
}

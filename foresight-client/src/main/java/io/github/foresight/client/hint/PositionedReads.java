/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.PositionedSequence;
import io.github.foresight.core.hint.SequenceReach;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The reads by position of one open stream. While they go on from front to back, the blocks ahead are hinted: the next block, which is as far
 * as SSPF prefetches, and further ones as far as the reads will soon come. {@link PositionedSequence} and {@link SequenceReach} decide.
 *
 * <p>A reader of small pieces is often slower than a disk, and needs no other disks. So reads shorter than {@link
 * ClientKeys#HINT_READ_MIN} are not hinted. In a file of several blocks with a window, the window serves reads up to its width, and only
 * longer ones are hinted. Thread-safe; never waits, and never fails.
 */
public final class PositionedReads {

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

    @GuardedBy("this")
    private final SequenceReach reach = new SequenceReach();

    /**
     * No read yet.
     *
     * @param clientName the name by which the stream's DataNodes know its client
     * @param settings say how long the reads and their sequence must be
     * @param isWindowed whether the file has a window that serves sequences as well
     */
    public PositionedReads(
            String path, String blockPool, String clientName, ClientSettings settings, boolean isWindowed) {
        this(path, blockPool, clientName, settings, isWindowed, System::nanoTime);
    }

    PositionedReads(
            String path,
            String blockPool,
            String clientName,
            ClientSettings settings,
            boolean isWindowed,
            LongSupplier nanoClock) {
        long leastBytes = settings.get(ClientKeys.HINT_READ_MIN);
        this.leastBytes = isWindowed ? Math.max(leastBytes, settings.windows().reachBytes() + 1) : leastBytes;
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
        long hintUpTo;
        synchronized (this) {
            boolean was = sequence.isSequential();
            sequence.read(position, lengthBytes);
            frontier = sequence.frontier();
            if (!sequence.isSequential()) {
                if (was) {
                    end();
                }
                return;
            }
            if (frontier <= hintedTo) {
                return;
            }
            hintUpTo = reach(was, frontier);
            hintedTo = Long.MAX_VALUE;
        }
        long end = OpenFiles.INSTANCE.sequenceRead(path, blockPool, clientName, number, frontier - 1, hintUpTo);
        synchronized (this) {
            hintedTo = hintedTo == 0 ? 0 : end;
        }
    }

    @GuardedBy("this")
    private long reach(boolean goesOn, long frontier) {
        long now = nanoClock.getAsLong();
        if (goesOn) {
            return reach.reached(frontier, now);
        }
        reach.begins(frontier, now);
        return frontier;
    }

    /** The sequence is over, or the stream is closed: its hint session is released. */
    public synchronized void end() {
        if (hintedTo != 0) {
            hintedTo = 0;
            OpenFiles.INSTANCE.sequenceEnded(path, blockPool, clientName, number);
        }
    }
}

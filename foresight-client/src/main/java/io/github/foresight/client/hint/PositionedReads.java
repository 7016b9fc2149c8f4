/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.hint.PositionedSequence;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The reads by position of one open stream. While they go on from front to back, the file's blocks are hinted as those of a stream that is
 * read in sequence. {@link PositionedSequence} decides. Thread-safe; never waits, and never fails.
 */
public final class PositionedReads {

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final String path;
    private final String blockPool;
    private final String clientName;
    private final long number = NUMBERS.incrementAndGet();

    @GuardedBy("this")
    private final PositionedSequence sequence;

    /** The end of the block that was hinted last; 0 before the first, the largest number where no hint is wanted. */
    @GuardedBy("this")
    private long hintedTo;

    /**
     * No read yet.
     *
     * @param clientName the name by which the stream's DataNodes know its client
     * @param evidenceBytes the distance in the file that shows a sequence, at least 1
     */
    public PositionedReads(String path, String blockPool, String clientName, long evidenceBytes) {
        this.path = path;
        this.blockPool = blockPool;
        this.clientName = clientName;
        this.sequence = new PositionedSequence(evidenceBytes);
    }

    /** A read by position begins. */
    public void read(long position, long lengthBytes) {
        long last;
        synchronized (this) {
            boolean was = sequence.isSequential();
            sequence.read(position, lengthBytes);
            boolean goesOn = sequence.isSequential();
            if (goesOn ? sequence.frontier() <= hintedTo : !was) {
                return;
            }
            last = goesOn ? sequence.frontier() - 1 : -1;
            hintedTo = goesOn ? Long.MAX_VALUE : 0;
        }
        if (last < 0) {
            OpenFiles.INSTANCE.sequenceEnded(path, blockPool, clientName, number);
        } else {
            long end = OpenFiles.INSTANCE.sequenceRead(path, blockPool, clientName, number, last);
            synchronized (this) {
                hintedTo = hintedTo == 0 ? 0 : end;
            }
        }
    }
}

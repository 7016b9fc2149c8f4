/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Decides whether the reads by position of one stream go on from front to back. A tool that reads a file in small pieces, with one thread or
 * with several that take the next piece in turn, is a sequential reader too.
 *
 * <ul>
 *   <li>The <i>frontier</i> is the furthest end of the near reads. A read is <i>near</i> if it begins at most {@link #REACH_BYTES}, or {@link
 *       #REACH_READS} times its own length, before or behind the frontier. So threads may overtake each other.
 *   <li>The reads are a sequence once the frontier has advanced by {@code evidenceBytes}, and {@link #LEAST_READS} near reads or more cover
 *       at least half of that distance.
 *   <li>Reads elsewhere are ignored, up to {@link #MAX_STRAYS} in a row. One more ends the sequence, and begins a new one.
 * </ul>
 *
 * <p>Constant time and memory. Not thread-safe.
 */
public final class PositionedSequence {

    /** Many threads with small requests are within it; chosen, not measured. */
    static final long REACH_BYTES = 2 << 20;

    /** Some threads with large requests are within it; chosen, not measured. */
    static final int REACH_READS = 16;

    /** As many as {@link ReadPattern} allows; chosen, not measured. */
    static final int MAX_STRAYS = ReadPattern.MAX_JUMPS;

    /** So that one long read is no sequence; chosen, not measured. */
    static final int LEAST_READS = 4;

    /** The distance that is looked at, in multiples of the evidence or of the reach. */
    private static final int WINDOW = 4;

    private final long evidenceBytes;
    private long begin;
    private long frontier = Long.MIN_VALUE / 2;
    private long coveredBytes;
    private int reads;
    private int strays = MAX_STRAYS;
    private boolean sequential;

    /**
     * The sequence of a stream that has not been read.
     *
     * @param evidenceBytes the distance that shows a sequence, at least 1
     */
    public PositionedSequence(long evidenceBytes) {
        if (evidenceBytes < 1) {
            throw new IllegalArgumentException("evidenceBytes must be at least 1: " + evidenceBytes);
        }
        this.evidenceBytes = evidenceBytes;
    }

    /**
     * Records a read.
     *
     * @param position where it begins, bytes from the file's beginning, at least 0
     * @param lengthBytes at least 0
     */
    public void read(long position, long lengthBytes) {
        long reach = Math.max(REACH_BYTES, REACH_READS * lengthBytes);
        if (Math.abs(position - frontier) > reach) {
            stray(position, lengthBytes);
            return;
        }
        strays = 0;
        reads = Math.min(LEAST_READS, reads + 1);
        frontier = Math.max(frontier, position + lengthBytes);
        begin = Math.min(begin, position);
        coveredBytes = Math.min(coveredBytes + lengthBytes, frontier - begin);
        judge(reach);
    }

    private void stray(long position, long lengthBytes) {
        strays++;
        if (strays > MAX_STRAYS) {
            strays = 0;
            sequential = false;
            reads = 1;
            begin = position;
            frontier = position + lengthBytes;
            coveredBytes = lengthBytes;
        }
    }

    private void judge(long reach) {
        long distance = frontier - begin;
        sequential = reads >= LEAST_READS && distance >= evidenceBytes && coveredBytes >= distance / 2;
        if (distance >= WINDOW * Math.max(evidenceBytes, reach)) {
            begin = frontier - distance / 2;
            coveredBytes /= 2;
        }
    }

    /** Whether the last reads are a sequence. */
    public boolean isSequential() {
        return sequential;
    }

    /** The furthest end of the sequence's reads, bytes from the file's beginning; negative before the first read. */
    public long frontier() {
        return frontier;
    }
}

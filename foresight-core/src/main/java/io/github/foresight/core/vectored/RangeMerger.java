/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Merges the ranges of a vectored read into fewer, longer reads.
 *
 * <p>Two neighbours are read together if the gap between them is at most {@code gapMaxBytes} and the read stays within {@code
 * bytesMax}. A range that is longer than {@code bytesMax} is read by itself. Ranges may overlap.
 *
 * <p>The ranges are sorted once: O(n log n) for n ranges. Each range is in exactly one read. Immutable and thread-safe.
 *
 * <p>Source: the vectored read of Hadoop's {@code PositionedReadable}, whose {@code VectoredReadUtils.mergeSortedRanges} merges alike.
 */
public final class RangeMerger {

    private final int gapMaxBytes;
    private final int bytesMax;

    /**
     * Makes a merger.
     *
     * @param gapMaxBytes bytes between two ranges that are rather read than skipped, at least 0
     * @param bytesMax length of a read of several ranges, at least 1
     * @throws IllegalArgumentException if one of them is less
     */
    public RangeMerger(int gapMaxBytes, int bytesMax) {
        if (gapMaxBytes < 0) {
            throw new IllegalArgumentException("gapMaxBytes must be at least 0: " + gapMaxBytes);
        }
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax must be at least 1: " + bytesMax);
        }
        this.gapMaxBytes = gapMaxBytes;
        this.bytesMax = bytesMax;
    }

    /**
     * The reads that cover all ranges, by ascending offset.
     *
     * @param offsets of the ranges, in any order; none is negative
     * @param lengths of the ranges, bytes; none is negative
     * @throws IllegalArgumentException if the two differ in number, or a range is negative or ends beyond {@link Long#MAX_VALUE}
     */
    public ImmutableList<MergedRange> merge(long[] offsets, int[] lengths) {
        if (offsets.length != lengths.length) {
            throw new IllegalArgumentException(offsets.length + " offsets and " + lengths.length + " lengths");
        }
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > Long.MAX_VALUE - lengths[i]) {
                throw new IllegalArgumentException(
                        "range " + i + " must lie in [0, 2^63): " + offsets[i] + " and " + lengths[i] + " bytes");
            }
        }
        int[] order = IntStream.range(0, offsets.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> offsets[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        ImmutableList.Builder<MergedRange> reads = ImmutableList.builder();
        int first = 0;
        long end = 0;
        for (int next = 0; next < order.length; next++) {
            long offset = offsets[order[next]];
            long nextEnd = offset + lengths[order[next]];
            if (next > first && !fits(offsets[order[first]], end, offset, nextEnd)) {
                reads.add(read(offsets, order, first, next, end));
                first = next;
            }
            end = next == first ? nextEnd : Math.max(end, nextEnd);
        }
        if (order.length > 0) {
            reads.add(read(offsets, order, first, order.length, end));
        }
        return reads.build();
    }

    private boolean fits(long begin, long end, long offset, long nextEnd) {
        return offset - end <= gapMaxBytes && Math.max(end, nextEnd) - begin <= bytesMax;
    }

    private static MergedRange read(long[] offsets, int[] order, int from, int to, long end) {
        ImmutableList.Builder<Integer> members = ImmutableList.builderWithExpectedSize(to - from);
        for (int i = from; i < to; i++) {
            members.add(order[i]);
        }
        long begin = offsets[order[from]];
        return new MergedRange(begin, Math.toIntExact(end - begin), members.build());
    }
}

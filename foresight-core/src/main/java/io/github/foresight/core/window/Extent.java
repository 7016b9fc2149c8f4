/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import com.google.common.collect.ImmutableList;

/**
 * A range of bytes of a file or of a block, from its begin (inclusive) to its end (exclusive); may be empty. Immutable
 * and thread-safe.
 */
public final class Extent {

    /** The empty range. */
    public static final Extent EMPTY = new Extent(0, 0);

    private final long begin;
    private final long end;

    private Extent(long begin, long end) {
        this.begin = begin;
        this.end = end;
    }

    /**
     * Makes an extent.
     *
     * @throws IllegalArgumentException if {@code begin} is negative or {@code end} before it
     */
    public static Extent of(long begin, long end) {
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(
                    "an extent's begin and end must be ascending from 0: " + begin + ", " + end);
        }
        return begin == end ? EMPTY : new Extent(begin, end);
    }

    public long begin() {
        return begin;
    }

    public long end() {
        return end;
    }

    public long lengthBytes() {
        return end - begin;
    }

    public boolean isEmpty() {
        return begin == end;
    }

    public boolean contains(long offset) {
        return begin <= offset && offset < end;
    }

    /** The bytes that are in both extents. */
    public Extent intersect(Extent other) {
        long from = Math.max(begin, other.begin);
        long to = Math.min(end, other.end);
        return from < to ? of(from, to) : EMPTY;
    }

    /** The bytes of this extent that are not in the other: at most two extents, ascending, none empty. */
    public ImmutableList<Extent> minus(Extent other) {
        Extent common = intersect(other);
        if (common.isEmpty()) {
            return isEmpty() ? ImmutableList.of() : ImmutableList.of(this);
        }
        ImmutableList.Builder<Extent> rest = ImmutableList.builder();
        if (begin < common.begin) {
            rest.add(of(begin, common.begin));
        }
        if (common.end < end) {
            rest.add(of(common.end, end));
        }
        return rest.build();
    }

    /** The same range counted from another origin, which is at most {@link #begin()}. */
    public Extent from(long origin) {
        return of(begin - origin, end - origin);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Extent && ((Extent) o).begin == begin && ((Extent) o).end == end;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(begin) * 31 + Long.hashCode(end);
    }

    @Override
    public String toString() {
        return "[" + begin + ", " + end + ")";
    }
}

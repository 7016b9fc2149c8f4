/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.BitSet;

/**
 * Which parts of a file were in memory when the file's prefetch began; says what the prefetch reads and what it may drop again.
 *
 * <p>The file is looked at in units of {@value #UNIT_BYTES} bytes. A unit without a resident page is the prefetch's own: the prefetch
 * reads the unit, and drops it when nobody has read it. A unit with some resident pages is read too, but is never dropped, because
 * somebody else reads there. Wholly resident units are neither read nor locked where they form a run of {@value #SKIP_MIN_BYTES} bytes, or
 * the whole file; shorter runs are locked with their neighbours, so that a file has few locked pieces.
 *
 * <p>Immutable and thread-safe. Linear in the units of the range that is asked for; 32 bytes of memory a 16 MiB.
 */
public final class ResidentPages {

    /** The largest base page of a Linux that Hadoop runs on, so that a unit always holds whole pages. */
    public static final int UNIT_BYTES = 64 << 10;

    /** Bounds the pieces of a locked file to one a MiB; chosen, not measured. */
    static final int SKIP_MIN_BYTES = 1 << 20;

    private final long lengthBytes;
    private final boolean known;
    private final BitSet touched;
    private final BitSet skipped;

    private ResidentPages(long lengthBytes, boolean known, BitSet touched, BitSet skipped) {
        this.lengthBytes = lengthBytes;
        this.known = known;
        this.touched = touched;
        this.skipped = skipped;
    }

    /** Something done with a range. */
    @FunctionalInterface
    public interface RangeAction<E extends Exception> {
        void accept(long beginBytes, long endBytes) throws E;
    }

    /** Nothing of the file was in memory. */
    public static ResidentPages none(long lengthBytes) {
        return new ResidentPages(lengthBytes, true, new BitSet(), new BitSet());
    }

    /** All of the file was in memory. */
    public static ResidentPages all(long lengthBytes) {
        BitSet units = new BitSet();
        units.set(0, units(lengthBytes));
        return new ResidentPages(lengthBytes, true, units, units);
    }

    /** The kernel does not tell; everything is read, and nothing is dropped. */
    public static ResidentPages unknown(long lengthBytes) {
        return new ResidentPages(lengthBytes, false, new BitSet(), new BitSet());
    }

    /**
     * As {@code mincore} tells.
     *
     * @param pages one byte for each page of the file; the lowest bit is set where the page is in memory
     * @param pageBytes the size of a page, a power of two of at most {@value #UNIT_BYTES}
     */
    public static ResidentPages of(long lengthBytes, byte[] pages, int pageBytes) {
        if (pageBytes <= 0 || UNIT_BYTES % pageBytes != 0) {
            throw new IllegalArgumentException("pageBytes must divide " + UNIT_BYTES + ": " + pageBytes);
        }
        if (pages.length != (lengthBytes + pageBytes - 1) / pageBytes) {
            throw new IllegalArgumentException(
                    "a file of " + lengthBytes + " bytes has not " + pages.length + " pages of " + pageBytes);
        }
        int perUnit = UNIT_BYTES / pageBytes;
        int units = units(lengthBytes);
        BitSet touched = new BitSet(units);
        BitSet whole = new BitSet(units);
        for (int unit = 0; unit < units; unit++) {
            int end = Math.min(pages.length, (unit + 1) * perUnit);
            int resident = 0;
            for (int page = unit * perUnit; page < end; page++) {
                resident += pages[page] & 1;
            }
            touched.set(unit, resident > 0);
            whole.set(unit, resident == end - unit * perUnit);
        }
        return new ResidentPages(lengthBytes, true, touched, longRuns(whole, units));
    }

    private static BitSet longRuns(BitSet whole, int units) {
        BitSet runs = new BitSet(units);
        for (int begin = whole.nextSetBit(0); begin >= 0; ) {
            int end = whole.nextClearBit(begin);
            if (end - begin >= SKIP_MIN_BYTES / UNIT_BYTES || end - begin == units) {
                runs.set(begin, end);
            }
            begin = whole.nextSetBit(end);
        }
        return runs;
    }

    private static int units(long lengthBytes) {
        return Math.toIntExact((lengthBytes + UNIT_BYTES - 1) / UNIT_BYTES);
    }

    /** Calls with what a prefetch of a range has to read and to lock, from front to back. */
    public <E extends Exception> void forEachAbsent(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        forEachRun(skipped, false, beginBytes, endBytes, action);
    }

    /** Calls with the rest of a range: what a prefetch passes over as long as it stays in memory. */
    public <E extends Exception> void forEachResident(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        forEachRun(skipped, true, beginBytes, endBytes, action);
    }

    /** Calls with what only a prefetch of a range has brought into memory, in whole units: what may be dropped. */
    public <E extends Exception> void forEachOwn(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        if (known) {
            forEachRun(touched, false, beginBytes, endBytes, action);
        }
    }

    /** How many bytes of a range a prefetch of it brings into memory. */
    public long ownBytes(long beginBytes, long endBytes) {
        long bytes = 0;
        long end = Math.min(endBytes, lengthBytes);
        for (long at = beginBytes; at < end; ) {
            long next = Math.min(end, (at / UNIT_BYTES + 1) * UNIT_BYTES);
            if (!touched.get(unitAt(at))) {
                bytes += next - at;
            }
            at = next;
        }
        return bytes;
    }

    private <E extends Exception> void forEachRun(
            BitSet units, boolean set, long beginBytes, long endBytes, RangeAction<E> action) throws E {
        long end = Math.min(endBytes, lengthBytes);
        for (long at = beginBytes; at < end; ) {
            int unit = unitAt(at);
            boolean is = units.get(unit);
            int after = is ? units.nextClearBit(unit) : units.nextSetBit(unit);
            long next = after < 0 ? end : Math.min(end, (long) after * UNIT_BYTES);
            if (is == set) {
                action.accept(at, next);
            }
            at = next;
        }
    }

    private static int unitAt(long offset) {
        return (int) (offset / UNIT_BYTES);
    }
}

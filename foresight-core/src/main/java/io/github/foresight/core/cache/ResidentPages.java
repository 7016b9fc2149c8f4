/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import java.util.BitSet;

/**
 * The parts of a file that were resident when the file's prefetch began. They decide which ranges the prefetch reads,
 * and which ranges it may drop later.
 *
 * <p>The file is divided into units of {@value #UNIT_BYTES} bytes:
 *
 * <ul>
 *   <li>A unit without a resident page belongs to the prefetch: the prefetch reads the unit, and drops it if nobody
 *       has read it.
 *   <li>A unit with some resident pages is read but never dropped, because another reader uses it.
 *   <li>A fully resident unit in a sequence of at least {@value #SKIP_MIN_BYTES} bytes, or of the whole file, is
 *       neither read nor locked. Units of shorter sequences are locked with their neighbours, so that a file has few
 *       locked pieces.
 * </ul>
 *
 * <p>Immutable and thread-safe. An operation takes time linear in the units of its range. Takes 32 bytes of memory for
 * each 16 MiB of the file.
 */
public final class ResidentPages {

    /** The unit: the largest base page of a Linux on which Hadoop runs, so that a unit always holds whole pages. */
    public static final int UNIT_BYTES = 64 << 10;

    /** Bounds the pieces of a locked file to one for each MiB; chosen, not measured. */
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

    /** An action on a range. */
    @FunctionalInterface
    public interface RangeAction<E extends Exception> {
        void accept(long beginBytes, long endBytes) throws E;
    }

    /** A file without resident pages. */
    public static ResidentPages none(long lengthBytes) {
        return new ResidentPages(lengthBytes, true, new BitSet(), new BitSet());
    }

    /** A file with all pages resident. */
    public static ResidentPages all(long lengthBytes) {
        BitSet units = new BitSet();
        units.set(0, units(lengthBytes));
        return new ResidentPages(lengthBytes, true, units, units);
    }

    /** A file whose resident pages are unknown: all units are read, and none is dropped. */
    public static ResidentPages unknown(long lengthBytes) {
        return new ResidentPages(lengthBytes, false, new BitSet(), new BitSet());
    }

    /**
     * A file with resident pages as reported by {@code mincore}.
     *
     * @param pages one byte for each page of the file; the lowest bit is set if the page is resident
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

    /** Calls the action for each part of a range that a prefetch reads and locks, from front to back. */
    public <E extends Exception> void forEachAbsent(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        forEachRun(skipped, false, beginBytes, endBytes, action);
    }

    /** Calls the action for the other parts of a range: the parts that a prefetch skips while they stay resident. */
    public <E extends Exception> void forEachResident(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        forEachRun(skipped, true, beginBytes, endBytes, action);
    }

    /**
     * Calls the action for each part of a range that only the prefetch made resident, in whole units. These parts may
     * be dropped.
     */
    public <E extends Exception> void forEachOwn(long beginBytes, long endBytes, RangeAction<E> action) throws E {
        if (known) {
            forEachRun(touched, false, beginBytes, endBytes, action);
        }
    }

    /** The bytes of a range that only the prefetch makes resident. */
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
            boolean isSet = units.get(unit);
            int after = isSet ? units.nextClearBit(unit) : units.nextSetBit(unit);
            long next = after < 0 ? end : Math.min(end, (long) after * UNIT_BYTES);
            if (isSet == set) {
                action.accept(at, next);
            }
            at = next;
        }
    }

    private static int unitAt(long offset) {
        return (int) (offset / UNIT_BYTES);
    }
}

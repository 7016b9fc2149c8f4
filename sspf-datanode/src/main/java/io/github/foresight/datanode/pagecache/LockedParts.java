/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;

/**
 * The locked ranges of one file's mapping, and the mapping's share of a {@link FileBudget}: one for each stretch that is locked
 * and one for each stretch between. A call takes time
 * logarithmic in the locked ranges. Not thread-safe.
 */
final class LockedParts {

    /** The smallest page there is. Where pages are larger, some parts that this class counts are one. */
    private static final long PAGE_BYTES = 4096;

    private final FileBudget budget;
    private final long endOfLastPage;
    private final RangeSet<Long> locked = TreeRangeSet.create();
    private boolean mapped;
    private int taken;

    LockedParts(long lengthBytes, FileBudget budget) {
        this.endOfLastPage = roundUp(lengthBytes);
        this.budget = budget;
    }

    /** Takes the most that locking one more range may need; false and nothing if the budget has no room. */
    boolean tryTake() {
        int most = FileBudget.RANGE_MAPPINGS + (mapped ? 0 : 1);
        if (!budget.tryMap(most)) {
            return false;
        }
        taken += most;
        return true;
    }

    /** The file was mapped. */
    void mapped() {
        mapped = true;
    }

    /** A range was locked, after {@link #tryTake}. */
    void locked(long begin, long end) {
        locked.add(pages(begin, end));
        settle();
    }

    /** The range was not locked after all. */
    void notLocked() {
        settle();
    }

    /** A range was unlocked. Nobody is asked for room: released ranges stay released. */
    void unlocked(long begin, long end) {
        locked.remove(pages(begin, end));
        settle();
    }

    /** The mapping has ended. */
    void unmapped() {
        mapped = false;
        locked.clear();
        settle();
    }

    private Range<Long> pages(long begin, long end) {
        return Range.closedOpen(begin & -PAGE_BYTES, Math.min(endOfLastPage, roundUp(end)));
    }

    private static long roundUp(long bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    private void settle() {
        int needed = needed();
        budget.adjustMappings(needed - taken);
        taken = needed;
    }

    private int needed() {
        if (!mapped) {
            return 0;
        }
        if (locked.isEmpty()) {
            return 1;
        }
        Range<Long> all = locked.span();
        int ends = (all.lowerEndpoint() == 0 ? 0 : 1) + (all.upperEndpoint() == endOfLastPage ? 0 : 1);
        return 2 * locked.asRanges().size() - 1 + ends;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The hashes that were added last, in a fixed number of bytes.
 *
 * <p>The set consists of buckets of {@value #WAYS} slots. A new hash goes to the front of its bucket and evicts the
 * bucket's oldest hash. For this reason a hash may be forgotten early. A hash that was never added is not found, within
 * the collisions of a 64-bit {@link KeyedHash}. Two threads that add to one bucket at once may lose a hash.
 *
 * <p>Constant time, no allocation, 8 bytes for each hash. Thread-safe without locks.
 */
public final class RecentSet {

    /** The slots of a bucket, which fill half a cache line. Chosen, not measured. */
    private static final int WAYS = 4;

    private static final long EMPTY = 0;

    private final AtomicLongArray slots;

    /**
     * Makes an empty set.
     *
     * @param capacity the most hashes, at least 0; rounded up to a power of two, from {@value #WAYS} on
     */
    public RecentSet(int capacity) {
        if (capacity < 0 || capacity > 1 << 28) {
            throw new IllegalArgumentException("capacity must be in [0, 2^28]: " + capacity);
        }
        int slotCount = capacity <= WAYS ? WAYS : Integer.highestOneBit(capacity - 1) << 1;
        this.slots = new AtomicLongArray(capacity == 0 ? 0 : slotCount);
    }

    /** The allocated memory of the hashes, used or not. */
    public long capacityBytes() {
        return (long) slots.length() * Long.BYTES;
    }

    /** Adds a hash, or makes it the newest hash. */
    public void add(long hash) {
        if (slots.length() == 0) {
            return;
        }
        long pushed = kept(hash);
        int first = bucket(pushed);
        long moved = pushed;
        for (int way = 0; way < WAYS; way++) {
            long before = slots.get(first + way);
            slots.lazySet(first + way, moved);
            if (before == pushed || before == EMPTY) {
                return;
            }
            moved = before;
        }
    }

    /** Whether a hash was added and has not been evicted. */
    public boolean contains(long hash) {
        if (slots.length() == 0) {
            return false;
        }
        long sought = kept(hash);
        int first = bucket(sought);
        for (int way = 0; way < WAYS; way++) {
            if (slots.get(first + way) == sought) {
                return true;
            }
        }
        return false;
    }

    /** Removes all hashes. */
    public void clear() {
        for (int slot = 0; slot < slots.length(); slot++) {
            slots.lazySet(slot, EMPTY);
        }
    }

    private static long kept(long hash) {
        return hash == EMPTY ? 1 : hash;
    }

    private int bucket(long hash) {
        return (int) (hash >>> Integer.SIZE) & (slots.length() - WAYS);
    }
}

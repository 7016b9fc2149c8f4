/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The hashes that were added last, in a fixed number of bytes.
 *
 * <p>Buckets of {@value #WAYS} slots: a new hash goes to the front of its bucket and pushes the oldest one out. So a hash may be
 * forgotten early, but one that was never added is not found, as far as the 64 bits of {@link KeyedHash} tell. Two threads that add
 * to one bucket at once may lose a hash.
 *
 * <p>Constant time, no allocation, 8 bytes a hash. Thread-safe, without locks.
 */
public final class RecentSet {

    private static final int WAYS = 4;
    private static final long EMPTY = 0;

    private final AtomicLongArray slots;

    /**
     * Makes an empty set.
     *
     * @param capacity how many hashes are kept at most, at least 0; rounded up to a power of two, from {@value #WAYS} on
     */
    public RecentSet(int capacity) {
        if (capacity < 0 || capacity > 1 << 28) {
            throw new IllegalArgumentException("capacity must be in [0, 2^28]: " + capacity);
        }
        int slotCount = capacity <= WAYS ? WAYS : Integer.highestOneBit(capacity - 1) << 1;
        this.slots = new AtomicLongArray(capacity == 0 ? 0 : slotCount);
    }

    /** The memory that the hashes take, used or not. */
    public long capacityBytes() {
        return (long) slots.length() * Long.BYTES;
    }

    /** Adds a hash, or makes it the last that was added. */
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

    /** Whether a hash was added, and not pushed out since. */
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

    /** Forgets all hashes. */
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

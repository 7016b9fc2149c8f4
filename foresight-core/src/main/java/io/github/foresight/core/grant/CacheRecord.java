/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one client's cache, and the changes that the client has not yet received. A record that was closed, or
 * that belongs to an earlier {@link Generation}, is never used again. Its client gets a new record with another number,
 * and then drops all its entries.
 *
 * <p>Thread-safe; the monitor is held for one change of the record, and no other lock is taken meanwhile.
 */
public final class CacheRecord {

    /** A record's own heap, with its entry in its user's account; an estimate from the objects' layouts. */
    static final int FIXED_BYTES = 512;

    /** The most expired grants that one addition removes, so that it takes constant time. Chosen, not measured. */
    private static final int EXPIRED_AT_ONCE = 4;

    static final CacheRecord NONE = new CacheRecord(0, 0, new Generation(), new Account("", new Generation()), 0);

    /** The changes that a reply reports to a client. Immutable. */
    public static final class Changes {
        private final boolean everything;
        private final List<String> names;

        private Changes(boolean everything, List<String> names) {
            this.everything = everything;
            this.names = names;
        }

        /** Whether no entry of the cache is valid, including the entries of this reply. */
        public boolean isEverything() {
            return everything;
        }

        /** The entries that are no longer valid. */
        public List<String> names() {
            return names;
        }
    }

    private final long number;
    private final int maxChanges;
    final Generation generation;
    final Account account;

    @GuardedBy("this")
    private final Map<String, Grant> grants = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Set<String> changed = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean overflowed;

    @GuardedBy("this")
    private boolean closed;

    /** The time after which the client holds no entry. */
    private volatile long untilNanos;

    CacheRecord(long number, int maxChanges, Generation generation, Account account, long nowNanos) {
        this.number = number;
        this.untilNanos = nowNanos;
        this.maxChanges = maxChanges;
        this.generation = generation;
        this.account = account;
    }

    /** The record's number, never 0. A client that is answered from another record drops all its entries. */
    public long number() {
        return number;
    }

    boolean isExpired(long nowNanos) {
        return untilNanos - nowNanos <= 0;
    }

    synchronized void extendUntil(long nanos) {
        if (nanos - untilNanos > 0) {
            untilNanos = nanos;
        }
    }

    /**
     * Adds a grant if there is room, and removes a few expired grants.
     *
     * @return whether the grant was added
     */
    synchronized boolean add(Grant grant, long nowNanos, long budgetBytes) {
        if (closed) {
            return false;
        }
        removeExpired(nowNanos);
        removeGrant(grants.get(grant.name));
        if (generation.bytes() + grant.bytes() > budgetBytes) {
            return false;
        }
        grants.put(grant.name, grant);
        generation.index(grant);
        account.charge(grant.bytes());
        extendUntil(grant.untilNanos);
        return true;
    }

    @GuardedBy("this")
    private void removeExpired(long nowNanos) {
        for (int i = 0; i < EXPIRED_AT_ONCE && !grants.isEmpty(); i++) {
            Grant oldest = grants.values().iterator().next();
            if (oldest.untilNanos - nowNanos > 0) {
                return;
            }
            removeGrant(oldest);
        }
    }

    @GuardedBy("this")
    private void removeGrant(@Nullable Grant grant) {
        if (grant != null && grants.remove(grant.name, grant)) {
            generation.unindex(grant);
            account.charge(-grant.bytes());
        }
    }

    /** Removes a grant; the caller informs the client in another way. */
    synchronized void remove(Grant grant) {
        removeGrant(grant);
    }

    /** The result of a change. */
    enum Noticed {
        /** The record no longer has the grant. */
        MISSING,
        QUEUED,
        /** The record has exceeded the maximum of changes, for the first time since the last reply. */
        OVERFLOWED
    }

    /** A granted entry is no longer valid. */
    synchronized Noticed changed(Grant grant) {
        if (grants.get(grant.name) != grant) {
            return Noticed.MISSING;
        }
        removeGrant(grant);
        if (closed || overflowed) {
            return Noticed.QUEUED;
        }
        if (changed.size() >= maxChanges) {
            account.charge(-changedBytes());
            changed.clear();
            overflowed = true;
            return Noticed.OVERFLOWED;
        }
        if (changed.add(grant.name)) {
            account.charge(changeBytes(grant.name));
        }
        return Noticed.QUEUED;
    }

    /** The bytes of a queued change; never more than the bytes of the removed grant. */
    private static int changeBytes(String name) {
        return 128 + 2 * name.length();
    }

    @GuardedBy("this")
    private long changedBytes() {
        long bytes = 0;
        for (String name : changed) {
            bytes += changeBytes(name);
        }
        return bytes;
    }

    /**
     * The length of the names that the client must receive.
     *
     * @param frameBytes the bytes of each name in addition to its characters
     * @return {@link Long#MAX_VALUE} if the client must drop all its entries
     */
    public synchronized long pendingBytes(int frameBytes) {
        if (closed || overflowed || !generation.isCurrent()) {
            return Long.MAX_VALUE;
        }
        long bytes = 0;
        for (String name : changed) {
            bytes += frameBytes + name.length();
        }
        return bytes;
    }

    /** Removes and returns the changes that the client must receive. */
    public synchronized Changes take() {
        if (closed || overflowed || !generation.isCurrent()) {
            overflowed = false;
            return new Changes(true, ImmutableList.of());
        }
        if (changed.isEmpty()) {
            return new Changes(false, ImmutableList.of());
        }
        account.charge(-changedBytes());
        List<String> names = new ArrayList<>(changed);
        changed.clear();
        return new Changes(false, names);
    }

    /** Closes the record: no grant is added from now on. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            account.charge(-changedBytes() - FIXED_BYTES);
            changed.clear();
        }
    }

    /**
     * Removes some grants of a closed record.
     *
     * @return the number of removed grants
     */
    synchronized int reclaim(int max) {
        int removed = 0;
        for (Iterator<Grant> each = grants.values().iterator(); removed < max && each.hasNext(); removed++) {
            Grant grant = each.next();
            each.remove();
            generation.unindex(grant);
            account.charge(-grant.bytes());
        }
        return removed;
    }

    synchronized int size() {
        return grants.size();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records which client caches hold the entries of which files, and reports to each cache the entries that a change has
 * made invalid.
 *
 * <p>The guarantee: after a client has taken its {@linkplain CacheRecord#take changes}, none of its entries is older
 * than a change that was {@linkplain #changed recorded} before. If the table cannot guarantee this for one entry,
 * {@link #granted} returns false, and the client must not keep the entry. If the table cannot guarantee this for a
 * cache, the cache gets another {@link CacheRecord}. A client that is answered from another record first drops all its
 * entries.
 *
 * <pre>
 *   index:    path -> grant -> record        found by a change: the grants at or below a path
 *   accounts: user -> cache id -> record     found by a request; each user's records in order of last use
 *   recent:   the last {@value #RECENT_MAX} changed paths, or fewer    found by a grant that was read before a change and made after it
 * </pre>
 *
 * <p><b>Bounds.</b> The table takes at most its budget, and the recent changes at most a sixteenth of the budget. When
 * 15/16 of the rest are used, the user with the most bytes loses its least recently used records. Each new grant
 * removes at most {@value #RECLAIMED_AT_ONCE} grants in this way. A grant that would exceed the budget is refused.
 *
 * <p><b>Time.</b> A grant takes O(log n). A change takes O(log n + grants at or below its path). If these are more than
 * {@value #CHANGED_AT_ONCE_MAX}, the table is reset instead, which takes constant time. The bounds without another
 * reason are chosen, not measured.
 *
 * <p>Thread-safe: one monitor for the recent changes, and one for each record and each account. Each is held for one
 * change.
 */
public final class GrantTable {

    /** The most remembered changed paths. */
    private static final int RECENT_MAX = 1024;

    /** The most grants that one call reclaims, so that a request takes bounded time. */
    private static final int RECLAIMED_AT_ONCE = 64;

    /** The most records that one call closes, so that a request takes bounded time. */
    private static final int RECORDS_AT_ONCE = 64;

    /**
     * 10,000 grants take about 10 ms of a handler's time; the deletion of a directory of that many files takes as long.
     */
    private static final int CHANGED_AT_ONCE_MAX = 10_000;

    /** The time for which a used record does not expire, so that a request under way keeps its record. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int HIGH_PART = 15;
    private static final int PARTS = 16;

    /** Receives events of the table; must return at once. */
    public interface Events {
        /** A change made a client's entry invalid. */
        void invalidated();

        /** A client must drop all its entries, because too many had changed. */
        void overflowed();

        /** Records were closed for lack of room, or a grant was refused. */
        void crowded(long grants);

        /** All clients must drop all their entries. */
        void forgotten();
    }

    private final long budgetBytes;
    private final long recentMaxBytes;
    private final long grantsMaxBytes;
    private final long highBytes;
    private final int maxChanges;
    private final Events events;
    private final AtomicLong lastNumber;

    @GuardedBy("recent")
    private final @Nullable String[] recent = new @Nullable String[RECENT_MAX];

    /** The number of the oldest change whose path is remembered. */
    @GuardedBy("recent")
    private long recentFrom;

    private volatile long recentBytes;
    private volatile long position;
    private volatile Generation generation = new Generation();

    /**
     * Makes an empty table.
     *
     * @param budgetBytes the most bytes of the table
     * @param maxChanges the most queued changes of one cache
     * @param firstNumber the number before the first record's number; it should differ between tables
     */
    public GrantTable(long budgetBytes, int maxChanges, long firstNumber, Events events) {
        this.budgetBytes = budgetBytes;
        this.recentMaxBytes = budgetBytes / PARTS;
        this.grantsMaxBytes = budgetBytes - recentMaxBytes;
        this.highBytes = grantsMaxBytes / PARTS * HIGH_PART;
        this.maxChanges = maxChanges;
        this.lastNumber = new AtomicLong(firstNumber);
        this.events = events;
    }

    /** The record of a user's cache; made if there is none. */
    public CacheRecord record(long cacheId, String user, long nowNanos) {
        Generation current = generation;
        CacheRecord record = null;
        while (record == null) {
            Account account = current.accounts.computeIfAbsent(user, name -> new Account(name, current));
            record = account.record(cacheId, unused -> newRecord(current, account, nowNanos));
            if (record == null) {
                current.accounts.remove(user, account);
            }
        }
        record.extendUntil(nowNanos + IDLE_NANOS);
        relieve(current);
        return record;
    }

    private CacheRecord newRecord(Generation current, Account account, long nowNanos) {
        long number = lastNumber.incrementAndGet();
        return new CacheRecord(
                number == 0 ? lastNumber.incrementAndGet() : number, maxChanges, current, account, nowNanos);
    }

    /** The number of changes so far. Read it before reading an entry that will be granted. */
    public long position() {
        return position;
    }

    /**
     * Grants an entry to a cache.
     *
     * @param path the path by which changes are reported
     * @param name the client's name of the entry
     * @param readAt the position before the entry was read
     * @return false if the client must not keep the entry: it may have changed since, or the table has no room for it
     */
    public boolean granted(CacheRecord record, String path, String name, long untilNanos, long readAt, long nowNanos) {
        Grant grant = new Grant(path, name, record, untilNanos);
        if (!record.add(grant, nowNanos, grantsMaxBytes)) {
            events.crowded(1);
            relieve(record.generation);
            return false;
        }
        relieve(record.generation);
        if (mayHaveChangedSince(readAt, path)) {
            record.remove(grant);
            return false;
        }
        return true;
    }

    private boolean mayHaveChangedSince(long readAt, String path) {
        if (position == readAt) {
            return false;
        }
        synchronized (recent) {
            if (readAt < recentFrom) {
                return true;
            }
            for (long change = readAt; change < position; change++) {
                String changed = recent[(int) (change % RECENT_MAX)];
                if (changed == null || isAtOrBelow(path, changed)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAtOrBelow(String path, String changed) {
        return path.startsWith(changed) && (path.length() == changed.length() || path.charAt(changed.length()) == '/');
    }

    /**
     * Records the change of a file, or of a directory with all paths below it.
     *
     * @param path without a slash at its end; an empty string is the root
     */
    public void changed(String path) {
        note(path);
        Generation current = generation;
        if (current.grants() == 0) {
            return;
        }
        int left = CHANGED_AT_ONCE_MAX;
        left = reportToHolders(current, Grant.before(path), Grant.before(path + '\0'), left);
        left = reportToHolders(current, Grant.before(path + '/'), Grant.before(path + (char) ('/' + 1)), left);
        if (left < 0) {
            everythingChanged();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void note(String path) {
        synchronized (recent) {
            if (position - recentFrom == RECENT_MAX) {
                dropOldest();
            }
            recent[(int) (position % RECENT_MAX)] = path;
            recentBytes += recentBytes(path);
            position++;
            while (recentBytes > recentMaxBytes) {
                dropOldest();
            }
        }
    }

    @GuardedBy("recent")
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void dropOldest() {
        int slot = (int) (recentFrom % RECENT_MAX);
        String oldest = recent[slot];
        recentBytes -= oldest == null ? 0 : recentBytes(oldest);
        recent[slot] = null;
        recentFrom++;
    }

    /** The heap of a string; a character takes at most two bytes. */
    private static long recentBytes(String path) {
        return 56 + 2L * path.length();
    }

    /**
     * Reports a change to the holders of a range of grants.
     *
     * @return how many more may be reported; less than 0 if there were too many
     */
    private int reportToHolders(Generation current, Grant from, Grant to, int max) {
        int left = max;
        if (left < 0) {
            return left;
        }
        for (Grant grant : current.between(from, to)) {
            left--;
            if (left < 0) {
                return left;
            }
            switch (grant.record.changed(grant)) {
                case MISSING:
                    break;
                case QUEUED:
                    events.invalidated();
                    break;
                case OVERFLOWED:
                    events.invalidated();
                    events.overflowed();
                    break;
            }
        }
        return left;
    }

    /**
     * Resets the table after an event that may have changed any file: each cache gets a new record. Takes constant
     * time.
     */
    public void everythingChanged() {
        // The order matters: a new record must refuse entries that were read before this change.
        note("");
        Generation before = generation;
        generation = new Generation();
        before.end();
        events.forgotten();
    }

    /** Frees some room in advance, a bounded amount in each call. */
    private void relieve(Generation current) {
        if (current.bytes() <= highBytes || !current.isCurrent()) {
            return;
        }
        CacheRecord closed = current.closed.peek();
        if (closed == null) {
            closeEldest(current);
            closed = current.closed.peek();
        }
        reclaim(current, closed, RECLAIMED_AT_ONCE);
    }

    private void reclaim(Generation current, @Nullable CacheRecord first, int max) {
        CacheRecord closed = first;
        int left = max;
        while (closed != null && left > 0) {
            int removed = closed.reclaim(left);
            left -= Math.max(1, removed);
            if (closed.size() == 0) {
                current.closed.remove(closed);
            }
            closed = current.closed.peek();
        }
    }

    private void closeEldest(Generation current) {
        if (!current.choosing.compareAndSet(false, true)) {
            return;
        }
        try {
            Account heaviest = current.heaviest();
            if (heaviest != null) {
                for (CacheRecord record : heaviest.removeEldest(RECLAIMED_AT_ONCE, RECORDS_AT_ONCE)) {
                    close(current, record);
                    events.crowded(record.size());
                }
            }
        } finally {
            current.choosing.set(false);
        }
    }

    private static void close(Generation current, CacheRecord record) {
        record.close();
        if (record.size() > 0) {
            current.closed.add(record);
        }
    }

    /** Removes the records of caches whose grants have all expired. Call it periodically, not during a request. */
    public void expire(long nowNanos) {
        Generation current = generation;
        for (Account account : current.accounts.values()) {
            for (CacheRecord record : account.removeExpired(nowNanos)) {
                close(current, record);
            }
            if (account.removeIfEmpty()) {
                current.accounts.remove(account.user(), account);
            }
        }
        for (CacheRecord closed = current.closed.peek(); closed != null; closed = current.closed.peek()) {
            reclaim(current, closed, Integer.MAX_VALUE);
        }
    }

    /** The number of recorded grants. */
    public long grants() {
        return generation.grants();
    }

    /** The accounted bytes of the table. */
    public long bytes() {
        return generation.bytes() + recentBytes;
    }

    /** The bytes of the recent changes. */
    long recentBytes() {
        return recentBytes;
    }

    public long budgetBytes() {
        return budgetBytes;
    }
}

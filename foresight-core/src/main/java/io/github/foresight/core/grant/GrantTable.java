/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which client caches hold which files' entries, and tells each cache which of its entries a change has made invalid.
 *
 * <p>The promise: after a client has taken its {@linkplain CacheRecord#take changes}, none of its entries is older than a change that
 * was {@linkplain #changed noticed} before. Where the table cannot keep that promise for one entry, {@link #granted} says so and the
 * client must not keep the entry. Where the table cannot keep it for a cache, the cache gets another {@link CacheRecord}, and a client
 * that is answered from another record forgets everything first.
 *
 * <pre>
 *   index:    path -> grant -> record        found by a change: what is at or below a path
 *   accounts: user -> cache id -> record     found by a request; each user's records in the order of their last use
 *   recent:   the last {@value #RECENT_MAX} changed paths, or fewer    found by a grant that was read before a change and made after it
 * </pre>
 *
 * <p>Bounds: all takes at most the budget, a sixteenth of it for the recent changes. When 15/16 of the rest are used, the user with the most bytes loses the records that were used
 * longest ago, at most {@value #RECLAIMED_AT_ONCE} grants with each new one; a grant that would exceed the budget is refused. Time: a
 * grant O(log n); a change O(log n + grants at or below its path), of which there may be {@value #CHANGED_AT_ONCE_MAX} before
 * everything is forgotten instead, which takes constant time.
 *
 * <p>Thread-safe: one monitor for the recent changes and one for each record and each account, held for one change of it each.
 */
public final class GrantTable {

    private static final int RECENT_MAX = 1024;
    private static final int RECLAIMED_AT_ONCE = 64;
    private static final int RECORDS_AT_ONCE = 64;

    /** 10,000 grants take about 10 ms of a handler's time, as a directory of so many files takes when it is deleted. */
    private static final int CHANGED_AT_ONCE_MAX = 10_000;

    /** So that no record expires with a request under way. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int HIGH_PART = 15;
    private static final int PARTS = 16;

    /** Is told what happens; must return at once. */
    public interface Events {
        /** A client's entry was made invalid by a change. */
        void invalidated();

        /** A client is told to forget everything, as too much had changed. */
        void overflowed();

        /** Records were closed for want of room, or a grant was refused. */
        void crowded(long grants);

        /** All clients are told to forget everything. */
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

    /** The first change whose path is still there. */
    @GuardedBy("recent")
    private long recentFrom;

    private volatile long recentBytes;
    private volatile long position;
    private volatile Generation generation = new Generation();

    /**
     * Makes an empty one.
     *
     * @param budgetBytes what all may take
     * @param maxChanges how many changes are kept for one cache
     * @param firstNumber any number; records are numbered from here, so it should differ from those of other tables
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

    /** The record of a user's cache; a new one if there is none. */
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
        record.keptUntil(nowNanos + IDLE_NANOS);
        relieve(current);
        return record;
    }

    private CacheRecord newRecord(Generation current, Account account, long nowNanos) {
        long number = lastNumber.incrementAndGet();
        return new CacheRecord(
                number == 0 ? lastNumber.incrementAndGet() : number, maxChanges, current, account, nowNanos);
    }

    /** How many changes there have been; to be asked before what is granted is read. */
    public long position() {
        return position;
    }

    /**
     * A cache is granted an entry.
     *
     * @param path by which changes are told
     * @param name by which the client knows the entry
     * @param readAt the position before the entry was read
     * @return false if the client must not keep the entry, as it has changed since, may have, or cannot be kept track of
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
     * A file, or a directory with everything below it, has changed.
     *
     * @param path without a slash at its end; an empty text is the root
     */
    public void changed(String path) {
        note(path);
        Generation current = generation;
        int left = CHANGED_AT_ONCE_MAX;
        left = tellHolders(current, Grant.before(path), Grant.before(path + '\0'), left);
        left = tellHolders(current, Grant.before(path + '/'), Grant.before(path + (char) ('/' + 1)), left);
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

    /** A text's heap; a character takes two bytes at most. */
    private static long recentBytes(String path) {
        return 56 + 2L * path.length();
    }

    /** How many more may be told; less than 0 if there were too many. */
    private int tellHolders(Generation current, Grant from, Grant to, int max) {
        int left = max;
        if (left < 0 || current.grants() == 0) {
            return left;
        }
        for (Grant grant : current.between(from, to)) {
            left--;
            if (left < 0) {
                return left;
            }
            switch (grant.record.changed(grant)) {
                case GONE:
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

    /** Anything may have changed: each cache gets a new record. Takes constant time. */
    public void everythingChanged() {
        // In this order: whoever gets a new record is refused what was read before.
        note("");
        Generation before = generation;
        generation = new Generation();
        before.end();
        events.forgotten();
    }

    /** Makes room ahead of need, and little at once. */
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
                for (CacheRecord record : heaviest.takeEldest(RECLAIMED_AT_ONCE, RECORDS_AT_ONCE)) {
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

    /** Forgets the records of caches that hold nothing any more. To be called from time to time, not on a request. */
    public void expire(long nowNanos) {
        Generation current = generation;
        for (Account account : current.accounts.values()) {
            for (CacheRecord record : account.takeOver(nowNanos)) {
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

    /** How many entries are kept track of. */
    public long grants() {
        return generation.grants();
    }

    /** How many bytes are taken, as they are counted. */
    public long bytes() {
        return generation.bytes() + recentBytes;
    }

    /** How many of them the recent changes take. */
    long recentBytes() {
        return recentBytes;
    }

    public long budgetBytes() {
        return budgetBytes;
    }
}

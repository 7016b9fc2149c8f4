/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One user's records and their bytes. Thread-safe; the monitor is held for one look-up, and never inside a record's
 * monitor.
 */
final class Account {

    /** The account, its map and its entry among the accounts; an estimate from the objects' layouts. */
    private static final int FIXED_BYTES = 256;

    private final String user;
    private final Generation generation;
    private final AtomicLong bytes = new AtomicLong();

    /** In order of last use, the least recently used record first. */
    @GuardedBy("this")
    private final Map<Long, CacheRecord> records = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private boolean removed;

    Account(String user, Generation generation) {
        this.user = user;
        this.generation = generation;
        generation.charge(fixedBytes(user));
    }

    /** The bytes of a user without a record. */
    static long fixedBytes(String user) {
        return FIXED_BYTES + 2L * user.length();
    }

    String user() {
        return user;
    }

    long bytes() {
        return bytes.get();
    }

    void charge(long change) {
        bytes.addAndGet(change);
        generation.charge(change);
    }

    /** The record of a cache; made if there is none. Null if the account was removed. */
    synchronized @Nullable CacheRecord record(long cacheId, LongFunction<CacheRecord> maker) {
        if (removed) {
            return null;
        }
        CacheRecord record = records.get(cacheId);
        if (record == null) {
            record = maker.apply(cacheId);
            records.put(cacheId, record);
            charge(CacheRecord.FIXED_BYTES);
        }
        return record;
    }

    /** Removes and returns the records whose grants have all expired, up to the first record with a live grant. */
    synchronized List<CacheRecord> removeExpired(long nowNanos) {
        List<CacheRecord> over = new ArrayList<>();
        Iterator<CacheRecord> each = records.values().iterator();
        while (each.hasNext()) {
            CacheRecord eldest = each.next();
            if (!eldest.isExpired(nowNanos)) {
                break;
            }
            each.remove();
            over.add(eldest);
        }
        return over;
    }

    /**
     * Removes and returns the least recently used records, until they hold this many grants or their number is the
     * maximum.
     */
    synchronized List<CacheRecord> removeEldest(int grants, int max) {
        List<CacheRecord> eldest = new ArrayList<>();
        Iterator<CacheRecord> each = records.values().iterator();
        int held = 0;
        while (held < grants && eldest.size() < max && each.hasNext()) {
            CacheRecord record = each.next();
            each.remove();
            eldest.add(record);
            held += record.size();
        }
        return eldest;
    }

    /**
     * Removes the account if it has no records.
     *
     * @return whether the account is removed
     */
    synchronized boolean removeIfEmpty() {
        if (!removed && records.isEmpty()) {
            removed = true;
            generation.charge(-fixedBytes(user));
        }
        return removed;
    }
}

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

/** One user's records, and how many bytes they take. Thread-safe; its monitor is held for a look-up, and never inside a record's. */
final class Account {

    /** The object, its map and its place among the accounts; an estimate from the objects' layouts. */
    private static final int FIXED_BYTES = 256;

    private final String user;
    private final Generation generation;
    private final AtomicLong bytes = new AtomicLong();

    /** The one that was used longest ago first. */
    @GuardedBy("this")
    private final Map<Long, CacheRecord> records = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private boolean removed;

    Account(String user, Generation generation) {
        this.user = user;
        this.generation = generation;
        generation.charge(fixedBytes(user));
    }

    /** What a user takes without a record. */
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

    /** The record of a cache, made if there is none; null if the account was removed. */
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

    /** Takes out records of which clients hold nothing any more, up to the first that is still held. */
    synchronized List<CacheRecord> takeOver(long nowNanos) {
        List<CacheRecord> over = new ArrayList<>();
        Iterator<CacheRecord> each = records.values().iterator();
        while (each.hasNext()) {
            CacheRecord eldest = each.next();
            if (!eldest.isOver(nowNanos)) {
                break;
            }
            each.remove();
            over.add(eldest);
        }
        return over;
    }

    /** Takes out the records that were used longest ago, until they hold so many grants or are so many. */
    synchronized List<CacheRecord> takeEldest(int grants, int max) {
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

    /** Whether it had no record, so that it is removed. */
    synchronized boolean removeIfEmpty() {
        if (!removed && records.isEmpty()) {
            removed = true;
            generation.charge(-fixedBytes(user));
        }
        return removed;
    }
}

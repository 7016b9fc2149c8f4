/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** A client's cache that follows the protocol. For one thread. */
final class FakeClient {

    private static final class Entry {
        final long version;
        final long untilNanos;

        Entry(long version, long untilNanos) {
            this.version = version;
            this.untilNanos = untilNanos;
        }
    }

    private final GrantTable table;
    private final String user;
    private final long cacheId;
    private final long keptNanos;
    private final Map<String, Entry> entries = new HashMap<>();
    private long recordNumber;

    FakeClient(GrantTable table, String user, long cacheId, long keptNanos) {
        this.table = table;
        this.user = user;
        this.cacheId = cacheId;
        this.keptNanos = keptNanos;
    }

    /** One request and its reply, which grants files. */
    void ask(List<String> files, ToLongFunction<String> versions, long nowNanos) {
        long readAt = table.position();
        Map<String, Entry> read = new HashMap<>();
        for (String file : files) {
            read.put(file, new Entry(versions.applyAsLong(file), nowNanos + keptNanos));
        }
        answer(read, readAt, nowNanos);
    }

    /** The second half of a request, for entries that were read earlier. */
    private void answer(Map<String, Entry> read, long readAt, long nowNanos) {
        CacheRecord record = table.record(cacheId, user, nowNanos);
        List<String> notKept = new ArrayList<>();
        read.forEach((file, entry) -> {
            if (!table.granted(record, file, file, entry.untilNanos, readAt, nowNanos)) {
                notKept.add(file);
            }
        });
        CacheRecord.Changes changes = record.take();
        if (record.number() != recordNumber) {
            entries.clear();
            recordNumber = record.number();
        }
        entries.putAll(read);
        if (changes.isEverything()) {
            entries.clear();
        }
        changes.names().forEach(entries::remove);
        notKept.forEach(entries::remove);
    }

    /** The entries that are older than the file and have not expired. */
    List<String> stale(ToLongFunction<String> versions, long nowNanos) {
        List<String> stale = new ArrayList<>();
        entries.forEach((file, entry) -> {
            if (entry.untilNanos - nowNanos > 0 && entry.version < versions.applyAsLong(file)) {
                stale.add(file);
            }
        });
        return stale;
    }

    int size() {
        return entries.size();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All that a table knows between two moments at which it forgets everything. Thread-safe, without a lock. */
final class Generation {

    final ConcurrentMap<String, Account> accounts = new ConcurrentHashMap<>();

    /** Closed records whose grants are still in the index. */
    final Queue<CacheRecord> closed = new ConcurrentLinkedQueue<>();

    final AtomicBoolean choosing = new AtomicBoolean();

    private final ConcurrentSkipListMap<Grant, Boolean> index = new ConcurrentSkipListMap<>(Grant.ORDER);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong grants = new AtomicLong();
    private volatile boolean current = true;

    boolean isCurrent() {
        return current;
    }

    void end() {
        current = false;
    }

    void index(Grant grant) {
        if (index.put(grant, Boolean.TRUE) == null) {
            grants.incrementAndGet();
        }
    }

    void unindex(Grant grant) {
        if (index.remove(grant) != null) {
            grants.decrementAndGet();
        }
    }

    Iterable<Grant> between(Grant from, Grant to) {
        return index.subMap(from, to).keySet();
    }

    void charge(long change) {
        bytes.addAndGet(change);
    }

    long bytes() {
        return bytes.get();
    }

    long grants() {
        return grants.get();
    }

    /** The account of the user with the most bytes; takes time in proportion to the number of users. */
    @Nullable
    Account heaviest() {
        Account heaviest = null;
        for (Account account : accounts.values()) {
            if (heaviest == null || account.bytes() > heaviest.bytes()) {
                heaviest = account;
            }
        }
        return heaviest;
    }
}

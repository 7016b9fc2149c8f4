/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import java.util.Collections;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All records of a table between two resets of the table. Thread-safe without locks. */
final class Generation {

    /**
     * The accounts that one call visits, so that a request takes the same time with many users as with few. Chosen, not
     * measured.
     */
    static final int LOOKED_AT_ONCE = 64;

    final ConcurrentMap<String, Account> accounts = new ConcurrentHashMap<>();

    /** Closed records whose grants are still in the index. */
    final Queue<CacheRecord> closed = new ConcurrentLinkedQueue<>();

    final AtomicBoolean choosing = new AtomicBoolean();

    private final ConcurrentSkipListMap<Grant, Boolean> index = new ConcurrentSkipListMap<>(Grant.ORDER);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong grants = new AtomicLong();
    private volatile boolean current = true;

    /** Accessed only by the thread that has set {@link #choosing}. */
    private Iterator<Account> next = Collections.emptyIterator();

    private @Nullable Account heaviest;

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

    /**
     * The account of the user with the most bytes among the visited accounts. Each call visits the next
     * {@value #LOOKED_AT_ONCE} accounts in turn, and the heaviest account of the earlier calls. With no more users than
     * that it is the heaviest of all. Only for the thread that has set {@link #choosing}.
     */
    @Nullable
    Account heaviest() {
        Account found = heaviest != null && accounts.get(heaviest.user()) == heaviest ? heaviest : null;
        for (int i = 0; i < LOOKED_AT_ONCE; i++) {
            if (!next.hasNext()) {
                next = accounts.values().iterator();
                if (!next.hasNext()) {
                    break;
                }
            }
            Account account = next.next();
            if (found == null || account.bytes() > found.bytes()) {
                found = account;
            }
        }
        heaviest = found;
        return found;
    }
}

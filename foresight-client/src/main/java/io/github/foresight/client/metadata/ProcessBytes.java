/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that the cached layouts of all file systems of this JVM take, and its limit.
 *
 * <p>A cache lets go of entries that are past their age when it is next used. A file system that nobody uses keeps them. So at the limit
 * all caches are asked to let go of them, at most once a second. What does not fit then is not cached, and the next open asks the NameNode.
 * A cache that was collected as garbage counts until that moment. Thread-safe.
 */
final class ProcessBytes {

    /** The account of this JVM. */
    static final ProcessBytes INSTANCE = new ProcessBytes(Ticker.systemTicker());

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ticker clock;
    private final AtomicLong total = new AtomicLong();

    @GuardedBy("accounts")
    private final List<Account> accounts = new ArrayList<>();

    @GuardedBy("accounts")
    private long sweptAtNanos;

    @GuardedBy("accounts")
    private boolean hasSwept;

    ProcessBytes(Ticker clock) {
        this.clock = clock;
    }

    /** The share of one cache. Does not keep the cache from the collector. */
    final class Account {
        private final WeakReference<CachedFiles> owner;
        private final AtomicLong bytes = new AtomicLong();

        private Account(CachedFiles owner) {
            this.owner = new WeakReference<>(owner);
        }

        /** Whether an entry fits into the limit; it is to be {@linkplain #add added} then. */
        boolean hasRoom(long entryBytes, long limit) {
            return total.get() + entryBytes <= limit || (sweep() && total.get() + entryBytes <= limit);
        }

        /** Entries have come, or with a negative number gone. */
        void add(long entryBytes) {
            bytes.addAndGet(entryBytes);
            total.addAndGet(entryBytes);
        }
    }

    /** The account of a new cache. */
    Account open(CachedFiles owner) {
        Account account = new Account(owner);
        synchronized (accounts) {
            accounts.add(account);
        }
        return account;
    }

    /** The heap of all cached layouts, bytes. */
    long total() {
        return total.get();
    }

    /** Has all caches let go of what is past its age; returns whether that was due. */
    private boolean sweep() {
        List<CachedFiles> caches = new ArrayList<>();
        synchronized (accounts) {
            long now = clock.read();
            if (hasSwept && now - sweptAtNanos < SWEEP_NANOS) {
                return false;
            }
            hasSwept = true;
            sweptAtNanos = now;
            Iterator<Account> all = accounts.iterator();
            while (all.hasNext()) {
                Account account = all.next();
                CachedFiles cache = account.owner.get();
                if (cache == null) {
                    total.addAndGet(-account.bytes.get());
                    all.remove();
                } else {
                    caches.add(cache);
                }
            }
        }
        caches.forEach(CachedFiles::expire);
        return true;
    }
}

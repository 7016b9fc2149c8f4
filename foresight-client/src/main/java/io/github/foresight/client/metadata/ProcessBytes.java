/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The heap that the cached layouts of all file systems of this JVM take, and its limit.
 *
 * <p>A cache lets go of entries that are past their age when it is next used. A file system that nobody uses keeps them. So at the limit
 * all caches are asked to let go of them, at most once a second. What does not fit then is not cached, and the next open asks the NameNode.
 * Entries that come at the same moment may go over the limit together. What a collected cache had is given back with the next new cache, or
 * at the limit. Thread-safe.
 */
final class ProcessBytes {

    /** The account of this JVM. */
    static final ProcessBytes INSTANCE = new ProcessBytes(Ticker.systemTicker());

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ticker clock;
    private final AtomicLong total = new AtomicLong();
    private final ReferenceQueue<CachedFiles> collected = new ReferenceQueue<>();

    @GuardedBy("accounts")
    private final Set<Account> accounts = new HashSet<>();

    @GuardedBy("accounts")
    private long sweptAtNanos;

    @GuardedBy("accounts")
    private boolean hasSwept;

    ProcessBytes(Ticker clock) {
        this.clock = clock;
    }

    /** The share of one cache. Does not keep the cache from the collector. */
    final class Account extends WeakReference<CachedFiles> {
        private final AtomicLong bytes = new AtomicLong();

        private Account(CachedFiles owner) {
            super(owner, collected);
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
            closeCollected();
            accounts.add(account);
        }
        return account;
    }

    /** The heap of all cached layouts, bytes. */
    long total() {
        return total.get();
    }

    /** The number of caches that are known. */
    int caches() {
        synchronized (accounts) {
            return accounts.size();
        }
    }

    @GuardedBy("accounts")
    private void closeCollected() {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            Account account = (Account) gone;
            total.addAndGet(-account.bytes.get());
            accounts.remove(account);
        }
    }

    /** Has all caches let go of what is past its age; returns whether that was due. */
    private boolean sweep() {
        List<CachedFiles> caches;
        synchronized (accounts) {
            long now = clock.read();
            if (hasSwept && now - sweptAtNanos < SWEEP_NANOS) {
                return false;
            }
            hasSwept = true;
            sweptAtNanos = now;
            closeCollected();
            caches = accounts.stream()
                    .map(Account::get)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toCollection(ArrayList::new));
        }
        caches.forEach(CachedFiles::expire);
        return true;
    }
}

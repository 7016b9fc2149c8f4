/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells clients' caches what has changed of the entries they were given: what is known to be held by one is queued for it when it
 * changes, and goes out with its next reply.
 *
 * <p>An entry is kept track of for as long as the client keeps it. Everything is bounded: entries kept track of, the oldest giving
 * way, and changes queued for one client, beyond which it is told to forget everything. What is missed so is bounded by the age
 * of entries. Thread-safe, without a lock over all.
 */
final class Invalidations {

    private static final Duration CACHE_IDLE = Duration.ofMinutes(20);
    private static final long LONGEST_KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A client's clock may begin an entry's age later than ours. */
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int RECENT_MAX = 1024;

    /** What goes to one client's cache with its next reply. Thread-safe. */
    static final class CacheQueue {
        private final int max;

        @GuardedBy("this")
        private final Set<String> changed = new LinkedHashSet<>();

        @GuardedBy("this")
        private boolean overflowed;

        CacheQueue(int max) {
            this.max = max;
        }

        /** False if that is one too many, for the first time since the last reply. */
        synchronized boolean add(String path) {
            if (overflowed) {
                return true;
            }
            changed.add(path);
            if (changed.size() <= max) {
                return true;
            }
            overflow();
            return false;
        }

        synchronized void overflow() {
            overflowed = true;
            changed.clear();
        }

        synchronized void moveTo(NameNodeNoteProto.Builder note) {
            if (overflowed) {
                note.setAllInvalidated(true);
            } else {
                note.addAllInvalidated(changed);
            }
            changed.clear();
            overflowed = false;
        }
    }

    private static final class CacheName {
        final long cacheId;
        final String user;

        CacheName(long cacheId, String user) {
            this.cacheId = cacheId;
            this.user = user;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof CacheName && ((CacheName) o).cacheId == cacheId && ((CacheName) o).user.equals(user);
        }

        @Override
        public int hashCode() {
            return Objects.hash(cacheId, user);
        }
    }

    /** An entry that a cache holds. */
    private static final class Grant {
        static final Comparator<Grant> ORDER =
                Comparator.<Grant, String>comparing(grant -> grant.path).thenComparingInt(grant -> grant.number);

        final String path;
        final int number;
        final CacheQueue queue;
        final long untilNanos;

        /** What comes first among all of a path. */
        static Grant firstOf(String path) {
            return new Grant(path, Integer.MIN_VALUE, new CacheQueue(0), 0);
        }

        Grant(String path, int number, CacheQueue queue, long untilNanos) {
            this.path = path;
            this.number = number;
            this.queue = queue;
            this.untilNanos = untilNanos;
        }
    }

    private final NameNodeMetrics metrics;
    private final int maxQueued;
    private final int maxGrants;
    private final Cache<CacheName, CacheQueue> queues;
    private final ConcurrentSkipListMap<Grant, Boolean> grants = new ConcurrentSkipListMap<>(Grant.ORDER);
    private final Queue<Grant> byAge = new ConcurrentLinkedQueue<>();
    private final AtomicInteger tracked = new AtomicInteger();
    private final AtomicInteger lastNumber = new AtomicInteger();

    @GuardedBy("recent")
    private final String[] recent = new String[RECENT_MAX];

    private volatile long changes;

    Invalidations(int maxQueued, int maxGrants, int maxCaches, NameNodeMetrics metrics) {
        this.metrics = metrics;
        this.maxGrants = maxGrants;
        this.maxQueued = maxQueued;
        this.queues = Caffeine.newBuilder()
                .maximumSize(maxCaches)
                .expireAfterAccess(CACHE_IDLE)
                .executor(Runnable::run)
                .build();
    }

    /** What is queued for a user's cache. */
    CacheQueue queue(long cacheId, String user) {
        return queues.get(new CacheName(cacheId, user), unused -> new CacheQueue(maxQueued));
    }

    /** How many changes there have been; to be asked before what is given is read. */
    long position() {
        return changes;
    }

    /**
     * A cache is given an entry.
     *
     * @param readAt the position before the entry was read; what has changed since is queued at once
     */
    void given(CacheQueue queue, String path, long keptNanos, long readAt, long nowNanos) {
        long until = nowNanos + Math.min(keptNanos, LONGEST_KEPT_NANOS) + SLACK_NANOS;
        Grant grant = new Grant(path, lastNumber.incrementAndGet(), queue, until);
        grants.put(grant, Boolean.TRUE);
        byAge.add(grant);
        tracked.incrementAndGet();
        forgetOld(nowNanos);
        queueChangesSince(readAt, path, queue);
    }

    private void forgetOld(long nowNanos) {
        for (Grant oldest = byAge.peek(); oldest != null; oldest = byAge.peek()) {
            boolean expired = oldest.untilNanos - nowNanos <= 0;
            if (!expired && tracked.get() <= maxGrants) {
                return;
            }
            if (byAge.remove(oldest)) {
                tracked.decrementAndGet();
                boolean held = grants.remove(oldest) != null;
                if (held && !expired) {
                    metrics.grantsForgotten.incr();
                }
            }
        }
    }

    private void queueChangesSince(long readAt, String path, CacheQueue queue) {
        if (changes == readAt) {
            return;
        }
        synchronized (recent) {
            if (changes - readAt > RECENT_MAX) {
                queue.overflow();
                return;
            }
            for (long change = readAt; change < changes; change++) {
                String changed = recent[(int) (change % RECENT_MAX)];
                if (isAtOrBelow(path, changed)) {
                    queue.add(path);
                    return;
                }
            }
        }
    }

    private static boolean isAtOrBelow(String path, String changed) {
        return path.startsWith(changed) && (path.length() == changed.length() || path.charAt(changed.length()) == '/');
    }

    /** A file, or a directory with everything below it, has changed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void changed(String path) {
        String changed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        synchronized (recent) {
            recent[(int) (changes % RECENT_MAX)] = changed;
            changes++;
        }
        if (!grants.isEmpty()) {
            queueHeld(Grant.firstOf(changed), Grant.firstOf(changed + '\0'));
            queueHeld(Grant.firstOf(changed + '/'), Grant.firstOf(changed + (char) ('/' + 1)));
        }
    }

    private void queueHeld(Grant from, Grant to) {
        for (Grant grant : grants.subMap(from, to).keySet()) {
            if (grants.remove(grant) != null) {
                metrics.invalidated.incr();
                if (!grant.queue.add(grant.path)) {
                    metrics.invalidationsOverflowed.incr();
                }
            }
        }
    }

    /** How many entries are kept track of. */
    int grantCount() {
        return grants.size();
    }
}

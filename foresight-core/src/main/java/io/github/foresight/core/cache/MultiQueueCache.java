/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides which blocks a DataNode keeps in memory, so that a prefetched block is not displaced before it is read (SSPF, Li et
 * al., section II.C and Fig. 5).
 *
 * <p>Holds no data: it accounts for whole blocks that an adapter pins when they are admitted and unpins when they leave.
 *
 * <pre>
 *   admit --&gt; UNACCESSED --- read by its client ---&gt; ACCESSED --- retry time passed --&gt; out
 *             (FIFO)   \                             (FIFO)
 *                       \ read by another              | read again
 *                        \                             v
 *                         +------------------------&gt; CACHING --- idle, or the policy's victim --&gt; out
 *                                                     ^    | hit
 *                                                     +----+
 * </pre>
 *
 * <p><b>Order of eviction.</b> An admission that finds too little room, in bytes or in {@link CacheSettings#maxEntries()
 * entries}, takes it from ACCESSED, oldest first; then from CACHING, the policy's coldest first, provided that UNACCESSED is
 * below its share; last from those blocks of UNACCESSED that have waited for {@link CacheSettings#unaccessedMaxNanos()}, oldest
 * first. If all that is not enough, the newcomer is refused and nothing leaves. A younger unaccessed block is never displaced,
 * except by {@link #resize}; a block that moves between queues displaces none, since it has its room already.
 *
 * <p><b>Length of ACCESSED.</b> The paper fixes it by the time after which a client repeats a request. Here each block stays for
 * {@link CacheSettings#retryNanos()}, which is the same: at an arrival rate r a queue of blocks that each stay for T has r T of
 * them (Little's law), and no rate has to be estimated.
 *
 * <p><b>Benefit-aware reassignment.</b> The capacity is divided into a share for UNACCESSED and one for CACHING; ACCESSED lives in
 * what is idle. Each period the hits in the header chunk of UNACCESSED, its oldest {@link CacheSettings#chunkBytes()}, are
 * compared with those in the victim chunk of CACHING, the part that its policy would give up first. If the higher number
 * exceeds the lower by more than {@link CacheSettings#reassignThreshold()} of it and is itself more than {@link
 * CacheSettings#reassignMinHits()}, one chunk of share moves to its queue. What the paper leaves open is settled so:
 *
 * <ul>
 *   <li>Shares count only when the cache is full; either queue may use idle room. A share never forces out unaccessed blocks:
 *       UNACCESSED above its share only stops taking room from CACHING until readers have drained it.
 *   <li>In the beginning all of the share belongs to UNACCESSED, which is the paper's fixed order of eviction. CACHING earns
 *       protection by its hits. UNACCESSED keeps at least one chunk, so a block at a time is always prefetched.
 *   <li>When a share goes back to UNACCESSED, CACHING gives up its coldest blocks until a chunk of room is there or it is
 *       within its share.
 *   <li>A period in which no admission found the cache full moves no share: there was nothing to divide.
 *   <li>Chunks are made of whole blocks: a block belongs to the chunk in which it begins.
 * </ul>
 *
 * <p>Each operation takes constant amortised time, apart from a reassignment, which may look at one chunk of blocks. Memory is
 * bounded by {@link CacheSettings#maxEntries()}. Times are readings of any one steady clock and may wrap around. Not
 * thread-safe: the adapter guards it with one lock.
 *
 * @param <K> a block's identity, with equals and hashCode
 */
public final class MultiQueueCache<K> {

    /** Where a block is; it is in one of them only. */
    public enum Queue {
        /** Prefetched and not read yet. */
        UNACCESSED,
        /** Popular: read by others than the client it was prefetched for, or more than once. */
        CACHING,
        /** Read once by the client it was prefetched for. */
        ACCESSED
    }

    private final CacheSettings settings;
    private final Map<K, Block<K>> blocks = new HashMap<>();
    private final BlockList<K> unaccessed = new BlockList<>();
    private final BlockList<K> caching = new BlockList<>();
    private final BlockList<K> accessed = new BlockList<>();
    private final BlockList.Front<K> headerChunk = unaccessed.front();
    private final BlockList.Front<K> overdue = unaccessed.front();
    private final CachingPolicy<K> policy;

    private long capacityBytes;
    private long cachingShareBytes;

    private long unaccessedHits;
    private long cachingHits;
    private long accessedHits;

    private boolean periodBegun;
    private long periodStartNanos;
    private boolean wasFull;
    private long headerChunkHits;
    private long victimChunkHits;

    /** Begins empty. */
    public MultiQueueCache(CacheSettings settings) {
        this.settings = settings;
        this.capacityBytes = settings.capacityBytes();
        this.policy = settings.policy() == CachingPolicyKind.LRU
                ? new LruPolicy<>(caching, settings.chunkBytes())
                : new TinyLfuPolicy<>(caching, settings.capacityBytes(), settings.chunkBytes());
    }

    // ---- what happens to a block ----

    /**
     * Takes a block in as prefetched and not read yet, if there is room or room can be made.
     *
     * <p>Refused, with nothing changed, is a block that is in the cache already, that is larger than the cache, or for which too
     * little can be evicted.
     *
     * @param bytes the memory it will take, at least 1
     * @param clientId the client it is prefetched for
     * @throws IllegalArgumentException if {@code bytes} is out of range
     */
    public Admission<K> admit(K key, long bytes, long clientId, long nowNanos) {
        Objects.requireNonNull(key, "key");
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes must be at least 1: " + bytes);
        }
        if (blocks.containsKey(key) || bytes > capacityBytes) {
            return Admission.refused();
        }
        List<Eviction<K>> victims = ImmutableList.of();
        if (!hasRoom(bytes)) {
            wasFull = true;
            boolean fromCaching = unaccessed.bytes() < unaccessedShareBytes();
            overdue.growToAge(settings.unaccessedMaxNanos(), nowNanos);
            long evictable = accessed.bytes() + overdue.bytes() + (fromCaching ? caching.bytes() : 0);
            // An entry is freed by any one victim, so where entries are short it is enough that there is one.
            if (evictable == 0 || bytes > idleBytes() + evictable) {
                return Admission.refused();
            }
            victims = makeRoom(bytes, fromCaching);
        }
        Block<K> block = new Block<>(key, bytes, clientId, nowNanos);
        blocks.put(key, block);
        unaccessed.append(block);
        return Admission.admitted(victims);
    }

    /** A client has read a block; moves it on if the cache has it. */
    public Access<K> access(K key, long clientId, long nowNanos) {
        Block<K> block = blocks.get(key);
        if (block == null) {
            return Access.miss();
        }
        Queue foundIn = block.queue;
        switch (foundIn) {
            case UNACCESSED:
                unaccessedHits++;
                headerChunk.growToBytes(settings.chunkBytes());
                if (headerChunk.contains(block)) {
                    headerChunkHits++;
                }
                unaccessed.remove(block);
                return Access.hit(
                        foundIn,
                        clientId == block.clientId ? enterAccessed(block, nowNanos) : enterCaching(block, nowNanos));
            case ACCESSED:
                accessedHits++;
                accessed.remove(block);
                return Access.hit(foundIn, enterCaching(block, nowNanos));
            case CACHING:
                cachingHits++;
                if (policy.hit(block)) {
                    victimChunkHits++;
                }
                caching.remove(block);
                block.sinceNanos = nowNanos;
                caching.append(block);
                return Access.hit(foundIn, ImmutableList.of());
        }
        throw new AssertionError(foundIn);
    }

    /** Forgets a block; says whether it was there. It is not reported as a victim. */
    @CanIgnoreReturnValue
    public boolean remove(K key) {
        Block<K> block = blocks.get(key);
        if (block == null) {
            return false;
        }
        unlink(block);
        return true;
    }

    /**
     * Time has passed: lets go what has aged and, when a period has ended, compares the queues' benefits. To be called
     * regularly, a few times in a period.
     *
     * @return what left, in this order
     */
    public List<Eviction<K>> expire(long nowNanos) {
        List<Eviction<K>> victims = new ArrayList<>();
        Block<K> oldest = accessed.oldest();
        while (oldest != null && oldest.isAged(settings.retryNanos(), nowNanos)) {
            victims.add(evict(oldest, Eviction.Reason.RETRY_TIME_PASSED));
            oldest = accessed.oldest();
        }
        oldest = caching.oldest();
        while (oldest != null && oldest.isAged(settings.idleNanos(), nowNanos)) {
            victims.add(evict(oldest, Eviction.Reason.IDLE));
            oldest = caching.oldest();
        }
        if (!periodBegun) {
            beginPeriod(nowNanos);
        } else if (nowNanos - periodStartNanos >= settings.reassignPeriodNanos()) {
            reassign(victims);
            beginPeriod(nowNanos);
        }
        return ImmutableList.copyOf(victims);
    }

    /**
     * Changes the capacity; what no longer fits leaves in the order of eviction, and here unaccessed blocks are the last but
     * not exempt.
     *
     * @param newCapacityBytes at least 0
     * @return what left, in this order
     * @throws IllegalArgumentException if the capacity is out of range
     */
    public List<Eviction<K>> resize(long newCapacityBytes) {
        if (newCapacityBytes < 0) {
            throw new IllegalArgumentException("capacityBytes must be at least 0: " + newCapacityBytes);
        }
        capacityBytes = newCapacityBytes;
        cachingShareBytes = Math.min(cachingShareBytes, cachingShareMaxBytes());
        List<Eviction<K>> victims = new ArrayList<>();
        while (usedBytes() > capacityBytes) {
            victims.add(evict(nextVictim(true), Eviction.Reason.RESIZED));
        }
        for (Block<K> block : policy.resize(newCapacityBytes)) {
            victims.add(evict(block, Eviction.Reason.RESIZED));
        }
        return ImmutableList.copyOf(victims);
    }

    // ---- what there is ----

    /** Memory that the blocks take, at most the capacity. */
    public long usedBytes() {
        return unaccessed.bytes() + caching.bytes() + accessed.bytes();
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    public long bytes(Queue queue) {
        return list(queue).bytes();
    }

    public int count(Queue queue) {
        return list(queue).count();
    }

    /** Accesses that found their block in this queue, ever since the beginning. */
    public long hits(Queue queue) {
        switch (queue) {
            case UNACCESSED:
                return unaccessedHits;
            case CACHING:
                return cachingHits;
            case ACCESSED:
                return accessedHits;
        }
        throw new AssertionError(queue);
    }

    /** The share of the capacity that CACHING keeps when the cache is full; the rest is UNACCESSED's. */
    public long cachingShareBytes() {
        return cachingShareBytes;
    }

    /** Where a block is, or null if it is not in the cache. */
    public @Nullable Queue queueOf(K key) {
        Block<K> block = blocks.get(key);
        return block == null ? null : block.queue;
    }

    // ---- movement ----

    private List<Eviction<K>> enterAccessed(Block<K> block, long nowNanos) {
        block.queue = Queue.ACCESSED;
        block.sinceNanos = nowNanos;
        accessed.append(block);
        return settings.retryNanos() == 0
                ? ImmutableList.of(evict(block, Eviction.Reason.RETRY_TIME_PASSED))
                : ImmutableList.of();
    }

    private List<Eviction<K>> enterCaching(Block<K> block, long nowNanos) {
        block.queue = Queue.CACHING;
        block.sinceNanos = nowNanos;
        caching.append(block);
        List<Eviction<K>> victims = new ArrayList<>(0);
        for (Block<K> out : policy.add(block)) {
            victims.add(evict(out, out == block ? Eviction.Reason.TURNED_AWAY : Eviction.Reason.ROOM));
        }
        return victims;
    }

    private List<Eviction<K>> makeRoom(long bytes, boolean fromCaching) {
        List<Eviction<K>> victims = new ArrayList<>();
        while (!hasRoom(bytes)) {
            victims.add(evict(nextVictim(fromCaching), Eviction.Reason.ROOM));
        }
        return victims;
    }

    private Block<K> nextVictim(boolean fromCaching) {
        Block<K> victim = accessed.oldest();
        if (victim == null && fromCaching) {
            victim = policy.coldest();
        }
        if (victim == null) {
            victim = unaccessed.oldest();
        }
        return Objects.requireNonNull(victim, "a cache that lacks room has blocks");
    }

    private Eviction<K> evict(Block<K> block, Eviction.Reason reason) {
        unlink(block);
        return new Eviction<>(block, reason);
    }

    private void unlink(Block<K> block) {
        blocks.remove(block.key);
        list(block.queue).remove(block);
        if (block.queue == Queue.CACHING) {
            policy.remove(block);
        }
    }

    // ---- shares ----

    private void beginPeriod(long nowNanos) {
        periodBegun = true;
        periodStartNanos = nowNanos;
        wasFull = false;
        headerChunkHits = 0;
        victimChunkHits = 0;
        policy.beginPeriod();
    }

    private void reassign(List<Eviction<K>> victims) {
        if (!wasFull) {
            return;
        }
        if (outweighs(victimChunkHits, headerChunkHits)) {
            long chunk = Math.min(settings.chunkBytes(), cachingShareMaxBytes() - cachingShareBytes);
            cachingShareBytes += chunk;
        } else if (outweighs(headerChunkHits, victimChunkHits)) {
            long chunk = Math.min(settings.chunkBytes(), cachingShareBytes);
            cachingShareBytes -= chunk;
            if (chunk > 0) {
                handOver(chunk, victims);
            }
        }
    }

    private boolean outweighs(long higher, long lower) {
        return higher > settings.reassignMinHits() && higher - lower > settings.reassignThreshold() * lower;
    }

    private void handOver(long chunk, List<Eviction<K>> victims) {
        while (caching.bytes() > cachingShareBytes && capacityBytes - unaccessed.bytes() - caching.bytes() < chunk) {
            victims.add(evict(Objects.requireNonNull(policy.coldest()), Eviction.Reason.REASSIGNED));
        }
    }

    private long unaccessedShareBytes() {
        return capacityBytes - cachingShareBytes;
    }

    /** All but the chunk that UNACCESSED keeps. */
    private long cachingShareMaxBytes() {
        return Math.max(0, capacityBytes - settings.chunkBytes());
    }

    private boolean hasRoom(long bytes) {
        return bytes <= idleBytes() && blocks.size() < settings.maxEntries();
    }

    private long idleBytes() {
        return capacityBytes - usedBytes();
    }

    private BlockList<K> list(Queue queue) {
        switch (queue) {
            case UNACCESSED:
                return unaccessed;
            case CACHING:
                return caching;
            case ACCESSED:
                return accessed;
        }
        throw new AssertionError(queue);
    }
}

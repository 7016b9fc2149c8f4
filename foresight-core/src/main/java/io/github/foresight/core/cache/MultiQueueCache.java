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
 * Decides which blocks a DataNode keeps in memory, so that a prefetched block is not evicted before it is read. Follows
 * SSPF (Li et al.), section II.C and Fig. 5.
 *
 * <p>The cache holds no data. It accounts for whole blocks; the DataNode pins a block at its admission and unpins it at
 * its eviction.
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
 * <p><b>Order of eviction.</b> An admission may lack room, in bytes or in {@link CacheSettings#maxEntries() entries}.
 * It then evicts blocks in this order:
 *
 * <ul>
 *   <li>blocks of ACCESSED, oldest first;
 *   <li>blocks of CACHING, the policy's coldest first, if UNACCESSED is below its share;
 *   <li>blocks of UNACCESSED that have waited for {@link CacheSettings#unaccessedMaxNanos()}, oldest first.
 * </ul>
 *
 * <p>If this does not make enough room, the new block is refused and nothing is evicted. A younger unaccessed block is
 * never evicted, except by {@link #resize}. A block that moves between queues evicts none, because it already has its
 * room.
 *
 * <p><b>Length of ACCESSED.</b> The paper fixes the length by the time after which a client repeats a request. Here
 * each block stays for {@link CacheSettings#retryNanos()}. The result is the same: at an arrival rate r, a queue of
 * blocks that each stay for T holds r T of them (Little's law). No rate has to be estimated.
 *
 * <p><b>Benefit-aware reassignment.</b> The capacity is divided into a share of UNACCESSED and a share of CACHING;
 * ACCESSED uses idle room. The header chunk of UNACCESSED is its oldest {@link CacheSettings#chunkBytes()}. The victim
 * chunk of CACHING is the part that its policy would evict first. After each period the cache compares the hits in both
 * chunks. One chunk of share moves to the queue with more hits under two conditions. The higher number exceeds the
 * lower by more than the fraction {@link CacheSettings#reassignThreshold()} of the lower. The higher number is more
 * than {@link CacheSettings#reassignMinHits()}. The paper leaves some points open, which are decided here:
 *
 * <ul>
 *   <li>Shares count only when the cache is full; either queue may use idle room. A share never evicts unaccessed
 *       blocks: if UNACCESSED is above its share, it only stops taking room from CACHING until it has shrunk by
 *       reads.
 *   <li>At first all of the share belongs to UNACCESSED, which is the paper's fixed order of eviction. CACHING earns
 *       protection by its hits. UNACCESSED keeps at least one chunk, so that one block at a time can always be
 *       prefetched.
 *   <li>When a share returns to UNACCESSED, CACHING evicts its coldest blocks until a chunk of room is free or
 *       CACHING is within its share.
 *   <li>A period in which no admission found the cache full moves no share, because there was nothing to divide.
 *   <li>Chunks consist of whole blocks: a block belongs to the chunk in which it begins.
 * </ul>
 *
 * <p>Each operation takes constant amortised time, except a reassignment, which may visit one chunk of blocks. Memory
 * is bounded by {@link CacheSettings#maxEntries()}. Times are readings of one steady clock and may wrap around. Not
 * thread-safe: the DataNode guards the cache with one lock.
 *
 * @param <K> a block's identity, with equals and hashCode
 */
public final class MultiQueueCache<K> {

    /** The queues; a block is in exactly one of them. */
    public enum Queue {
        /** Prefetched and not read yet. */
        UNACCESSED,
        /** Popular: read more than once, or by another client than its prefetch was for. */
        CACHING,
        /** Read once, by the client for which it was prefetched. */
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

    /** Makes an empty cache. */
    public MultiQueueCache(CacheSettings settings) {
        this.settings = settings;
        this.capacityBytes = settings.capacityBytes();
        this.policy = settings.policy() == CachingPolicyKind.LRU
                ? new LruPolicy<>(caching, settings.chunkBytes())
                : new TinyLfuPolicy<>(caching, settings.capacityBytes(), settings.chunkBytes());
    }

    // ---- events of a block ----

    /**
     * Admits a block as prefetched and unread, if there is room or room can be made.
     *
     * <p>A block is refused, and nothing changes, in three cases: the cache holds the block already, the block is
     * larger than the cache, or evictions cannot make enough room.
     *
     * @param bytes the block's memory, at least 1
     * @param clientId the client for which the block is prefetched
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
            // Any victim frees an entry. If only entries are short, one evictable block is enough.
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

    /** A client has read a block. Moves the block to its next queue if the cache holds it. */
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

    /**
     * Removes a block, without an eviction.
     *
     * @return whether the cache held the block
     */
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
     * Time has passed. Evicts aged blocks, and compares the queues' benefits at the end of a period. Call this a few
     * times in each period.
     *
     * @return the evicted blocks, in the order of eviction
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
     * Changes the capacity. Blocks that no longer fit are evicted in the order of eviction; unaccessed blocks of any
     * age come last.
     *
     * @param newCapacityBytes at least 0
     * @return the evicted blocks, in the order of eviction
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

    // ---- state ----

    /** The memory of all blocks, at most the capacity. */
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

    /** The number of accesses, since the start, that found their block in this queue. */
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

    /** The share of the capacity that CACHING keeps when the cache is full; the rest is the share of UNACCESSED. */
    public long cachingShareBytes() {
        return cachingShareBytes;
    }

    /** The queue of a block, or null if the cache does not hold the block. */
    public @Nullable Queue queueOf(K key) {
        Block<K> block = blocks.get(key);
        return block == null ? null : block.queue;
    }

    // ---- moves between queues ----

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

    /** The capacity without the chunk that UNACCESSED keeps. */
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

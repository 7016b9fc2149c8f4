/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hint session: one client that reads one file on this DataNode. It joins SSPF's {@code client_session} and
 * {@code file_block_map}.
 *
 * <p>The blocks are in the order in which the client will read them. {@code current} is the furthest block that the
 * client has reached. A new sequence takes time linear in its length, other operations constant time. Not thread-safe.
 */
final class HintSession {

    /** A hinted block and its state in this session. */
    static final class Entry {
        final HintedBlock block;
        final int index;
        BlockState state = BlockState.UNPREFETCH;
        final Set<Long> openStreams = new HashSet<>(2);
        long sentBytes;
        /** Whether the client has opened a stream on the block. */
        boolean arrivedAt;
        /** Whether enough bytes of the block have been sent to count it as read. */
        boolean advanced;

        Entry(HintedBlock block, int index) {
            this.block = block;
            this.index = index;
        }
    }

    /** Less than any part of a block counts: three thirds are one. */
    private static final double ROUNDING = 1e-6;

    /** A smaller part counts as so much of a block, or a client could have any number of parts prefetched at once. */
    private static final double LEAST_FRACTION = 1.0 / 16;

    final SessionId id;
    final Reader reader;
    private final int maxDepth;
    private List<Entry> entries = ImmutableList.of();
    private Map<BlockKey, Entry> byKey = ImmutableMap.of();
    private int current = -1;
    private int depth;
    private boolean sequential;
    private long bytesRead;
    private long lastActiveNanos;
    private int openStreams;

    HintSession(SessionId id, Reader reader, ReadAheadSettings settings, long nowNanos) {
        this.id = id;
        this.reader = reader;
        this.maxDepth = settings.maxDepth();
        this.depth = Math.min(settings.firstDepth(), maxDepth);
        this.lastActiveNanos = nowNanos;
    }

    /**
     * Replaces the sequence. An unchanged block keeps its state.
     *
     * @param blocks no block twice
     * @return the entries of the old sequence that are missing in the new sequence
     */
    Collection<Entry> replaceSequence(Collection<HintedBlock> blocks, boolean sequentialNow) {
        Map<BlockKey, Entry> old = new LinkedHashMap<>(byKey);
        List<Entry> next = new ArrayList<>(blocks.size());
        Map<BlockKey, Entry> nextByKey = new LinkedHashMap<>();
        int nextCurrent = -1;
        for (HintedBlock block : blocks) {
            Entry entry = new Entry(block, next.size());
            Entry known = old.remove(block.key());
            if (known != null && known.block.equals(block)) {
                entry.state = known.state;
                entry.openStreams.addAll(known.openStreams);
                entry.sentBytes = known.sentBytes;
                entry.arrivedAt = known.arrivedAt;
                entry.advanced = known.advanced;
            }
            if (entry.advanced) {
                nextCurrent = entry.index;
            }
            next.add(entry);
            nextByKey.put(block.key(), entry);
        }
        openStreams = next.stream().mapToInt(entry -> entry.openStreams.size()).sum();
        entries = next;
        byKey = nextByKey;
        current = nextCurrent;
        sequential = sequentialNow;
        return old.values();
    }

    Collection<Entry> entries() {
        return entries;
    }

    @Nullable
    Entry entry(BlockKey key) {
        return byKey.get(key);
    }

    /**
     * The entries that may be prefetched now: the block being read and {@link #depth()} blocks after it (Algorithm 1,
     * line 3). Parts of blocks count as the fractions that they are.
     */
    List<Entry> reach() {
        int from = Math.max(current, 0);
        int to = sequential ? endOfReach() : Math.min(entries.size(), 1);
        return from < to ? entries.subList(from, to) : ImmutableList.of();
    }

    private int endOfReach() {
        int end = current + 1;
        double ahead = depth;
        while (end < entries.size() && ahead > ROUNDING) {
            HintedBlock block = entries.get(end).block;
            ahead -= Math.max(LEAST_FRACTION, (double) block.partBytes() / block.lengthBytes());
            end++;
        }
        return end;
    }

    /** Whether the block is further ahead than the next block, and is prefetched only because the reader is fast. */
    boolean reachesDeep(Entry entry) {
        return entry.index > current + 1;
    }

    /** Advances the session to a later block; returns the skipped entries. */
    List<Entry> advanceTo(Entry entry) {
        entry.advanced = true;
        if (entry.index <= current) {
            return ImmutableList.of();
        }
        List<Entry> skipped = entries.subList(current + 1, entry.index);
        current = entry.index;
        return skipped;
    }

    /** Whether the client arrives at this block from an earlier block of the sequence. */
    boolean arrivesAt(Entry entry) {
        return current >= 0 && entry.index > current;
    }

    int depth() {
        return depth;
    }

    /**
     * Adapts the depth to a reader that arrives at a block. A block that is not in memory yet makes the depth larger by one. If the block and
     * the block after it are in memory, the reader is slower than the disk, and the depth becomes smaller by one.
     */
    void adaptDepth(Entry entry) {
        if (entry.state == BlockState.UNPREFETCH || entry.state == BlockState.PREFETCHING) {
            depth = Math.min(maxDepth, depth + 1);
        } else if (entry.index + 1 < entries.size() && entries.get(entry.index + 1).state == BlockState.PREFETCHED) {
            depth = Math.max(1, depth - 1);
        }
    }

    /** Goes back to one block ahead, because a prefetched block was not read. */
    void shallow() {
        depth = 1;
    }

    boolean isSequential() {
        return sequential;
    }

    int size() {
        return entries.size();
    }

    /**
     * Records an open stream.
     *
     * @return whether it is the client's first stream on the block
     */
    boolean streamOpened(Entry entry, long streamId, long nowNanos) {
        boolean firstStream = !entry.arrivedAt;
        entry.arrivedAt = true;
        if (entry.openStreams.add(streamId)) {
            openStreams++;
        }
        lastActiveNanos = nowNanos;
        return firstStream;
    }

    void bytesSent(Entry entry, long bytes, long nowNanos) {
        entry.sentBytes += bytes;
        bytesRead += bytes;
        lastActiveNanos = nowNanos;
    }

    void streamClosed(Entry entry, long streamId, long nowNanos) {
        if (entry.openStreams.remove(streamId)) {
            openStreams--;
        }
        lastActiveNanos = nowNanos;
    }

    void touched(long nowNanos) {
        lastActiveNanos = nowNanos;
    }

    boolean idleSince(long idleNanos, long nowNanos) {
        return nowNanos - lastActiveNanos >= idleNanos;
    }

    /** The number of open streams in this session. */
    int openStreams() {
        return openStreams;
    }

    /** Whether the client has read all hinted blocks. */
    boolean isDone() {
        int last = entries.size() - 1;
        return openStreams == 0 && current == last && (last < 0 || entries.get(last).state == BlockState.ACCESSED);
    }

    long bytesRead() {
        return bytesRead;
    }
}

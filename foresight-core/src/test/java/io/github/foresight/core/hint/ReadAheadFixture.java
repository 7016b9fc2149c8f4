/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import io.github.foresight.core.cache.CacheSettings;
import io.github.foresight.core.cache.CachingPolicyKind;
import io.github.foresight.core.cache.MultiQueueCache;
import java.util.List;
import java.util.stream.IntStream;

/** A {@link ReadAhead} with blocks of 100 bytes. A block counts as read after 20 bytes; the ramp is 10 bytes. */
abstract class ReadAheadFixture {

    static final long LENGTH = 100;
    static final long SESSION_IDLE = 50;
    static final long RETRY = 60;
    static final long OVERDUE = 120;
    static final Reader ALICE = new Reader("alice", "10.0.0.1");
    static final Reader BOB = new Reader("bob", "10.0.0.2");
    static final Reader STRANGER = new Reader("stranger", "10.0.0.3");
    static final SessionId A = new SessionId(1, 7);
    static final SessionId B = new SessionId(2, 7);

    MultiQueueCache<BlockKey> cache = cache(2_000);
    ReadAhead readAhead = readAhead(cache, ReadAheadSettings.builder());
    long now;

    static MultiQueueCache<BlockKey> cache(long capacity) {
        return new MultiQueueCache<>(CacheSettings.builder()
                .capacityBytes(capacity)
                .retryNanos(RETRY)
                .unaccessedMaxNanos(OVERDUE)
                .policy(CachingPolicyKind.LRU)
                .build());
    }

    /** With the idle time above, unless the test has set its own. */
    static ReadAhead readAhead(MultiQueueCache<BlockKey> cache, ReadAheadSettings.Builder builder) {
        ReadAheadSettings given = builder.build();
        boolean ownIdle =
                given.idleNanos() != ReadAheadSettings.builder().build().idleNanos();
        boolean ownRamp =
                given.rampBytes() != ReadAheadSettings.builder().build().rampBytes();
        builder.idleNanos(ownIdle ? given.idleNanos() : SESSION_IDLE);
        builder.rampBytes(ownRamp ? given.rampBytes() : 10);
        return new ReadAhead(builder.advanceBytes(20).build(), cache, HintedBlock::partBytes);
    }

    static BlockKey key(int index) {
        return new BlockKey("pool", index);
    }

    static HintedBlock block(int index, long length) {
        return new HintedBlock(key(index), 1, index * LENGTH, length);
    }

    static List<HintedBlock> blocks(int from, int to) {
        return IntStream.range(from, to).mapToObj(index -> block(index, LENGTH)).toList();
    }

    List<String> hint(SessionId id, Reader reader, boolean sequential, int from, int to) {
        return kinds(
                readAhead.hint(id, reader, blocks(from, to), sequential, now).decisions());
    }

    List<String> release(SessionId id) {
        return kinds(readAhead.release(id, now));
    }

    List<String> open(int index, Reader reader) {
        return kinds(readAhead.streamOpened(key(index), 1, 1, reader, now));
    }

    /** The stream continues from the sum of earlier sends of this test's block. */
    List<String> send(int index, Reader reader, long bytes) {
        sent[index] += bytes;
        return kinds(readAhead.bytesSent(key(index), reader, sent[index], bytes, now));
    }

    private final long[] sent = new long[16];

    List<String> close(int index, Reader reader, long position) {
        return kinds(readAhead.streamClosed(key(index), 1, reader, position, now));
    }

    void readThrough(int index, Reader reader) {
        open(index, reader);
        send(index, reader, LENGTH);
        close(index, reader, LENGTH);
    }

    void loaded(int index) {
        readAhead.prefetched(key(index), now);
    }

    List<BlockState> states(SessionId id, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(index -> readAhead.stateOf(id, key(index)))
                .toList();
    }

    static List<String> kinds(List<Decision> decisions) {
        return decisions.stream()
                .map(decision -> {
                    String what = decision.kind() + " " + decision.block().key().blockId();
                    return switch (decision.kind()) {
                        case UNPIN, DISCARD -> what;
                        default -> what + " up to " + decision.limitBytes();
                    };
                })
                .toList();
    }
}

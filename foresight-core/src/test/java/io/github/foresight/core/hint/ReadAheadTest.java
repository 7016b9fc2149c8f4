/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static io.github.foresight.core.hint.BlockState.ACCESSED;
import static io.github.foresight.core.hint.BlockState.PREFETCHED;
import static io.github.foresight.core.hint.BlockState.PREFETCHING;
import static io.github.foresight.core.hint.BlockState.UNPREFETCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.CacheSettings;
import io.github.foresight.core.cache.CachingPolicyKind;
import io.github.foresight.core.cache.MultiQueueCache;
import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Blocks of 100 bytes; a block counts as read from 20 bytes on; a look at a header is worth 10. */
class ReadAheadTest {

    private static final long LENGTH = 100;
    private static final long SESSION_IDLE = 50;
    private static final long RETRY = 60;
    private static final long OVERDUE = 120;
    private static final Reader ALICE = new Reader("alice", "10.0.0.1");
    private static final Reader BOB = new Reader("bob", "10.0.0.2");
    private static final Reader STRANGER = new Reader("stranger", "10.0.0.3");
    private static final SessionId A = new SessionId(1, 7);
    private static final SessionId B = new SessionId(2, 7);

    private MultiQueueCache<BlockKey> cache = cache(2_000);
    private ReadAhead readAhead = readAhead(cache, ReadAheadSettings.builder());
    private long now;

    // ---- Algorithm 1 ----

    @Test
    void hint_sequential_prefetchesFirstBlockOnly() {
        assertThat(hint(A, ALICE, true, 0, 5)).containsExactly("PREFETCH 0 up to 100");
        assertThat(states(A, 0, 5)).containsExactly(PREFETCHING, UNPREFETCH, UNPREFETCH, UNPREFETCH, UNPREFETCH);
    }

    @Test
    void block_advancedInto_prefetchesNextWhenEnoughWasSentExactly() {
        hint(A, ALICE, true, 0, 5);
        open(0, ALICE);
        assertThat(send(0, ALICE, 19)).isEmpty();
        assertThat(send(0, ALICE, 1)).containsExactly("PREFETCH 1 up to 100");
        assertThat(send(0, ALICE, 50)).as("one block ahead, no more").isEmpty();
    }

    @Test
    void block_shorterThanTheEvidence_countsAsReadAtItsEnd() {
        assertThat(readAhead
                        .hint(A, ALICE, List.of(block(0, 5), block(1, 5)), true, now)
                        .accepted())
                .isEqualTo(2);
        assertThat(send(0, ALICE, 4)).isEmpty();
        assertThat(send(0, ALICE, 1)).containsExactly("PREFETCH 1 up to 5");
    }

    @Test
    void block_loadedAndReadAndClosed_isAccessed() {
        hint(A, ALICE, true, 0, 5);
        loaded(0);
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.UNACCESSED);
        readThrough(0, ALICE);
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
    }

    @Test
    void block_lookedAtAndClosed_staysUnaccessed() {
        hint(A, ALICE, true, 0, 5);
        loaded(0);
        open(0, ALICE);
        send(0, ALICE, 19);
        assertThat(close(0, ALICE, 19)).isEmpty();
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.UNACCESSED);
    }

    @Test
    void blocks_skipped_areDiscardedAndPrefetchGoesOnBehindThem() {
        hint(A, ALICE, true, 0, 6);
        loaded(0);
        send(0, ALICE, 20);
        loaded(1);
        assertThat(send(4, ALICE, 20)).containsExactly("DISCARD 1", "PREFETCH 4 up to 100", "PREFETCH 5 up to 100");
        assertThat(states(A, 0, 6))
                .as("the first is still being read")
                .containsExactly(PREFETCHED, ACCESSED, ACCESSED, ACCESSED, PREFETCHING, PREFETCHING);
    }

    @Test
    void block_existsInCache_isNotPrefetchedAgain() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        assertThat(hint(B, BOB, true, 0, 2)).isEmpty();
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    // ---- until progress is seen ----

    @Test
    void hint_notSequential_prefetchesRampOfFirstBlock() {
        assertThat(hint(A, ALICE, false, 0, 5)).containsExactly("PREFETCH 0 up to 10");
        assertThat(send(0, ALICE, 3)).containsExactly("EXTEND 0 up to 16");
        assertThat(send(0, ALICE, 37)).containsExactly("EXTEND 0 up to 90");
        assertThat(send(0, ALICE, 40)).as("its end").containsExactly("EXTEND 0 up to 100");
        assertThat(states(A, 1, 2)).containsExactly(UNPREFETCH);
    }

    @Test
    void hint_becomesSequential_liftsTheLimitAndGoesAhead() {
        hint(A, ALICE, false, 0, 5);
        send(0, ALICE, 20);
        assertThat(hint(A, ALICE, true, 0, 5)).containsExactly("EXTEND 0 up to 100", "PREFETCH 1 up to 100");
    }

    @Test
    void ramp_hugeSettings_doesNotOverflow() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().rampBytes(Long.MAX_VALUE));
        assertThat(kinds(readAhead
                        .hint(A, ALICE, List.of(block(0, 100)), false, now)
                        .decisions()))
                .containsExactly("PREFETCH 0 up to 100");
    }

    // ---- depth ----

    @Test
    void depth_readerArrivesAtMissingBlock_growsByOneUpToMaximum() {
        hint(A, ALICE, true, 0, 12);
        int ahead = 0;
        for (int block = 0; block < 6; block++) {
            loaded(block - 1);
            open(block, ALICE);
            send(block, ALICE, 20);
            ahead = (int) states(A, block + 1, 12).stream()
                    .filter(state -> state == PREFETCHING)
                    .count();
            assertThat(ahead).as("at block %s", block).isEqualTo(Math.min(block + 1, 4));
        }
        assertThat(ahead).isEqualTo(4);
    }

    @Test
    void depth_blockLoadedInTime_staysAtOne() {
        hint(A, ALICE, true, 0, 12);
        for (int block = 0; block < 6; block++) {
            loaded(block);
            open(block, ALICE);
            send(block, ALICE, 20);
            assertThat(states(A, block + 1, block + 3)).containsExactly(PREFETCHING, UNPREFETCH);
        }
    }

    @Test
    void depth_streamReportedTwice_growsOnce() {
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        send(0, ALICE, 20);
        open(1, ALICE);
        open(1, ALICE);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(states(A, 2, 5)).containsExactly(PREFETCHING, PREFETCHING, UNPREFETCH);
    }

    @Test
    void depth_prefetchedBlockSkipped_fallsBackToOne() {
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        send(0, ALICE, 20);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(states(A, 2, 4)).containsExactly(PREFETCHING, PREFETCHING);
        send(3, ALICE, 20);
        assertThat(states(A, 4, 6)).containsExactly(PREFETCHING, UNPREFETCH);
    }

    @Test
    void depth_halfTheCacheUnread_growsNoFurther() {
        cache = cache(500);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        hint(A, ALICE, true, 0, 12);
        loaded(0);
        open(0, ALICE);
        send(0, ALICE, 20);
        open(1, ALICE);
        send(1, ALICE, 20);
        assertThat(cache.bytes(Queue.UNACCESSED))
                .as("two and the one next, but none deeper")
                .isEqualTo(300);
        assertThat(states(A, 2, 4)).containsExactly(PREFETCHING, UNPREFETCH);
    }

    // ---- streams ----

    @Test
    void stream_openedOnLoadingBlock_expeditesIt() {
        hint(A, ALICE, true, 0, 5);
        assertThat(open(0, ALICE)).containsExactly("EXPEDITE 0 up to 100");
        loaded(0);
        assertThat(open(0, ALICE)).isEmpty();
    }

    @Test
    void stream_ofAnotherGeneration_discardsTheBlock() {
        hint(A, ALICE, true, 0, 5);
        assertThat(kinds(readAhead.streamOpened(key(0), 2, 1, ALICE, now))).containsExactly("DISCARD 0");
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void stream_ofUnhintedBlock_isOfNoInterest() {
        assertThat(open(3, ALICE)).isEmpty();
        assertThat(send(3, ALICE, 100)).isEmpty();
        assertThat(close(3, ALICE, 100)).isEmpty();
        assertThat(readAhead.interestIn(key(3))).isEqualTo(Interest.NONE);
    }

    @Test
    void reader_fasterThanThePrefetch_unpinsIt() {
        hint(A, ALICE, true, 0, 2);
        open(0, ALICE);
        send(0, ALICE, 100);
        assertThat(close(0, ALICE, 100)).containsExactly("UNPIN 0");
        assertThat(cache.queueOf(key(0))).isNull();
    }

    @Test
    void reader_fasterThanThePrefetch_leavesItToAnotherWhoWaits() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        send(0, ALICE, 100);
        assertThat(close(0, ALICE, 100)).isEmpty();
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHING);
    }

    @Test
    void reader_withoutHint_makesTheBlockPopular() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        send(0, STRANGER, 100);
        assertThat(close(0, STRANGER, 100)).isEmpty();
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.CACHING);
        assertThat(states(A, 0, 1)).as("its own client has not read it").containsExactly(PREFETCHED);
    }

    @Test
    void reader_whoMayBeEither_countsAsOneAccess() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        loaded(0);
        send(0, Reader.UNKNOWN, 100);
        assertThat(close(0, Reader.UNKNOWN, 100)).isEmpty();
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(states(B, 0, 1)).containsExactly(ACCESSED);
    }

    @Test
    void block_readAgain_becomesPopular() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        readThrough(0, ALICE);
        readThrough(0, ALICE);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.CACHING);
    }

    // ---- several sessions ----

    @Test
    void block_hintedByTwo_isPrefetchedOnce() {
        assertThat(hint(A, ALICE, true, 0, 2)).containsExactly("PREFETCH 0 up to 100");
        assertThat(hint(B, BOB, true, 0, 2)).isEmpty();
        loaded(0);
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    @Test
    void block_releasedByOne_staysForTheOther() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        assertThat(release(A)).isEmpty();
        assertThat(release(B)).containsExactly("DISCARD 0");
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.NONE);
    }

    @Test
    void block_outOfReachOfItsLastWaiter_isDiscardedWhenThatOneLeaves() {
        hint(A, ALICE, true, 3, 5);
        hint(B, BOB, true, 0, 5);
        assertThat(states(B, 3, 4)).containsExactly(UNPREFETCH);
        loaded(3);
        assertThat(release(A)).as("Bob will come to it").isEmpty();
        assertThat(release(B)).contains("DISCARD 3");
        assertThat(cache.usedBytes()).isZero();
        assertThat(readAhead.interestIn(key(3))).isEqualTo(Interest.NONE);
    }

    @Test
    void block_outOfReachOfItsLastWaiter_isDiscardedWhenThatOneSkipsIt() {
        hint(A, ALICE, true, 3, 5);
        hint(B, BOB, true, 0, 6);
        loaded(3);
        release(A);
        assertThat(send(5, BOB, 20)).contains("DISCARD 3");
    }

    // ---- interest ----

    @Test
    void interest_isInAllWhileHinted_inTheCloseWhileInMemory_thenInNothing() {
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.NONE);
        hint(A, ALICE, true, 0, 1);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.ALL);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.ALL);
        release(A);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.CLOSE);
        hint(B, BOB, true, 0, 1);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.ALL);
        release(B);
        readAhead.invalidated(key(0), now);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.NONE);
    }

    // ---- hints ----

    @Test
    void hint_again_keepsWhatIsKnownAndDiscardsWhatIsNoLongerNamed() {
        hint(A, ALICE, true, 0, 3);
        loaded(0);
        send(0, ALICE, 20);
        loaded(1);
        assertThat(hint(A, ALICE, true, 1, 4)).containsExactly("DISCARD 0");
        assertThat(states(A, 1, 4)).containsExactly(PREFETCHED, UNPREFETCH, UNPREFETCH);
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.NONE);
        assertThat(readAhead.sessionBlockCount()).isEqualTo(3);
    }

    @Test
    void hint_empty_endsTheSession() {
        hint(A, ALICE, true, 0, 3);
        assertThat(hint(A, ALICE, true, 0, 0)).containsExactly("DISCARD 0");
        assertThat(readAhead.sessionCount()).isZero();
    }

    @Test
    void hint_newerGeneration_replacesTheBlock() {
        hint(A, ALICE, true, 0, 2);
        loaded(0);
        HintedBlock newer = new HintedBlock(key(0), 2, 0, LENGTH);
        List<Decision> decisions =
                readAhead.hint(A, ALICE, List.of(newer), true, now).decisions();
        assertThat(kinds(decisions)).containsExactly("DISCARD 0", "PREFETCH 0 up to 100");
        assertThat(decisions).extracting(Decision::block).containsExactly(block(0, LENGTH), newer);
    }

    @Test
    void hint_sameBlockTwice_countsFirstOnly() {
        HintedBlock newer = new HintedBlock(key(0), 2, 0, LENGTH);
        ReadAhead.HintResult result = readAhead.hint(A, ALICE, List.of(block(0, LENGTH), newer), true, now);
        assertThat(result.accepted()).isEqualTo(1);
        assertThat(result.decisions()).extracting(Decision::block).containsExactly(block(0, LENGTH));
        assertThat(kinds(readAhead
                        .hint(A, ALICE, List.of(block(0, LENGTH), newer), true, now)
                        .decisions()))
                .isEmpty();
    }

    @Test
    void hint_tablesFull_takesWhatHasRoom() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().maxSessions(2).maxTrackedBlocks(5));
        assertThat(readAhead.hint(A, ALICE, blocks(0, 3), true, now).accepted()).isEqualTo(3);
        assertThat(readAhead.hint(B, BOB, blocks(0, 3), true, now).accepted()).isEqualTo(2);
        assertThat(readAhead
                        .hint(new SessionId(3, 7), STRANGER, blocks(0, 3), true, now)
                        .accepted())
                .isZero();
        assertThat(readAhead.sessionBlockCount()).isEqualTo(5);
        assertThat(readAhead.hint(A, ALICE, blocks(0, 8), true, now).accepted())
                .as("its own three are free for it")
                .isEqualTo(3);
    }

    @Test
    void progress_knownSession_sumsBytesAndStreams() {
        assertThat(readAhead.progress(A)).isEmpty();
        hint(A, ALICE, true, 0, 3);
        open(0, ALICE);
        send(0, ALICE, 30);
        assertThat(readAhead.progress(A).orElseThrow().bytesRead()).isEqualTo(30);
        assertThat(readAhead.progress(A).orElseThrow().openStreams()).isEqualTo(1);
        close(0, ALICE, 30);
        assertThat(readAhead.progress(A).orElseThrow().openStreams()).isZero();
    }

    // ---- room and time ----

    @Test
    void cache_full_sessionIsServedWhenRoomComes() {
        cache = cache(100);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        hint(A, ALICE, true, 0, 2);
        assertThat(hint(B, BOB, true, 4, 6)).isEmpty();
        assertThat(states(B, 4, 5)).containsExactly(UNPREFETCH);
        assertThat(release(A)).containsExactly("DISCARD 0", "PREFETCH 4 up to 100");
    }

    @Test
    void cache_fullOfOverdueBlock_servesTheOtherAtATick() {
        cache = cache(100);
        readAhead = readAhead(cache, ReadAheadSettings.builder().idleNanos(10 * OVERDUE));
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 4, 6);
        now = OVERDUE - 1;
        assertThat(kinds(readAhead.tick(now))).isEmpty();
        now = OVERDUE;
        assertThat(kinds(readAhead.tick(now))).containsExactly("DISCARD 0", "PREFETCH 4 up to 100");
        assertThat(states(A, 0, 1)).as("it may ask again").containsExactly(UNPREFETCH);
    }

    @Test
    void block_largerThanTheCache_isGivenUp() {
        cache = cache(99);
        readAhead = readAhead(cache, ReadAheadSettings.builder());
        assertThat(hint(A, ALICE, true, 0, 2)).isEmpty();
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
    }

    @Test
    void block_accessed_isUnpinnedExactlyAtRetryTime() {
        readAhead = readAhead(cache, ReadAheadSettings.builder().idleNanos(10 * RETRY));
        hint(A, ALICE, true, 0, 1);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(kinds(readAhead.tick(RETRY - 1))).isEmpty();
        assertThat(kinds(readAhead.tick(RETRY))).containsExactly("UNPIN 0");
    }

    @Test
    void session_idle_endsExactlyThen() {
        hint(A, ALICE, true, 0, 2);
        now = 10;
        send(0, ALICE, 5);
        assertThat(kinds(readAhead.tick(10 + SESSION_IDLE - 1))).isEmpty();
        assertThat(kinds(readAhead.tick(10 + SESSION_IDLE))).containsExactly("DISCARD 0");
        assertThat(readAhead.sessionCount()).isZero();
    }

    @Test
    void block_invalidated_isGivenUpInAllSessions() {
        hint(A, ALICE, true, 0, 2);
        hint(B, BOB, true, 0, 2);
        assertThat(kinds(readAhead.invalidated(key(0), now))).containsExactly("DISCARD 0");
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(states(B, 0, 1)).containsExactly(ACCESSED);
        assertThat(kinds(readAhead.prefetched(key(0), now))).as("too late").isEmpty();
    }

    @Test
    void clear_anyState_leavesNothing() {
        hint(A, ALICE, true, 0, 3);
        loaded(0);
        readThrough(0, ALICE);
        assertThat(kinds(readAhead.clear())).containsExactlyInAnyOrder("DISCARD 0", "DISCARD 1");
        assertThat(cache.usedBytes()).isZero();
        assertThat(readAhead.sessionCount()).isZero();
        assertThat(readAhead.interestIn(key(0))).isEqualTo(Interest.NONE);
    }

    // ---- a small language ----

    private static MultiQueueCache<BlockKey> cache(long capacity) {
        return new MultiQueueCache<>(CacheSettings.builder()
                .capacityBytes(capacity)
                .retryNanos(RETRY)
                .unaccessedMaxNanos(OVERDUE)
                .policy(CachingPolicyKind.LRU)
                .build());
    }

    /** Idle time as given above unless the test has set its own. */
    private static ReadAhead readAhead(MultiQueueCache<BlockKey> cache, ReadAheadSettings.Builder builder) {
        ReadAheadSettings given = builder.build();
        boolean ownIdle =
                given.idleNanos() != ReadAheadSettings.builder().build().idleNanos();
        boolean ownRamp =
                given.rampBytes() != ReadAheadSettings.builder().build().rampBytes();
        builder.idleNanos(ownIdle ? given.idleNanos() : SESSION_IDLE);
        builder.rampBytes(ownRamp ? given.rampBytes() : 10);
        return new ReadAhead(builder.advanceBytes(20).build(), cache, length -> length);
    }

    private static BlockKey key(int index) {
        return new BlockKey("pool", index);
    }

    private static HintedBlock block(int index, long length) {
        return new HintedBlock(key(index), 1, index * LENGTH, length);
    }

    private static List<HintedBlock> blocks(int from, int to) {
        return IntStream.range(from, to).mapToObj(index -> block(index, LENGTH)).toList();
    }

    private List<String> hint(SessionId id, Reader reader, boolean sequential, int from, int to) {
        return kinds(
                readAhead.hint(id, reader, blocks(from, to), sequential, now).decisions());
    }

    private List<String> release(SessionId id) {
        return kinds(readAhead.release(id, now));
    }

    private List<String> open(int index, Reader reader) {
        return kinds(readAhead.streamOpened(key(index), 1, 1, reader, now));
    }

    /** The stream goes on from where the sum of earlier sends of this test's block left it. */
    private List<String> send(int index, Reader reader, long bytes) {
        sent[index] += bytes;
        return kinds(readAhead.bytesSent(key(index), reader, sent[index], bytes, now));
    }

    private final long[] sent = new long[16];

    private List<String> close(int index, Reader reader, long position) {
        return kinds(readAhead.streamClosed(key(index), 1, reader, position, now));
    }

    private void readThrough(int index, Reader reader) {
        open(index, reader);
        send(index, reader, LENGTH);
        close(index, reader, LENGTH);
    }

    private void loaded(int index) {
        readAhead.prefetched(key(index), now);
    }

    private List<BlockState> states(SessionId id, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(index -> readAhead.stateOf(id, key(index)))
                .toList();
    }

    private static List<String> kinds(List<Decision> decisions) {
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

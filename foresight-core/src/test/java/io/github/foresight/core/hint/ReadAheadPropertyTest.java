/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.CacheSettings;
import io.github.foresight.core.cache.CachingPolicyKind;
import io.github.foresight.core.cache.MultiQueueCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Random events of three clients on two files of eight blocks, with invariants after each event. */
class ReadAheadPropertyTest {

    private static final int CLIENTS = 3;
    private static final int FILES = 2;
    private static final int BLOCKS = 8;
    private static final long LENGTH = 100;

    enum Verb {
        HINT,
        WARM,
        OPEN,
        SEND,
        CLOSE,
        LOADED,
        INVALIDATE,
        RELEASE,
        TICK,
        CLEAR
    }

    /** An event; each kind uses the numbers that it needs. */
    record Event(Verb verb, int client, int file, int block, int size, boolean flag, long elapsed) {

        SessionId session() {
            return new SessionId(client, file);
        }

        BlockKey key() {
            return ReadAheadPropertyTest.key(file, block);
        }

        Reader reader() {
            return size == 0 ? Reader.UNKNOWN : ReadAheadPropertyTest.reader(client);
        }
    }

    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void readAhead_randomEvents_keepsItsPromises(
            @ForAll @LongRange(min = 50, max = 900) long capacity,
            @ForAll @LongRange(min = 0, max = 30) long retry,
            @ForAll CachingPolicyKind policy,
            @ForAll @IntRange(min = 1, max = 4) int maxDepth,
            @ForAll("events") List<Event> events) {
        MultiQueueCache<BlockKey> cache = new MultiQueueCache<>(CacheSettings.builder()
                .capacityBytes(capacity)
                .retryNanos(retry)
                .idleNanos(40)
                .unaccessedMaxNanos(25)
                .reassignPeriodNanos(10)
                .reassignMinHits(1)
                .policy(policy)
                .build());
        ReadAhead readAhead = new ReadAhead(
                ReadAheadSettings.builder()
                        .maxSessions(4)
                        .maxTrackedBlocks(20)
                        .maxDepth(maxDepth)
                        .idleNanos(50)
                        .yieldNanos(5)
                        .rampBytes(10)
                        .advanceBytes(20)
                        .build(),
                cache,
                block -> block.partBytes() + 3);
        Disk disk = new Disk();
        long now = Long.MAX_VALUE - 300;
        for (Event event : events) {
            now += event.elapsed();
            Map<Slot, BlockState> before = states(readAhead);
            boolean ofNoInterest = readAhead.neededEvents(event.key()) != StreamEvents.ALL && disk.isNoNews(event);
            List<Decision> decisions = happen(readAhead, event, now);
            Set<BlockKey> gone = disk.carryOut(decisions);
            assertThat(cache.usedBytes()).isLessThanOrEqualTo(capacity);
            assertThat(readAhead.sessionCount()).isLessThanOrEqualTo(4);
            assertThat(readAhead.sessionBlockCount()).isLessThanOrEqualTo(20);
            Map<Slot, BlockState> after = states(readAhead);
            assertPinnedIsCached(disk, cache);
            assertStatesAgree(after, disk, cache, readAhead);
            if (event.verb() != Verb.HINT) {
                assertOnlyForward(before, after, gone);
            }
            if (ofNoInterest) {
                assertThat(decisions).isEmpty();
                assertThat(after).isEqualTo(before);
            }
        }
        for (int client = 0; client < CLIENTS; client++) {
            for (int file = 0; file < FILES; file++) {
                disk.carryOut(readAhead.release(new SessionId(client, file), now));
            }
        }
        assertThat(readAhead.sessionCount()).isZero();
        assertThat(readAhead.sessionBlockCount()).isZero();
        disk.carryOut(readAhead.tick(now + 50));
        assertThat(readAhead.warmBlockCount()).isZero();
        assertThat(cache.count(MultiQueueCache.Queue.UNACCESSED)).isZero();
        assertThat(disk.limits).isEmpty();
        assertNothingLeft(readAhead, cache);
    }

    @Property
    void warmedPart_thenHinted_isInMemoryOrLoading_asFarAsItIsHinted(
            @ForAll("parts") HintedBlock warmed, @ForAll("parts") HintedBlock hinted, @ForAll boolean loaded) {
        ReadAhead readAhead = new ReadAhead(
                ReadAheadSettings.builder().build(),
                new MultiQueueCache<>(
                        CacheSettings.builder().capacityBytes(4 * LENGTH).build()),
                HintedBlock::partBytes);
        Disk disk = new Disk();
        disk.carryOut(readAhead.warm(reader(0), List.of(warmed), 0).decisions());
        if (loaded) {
            disk.carryOut(readAhead.prefetched(warmed.key(), 1));
        }
        disk.carryOut(readAhead
                .hint(new SessionId(1, 1), reader(1), List.of(hinted), true, 2)
                .decisions());
        HintedBlock prefetched = disk.pinned.get(hinted.key());
        assertThat(prefetched.contains(hinted)).as("%s", prefetched).isTrue();
        assertThat(disk.limits.get(hinted.key())).isEqualTo(prefetched.endBytes());
    }

    @Provide
    Arbitrary<HintedBlock> parts() {
        HintedBlock whole = new HintedBlock(key(0, 0), 1, 0, LENGTH);
        return Combinators.combine(
                        Arbitraries.longs().between(0, LENGTH - 1),
                        Arbitraries.longs().between(1, LENGTH))
                .as((begin, length) -> whole.part(begin, Math.min(LENGTH, begin + length)));
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void readAhead_leftAlone_forgetsEverything(@ForAll("events") List<Event> events) {
        MultiQueueCache<BlockKey> cache = new MultiQueueCache<>(CacheSettings.builder()
                .capacityBytes(600)
                .retryNanos(30)
                .idleNanos(40)
                .build());
        ReadAhead readAhead = new ReadAhead(
                ReadAheadSettings.builder()
                        .idleNanos(50)
                        .rampBytes(10)
                        .advanceBytes(20)
                        .build(),
                cache,
                HintedBlock::partBytes);
        Disk disk = new Disk();
        long now = 0;
        for (Event event : events) {
            now += event.elapsed();
            disk.carryOut(happen(readAhead, event, now));
        }
        disk.carryOut(readAhead.tick(now + 50));
        assertThat(disk.limits).isEmpty();
        assertNothingLeft(readAhead, cache);
    }

    private static List<Decision> happen(ReadAhead readAhead, Event event, long now) {
        long stream = event.client();
        long position = Math.min(LENGTH, 10L * event.size());
        return switch (event.verb()) {
            case HINT ->
                readAhead
                        .hint(event.session(), reader(event.client()), blocks(event), event.flag(), now)
                        .decisions();
            case WARM ->
                readAhead.warm(reader(event.client()), blocks(event), now).decisions();
            case OPEN -> readAhead.streamOpened(event.key(), stamp(event), stream, event.reader(), now);
            case SEND -> readAhead.bytesSent(event.key(), event.reader(), position, position, now);
            case CLOSE ->
                readAhead.streamClosed(event.key(), stream, event.reader(), event.flag() ? LENGTH : position, now);
            case LOADED -> readAhead.prefetched(event.key(), now);
            case INVALIDATE -> readAhead.invalidated(event.key(), now);
            case RELEASE -> readAhead.release(event.session(), now);
            case TICK -> readAhead.tick(now);
            case CLEAR -> readAhead.clear();
        };
    }

    /** Sometimes parts of blocks; rarely with a newer stamp, and the first block then occurs twice. */
    private static List<HintedBlock> blocks(Event event) {
        List<HintedBlock> blocks = new ArrayList<>();
        for (int index = event.block(); index < Math.min(BLOCKS, event.block() + event.size()); index++) {
            HintedBlock whole = new HintedBlock(key(event.file(), index), stamp(event), index * LENGTH, LENGTH);
            blocks.add(event.elapsed() < 4 ? whole : whole.part(20L * event.client(), 20L * event.client() + 60));
        }
        if (stamp(event) == 2 && !blocks.isEmpty()) {
            blocks.add(new HintedBlock(key(event.file(), event.block()), 1, event.block() * LENGTH, LENGTH));
        }
        return blocks;
    }

    private static long stamp(Event event) {
        return event.elapsed() == 7 ? 2 : 1;
    }

    /** Carries out decisions, and checks that each is possible. */
    private static final class Disk {
        final Map<BlockKey, Long> limits = new HashMap<>();
        private final Map<BlockKey, HintedBlock> pinned = new HashMap<>();

        /**
         * Whether the DataNode need not report an event on an unhinted block: sent bytes, or the open of a resident
         * block.
         */
        boolean isNoNews(Event event) {
            HintedBlock inMemory = pinned.get(event.key());
            boolean asKnown = inMemory == null || inMemory.generationStamp() == stamp(event);
            return event.verb() == Verb.SEND || (event.verb() == Verb.OPEN && asKnown);
        }

        Set<BlockKey> carryOut(List<Decision> decisions) {
            Set<BlockKey> gone = new HashSet<>();
            for (Decision decision : decisions) {
                BlockKey key = decision.block().key();
                assertThat(decision.limitBytes())
                        .isBetween(
                                decision.block().beginBytes() + 1,
                                decision.block().endBytes());
                if (decision.kind() == Decision.Kind.PREFETCH) {
                    assertThat(pinned.put(key, decision.block()))
                            .as("%s", decision)
                            .isNull();
                    limits.put(key, decision.limitBytes());
                    continue;
                }
                assertThat(pinned.get(key)).as("%s", decision).isEqualTo(decision.block());
                switch (decision.kind()) {
                    case EXTEND ->
                        assertThat(limits.put(key, decision.limitBytes())).isLessThan(decision.limitBytes());
                    case EXPEDITE -> assertThat(limits.get(key)).isEqualTo(decision.limitBytes());
                    default -> {
                        pinned.remove(key);
                        limits.remove(key);
                        gone.add(key);
                    }
                }
            }
            return gone;
        }
    }

    record Slot(SessionId session, BlockKey block) {}

    private static Map<Slot, BlockState> states(ReadAhead readAhead) {
        Map<Slot, BlockState> states = new HashMap<>();
        for (int client = 0; client < CLIENTS; client++) {
            for (int file = 0; file < FILES; file++) {
                for (int block = 0; block < BLOCKS; block++) {
                    Slot slot = new Slot(new SessionId(client, file), key(file, block));
                    BlockState state = readAhead.stateOf(slot.session(), slot.block());
                    if (state != null) {
                        states.put(slot, state);
                        assertThat(readAhead.neededEvents(slot.block())).isEqualTo(StreamEvents.ALL);
                    }
                }
            }
        }
        return states;
    }

    private static void assertPinnedIsCached(Disk disk, MultiQueueCache<BlockKey> cache) {
        int cached = 0;
        for (MultiQueueCache.Queue queue : MultiQueueCache.Queue.values()) {
            cached += cache.count(queue);
        }
        assertThat(disk.pinned.keySet()).hasSize(cached).allMatch(key -> cache.queueOf(key) != null);
    }

    private static void assertStatesAgree(
            Map<Slot, BlockState> states, Disk disk, MultiQueueCache<BlockKey> cache, ReadAhead readAhead) {
        Set<BlockKey> waitedFor = new HashSet<>();
        states.forEach((slot, state) -> {
            if (state == BlockState.PREFETCHING || state == BlockState.PREFETCHED) {
                assertThat(disk.pinned).containsKey(slot.block());
            }
            if (state != BlockState.ACCESSED) {
                waitedFor.add(slot.block());
            }
        });
        for (BlockKey key : disk.pinned.keySet()) {
            if (cache.queueOf(key) == MultiQueueCache.Queue.UNACCESSED) {
                assertThat(waitedFor.contains(key) || readAhead.isWarm(key))
                        .as("no unread block that is not warm and that no session waits for")
                        .isTrue();
            }
        }
    }

    private static void assertOnlyForward(
            Map<Slot, BlockState> before, Map<Slot, BlockState> after, Set<BlockKey> gone) {
        after.forEach((slot, state) -> {
            BlockState former = before.get(slot);
            if (former != null && state.compareTo(former) < 0) {
                assertThat(gone).as("%s from %s to %s", slot, former, state).contains(slot.block());
                assertThat(former).isNotEqualTo(BlockState.ACCESSED);
            }
        });
    }

    private static void assertNothingLeft(ReadAhead readAhead, MultiQueueCache<BlockKey> cache) {
        assertThat(cache.usedBytes()).isZero();
        assertThat(readAhead.sessionCount()).isZero();
        for (int file = 0; file < FILES; file++) {
            for (int block = 0; block < BLOCKS; block++) {
                assertThat(readAhead.neededEvents(key(file, block))).isEqualTo(StreamEvents.NONE);
            }
        }
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Verb> verbs = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.just(Verb.HINT)),
                Tuple.of(6, Arbitraries.just(Verb.WARM)),
                Tuple.of(20, Arbitraries.just(Verb.OPEN)),
                Tuple.of(30, Arbitraries.just(Verb.SEND)),
                Tuple.of(20, Arbitraries.just(Verb.CLOSE)),
                Tuple.of(30, Arbitraries.just(Verb.LOADED)),
                Tuple.of(3, Arbitraries.just(Verb.INVALIDATE)),
                Tuple.of(6, Arbitraries.just(Verb.RELEASE)),
                Tuple.of(10, Arbitraries.just(Verb.TICK)),
                Tuple.of(1, Arbitraries.just(Verb.CLEAR)));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, CLIENTS - 1),
                        Arbitraries.integers().between(0, FILES - 1),
                        Arbitraries.integers().between(0, BLOCKS - 1),
                        Arbitraries.integers().between(0, 10),
                        Arbitraries.of(true, false),
                        Arbitraries.longs().between(0, 7))
                .as(Event::new)
                .list()
                .ofMaxSize(200)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static BlockKey key(int file, int block) {
        return new BlockKey("pool", 100L * file + block);
    }

    private static Reader reader(int client) {
        return new Reader("client" + client, "10.0.0." + client);
    }
}

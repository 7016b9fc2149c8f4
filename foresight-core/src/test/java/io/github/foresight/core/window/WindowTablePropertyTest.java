/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.window.WindowTable.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random windows of a few clients over a few blocks, compared with a memory that counts each byte. */
class WindowTablePropertyTest {

    private static final long BLOCK = 10;
    private static final int BLOCKS = 4;
    private static final long CAPACITY = 40;
    private static final int MAX_WINDOWS = 3;
    private static final long IDLE = 100;

    enum Verb {
        MOVE,
        RELEASE,
        INVALIDATE,
        TICK,
        CLEAR
    }

    record Event(Verb verb, int client, int begin, int length, int block, long stamp, long elapsed) {}

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Verb> verbs = Arbitraries.frequency(
                Tuple.of(12, Verb.MOVE),
                Tuple.of(2, Verb.RELEASE),
                Tuple.of(2, Verb.INVALIDATE),
                Tuple.of(3, Verb.TICK),
                Tuple.of(1, Verb.CLEAR));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, (int) (BLOCKS * BLOCK)),
                        Arbitraries.integers().between(0, (int) (BLOCKS * BLOCK)),
                        Arbitraries.integers().between(0, BLOCKS - 1),
                        Arbitraries.longs().between(1, 2),
                        Arbitraries.longs().between(0, 60))
                .as(Event::new)
                .list()
                .ofMaxSize(80);
    }

    /** The window of a file whose blocks have BLOCK bytes each. */
    private static List<BlockExtent> window(long begin, long end, long stamp) {
        List<BlockExtent> parts = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            Extent inBlock = Extent.of(block * BLOCK, (block + 1) * BLOCK).intersect(Extent.of(begin, end));
            if (!inBlock.isEmpty()) {
                parts.add(new BlockExtent(key(block), stamp, inBlock.from(block * BLOCK)));
            }
        }
        return parts;
    }

    private static BlockKey key(int block) {
        return new BlockKey("pool", block);
    }

    record HeldByte(SessionId session, BlockKey key, long stamp, long at) {}

    private static Set<HeldByte> bytesOf(SessionId id, BlockExtent part) {
        Set<HeldByte> bytes = new HashSet<>();
        for (long at = part.extent().begin(); at < part.extent().end(); at++) {
            bytes.add(new HeldByte(id, part.key(), part.generationStamp(), at));
        }
        return bytes;
    }

    /** Loads only missing bytes and gives up only held bytes; never exceeds the capacity. */
    private static void carryOut(List<Decision> decisions, Set<HeldByte> memory) {
        for (Decision decision : decisions) {
            for (HeldByte held : bytesOf(decision.session(), decision.part())) {
                boolean changed = decision.kind() == Decision.Kind.LOAD ? memory.add(held) : memory.remove(held);
                assertThat(changed).as("%s of %s", decision, held).isTrue();
            }
            assertThat(memory.size()).isLessThanOrEqualTo((int) CAPACITY);
        }
    }

    @Property
    void table_anyEvents_holdsTheNewestWindowsAndNothingElse(@ForAll("events") List<Event> events) {
        WindowTable table = new WindowTable(MAX_WINDOWS, CAPACITY, IDLE, bytes -> bytes);
        Set<HeldByte> memory = new HashSet<>();
        Map<SessionId, List<BlockExtent>> expected = new LinkedHashMap<>();
        Map<SessionId, Long> movedAt = new HashMap<>();
        long now = 0;
        for (Event event : events) {
            now += event.elapsed();
            SessionId id = new SessionId(event.client(), 7);
            switch (event.verb()) {
                case MOVE -> {
                    List<Decision> decisions = new ArrayList<>();
                    long end = Math.min(BLOCKS * BLOCK, event.begin() + event.length());
                    List<BlockExtent> window = window(event.begin(), Math.max(event.begin(), end), event.stamp());
                    assertThat(table.moved(id, window, now, decisions)).isTrue();
                    carryOut(decisions, memory);
                    expected.remove(id);
                    if (!window.isEmpty()) {
                        expected.put(id, new ArrayList<>(window));
                        movedAt.put(id, now);
                        evictOldest(expected);
                    }
                }
                case RELEASE -> {
                    carryOut(table.released(id), memory);
                    expected.remove(id);
                }
                case INVALIDATE -> {
                    carryOut(table.invalidated(key(event.block())), memory);
                    expected.values()
                            .forEach(parts -> parts.removeIf(part -> part.key().equals(key(event.block()))));
                }
                case TICK -> {
                    carryOut(table.tick(now), memory);
                    long when = now;
                    expected.keySet().removeIf(session -> when - movedAt.get(session) >= IDLE);
                }
                case CLEAR -> {
                    carryOut(table.clear(), memory);
                    expected.clear();
                }
            }
            Set<HeldByte> wanted = new HashSet<>();
            expected.forEach((session, parts) -> parts.forEach(part -> wanted.addAll(bytesOf(session, part))));
            assertThat(memory).isEqualTo(wanted);
            assertThat(table.usedBytes()).isEqualTo(wanted.size());
            assertThat(table.windowCount()).isEqualTo(expected.size());
            expected.forEach((session, parts) -> parts.forEach(
                    part -> assertThat(table.wanted(session, part)).isEqualTo(part.extent())));
        }
        carryOut(table.clear(), memory);
        assertThat(memory).isEmpty();
        assertThat(table.usedBytes()).isZero();
    }

    /**
     * With shares other windows than the oldest are given up, but the memory equals the table and does not exceed the
     * capacity.
     */
    @Property
    void table_withShares_equalsTheMemory(@ForAll("events") List<Event> events) {
        WindowTable table = new WindowTable(MAX_WINDOWS, CAPACITY, 0.5, IDLE, bytes -> bytes);
        Set<HeldByte> memory = new HashSet<>();
        long now = 0;
        for (Event event : events) {
            now += event.elapsed();
            SessionId id = new SessionId(event.client() % 2, event.client(), 7);
            switch (event.verb()) {
                case MOVE -> {
                    List<Decision> decisions = new ArrayList<>();
                    long end = Math.min(BLOCKS * BLOCK, event.begin() + event.length());
                    table.moved(id, window(event.begin(), Math.max(event.begin(), end), event.stamp()), now, decisions);
                    carryOut(decisions, memory);
                }
                case RELEASE -> carryOut(table.released(id), memory);
                case INVALIDATE -> carryOut(table.invalidated(key(event.block())), memory);
                case TICK -> carryOut(table.tick(now), memory);
                case CLEAR -> carryOut(table.clear(), memory);
            }
            assertThat(table.usedBytes()).isEqualTo(memory.size());
            assertThat(table.windowCount()).isLessThanOrEqualTo(MAX_WINDOWS);
        }
        carryOut(table.clear(), memory);
        assertThat(memory).isEmpty();
        assertThat(table.usedBytes()).isZero();
        assertThat(table.windowCount()).isZero();
    }

    private static void evictOldest(Map<SessionId, List<BlockExtent>> windows) {
        while (windows.size() > MAX_WINDOWS || bytesOf(windows) > CAPACITY) {
            windows.remove(windows.keySet().iterator().next());
        }
    }

    private static long bytesOf(Map<SessionId, List<BlockExtent>> windows) {
        return windows.values().stream()
                .flatMap(List::stream)
                .mapToLong(part -> part.extent().lengthBytes())
                .sum();
    }
}

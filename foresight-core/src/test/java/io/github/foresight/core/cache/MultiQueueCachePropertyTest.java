/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static io.github.foresight.core.cache.MultiQueueCache.Queue.ACCESSED;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.CACHING;
import static io.github.foresight.core.cache.MultiQueueCache.Queue.UNACCESSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.cache.Eviction.Reason;
import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

class MultiQueueCachePropertyTest {

    private static final int KEYS = 14;

    enum Verb {
        ADMIT,
        ACCESS,
        REMOVE,
        EXPIRE,
        RESIZE
    }

    record Operation(Verb verb, int key, long bytes, long client, long elapsed) {}

    record Entry(long bytes, long client, Queue queue, long since) {}

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
    void lruCache_randomOperations_agreesWithModel(
            @ForAll("settings") CacheSettings.Builder builder, @ForAll("operations") List<Operation> operations) {
        CacheSettings settings = builder.policy(CachingPolicyKind.LRU).build();
        MultiQueueCache<Integer> cache = new MultiQueueCache<>(settings);
        Model model = new Model(settings);
        long now = Long.MAX_VALUE - 40;
        for (Operation operation : operations) {
            now += operation.elapsed();
            switch (operation.verb()) {
                case ADMIT -> {
                    Admission<Integer> admission =
                            cache.admit(operation.key(), operation.bytes(), operation.client(), now);
                    List<Departure> expected = model.admit(operation.key(), operation.bytes(), operation.client(), now);
                    assertThat(admission.isAdmitted()).isEqualTo(expected != null);
                    assertThat(departures(admission.victims())).isEqualTo(expected == null ? List.of() : expected);
                }
                case ACCESS -> {
                    Access<Integer> access = cache.access(operation.key(), operation.client(), now);
                    assertThat(access.foundIn().orElse(null)).isEqualTo(model.queueOf(operation.key()));
                    assertThat(departures(access.victims()))
                            .isEqualTo(model.access(operation.key(), operation.client(), now));
                }
                case REMOVE ->
                    assertThat(cache.remove(operation.key())).isEqualTo(model.blocks.remove(operation.key()) != null);
                case EXPIRE -> assertThat(departures(cache.expire(now))).isEqualTo(model.expire(now));
                case RESIZE ->
                    assertThat(departures(cache.resize(4 * operation.bytes())))
                            .isEqualTo(model.resize(4 * operation.bytes()));
            }
            assertThat(cache.cachingShareBytes()).isEqualTo(model.cachingShare);
            for (int key = 0; key < KEYS; key++) {
                assertThat(cache.queueOf(key)).isEqualTo(model.queueOf(key));
            }
            for (Queue queue : Queue.values()) {
                assertThat(cache.bytes(queue)).isEqualTo(model.bytes(queue));
                assertThat(cache.count(queue)).isEqualTo(model.order(queue).size());
                assertThat(cache.hits(queue)).isEqualTo(model.hits.getOrDefault(queue, 0L));
            }
        }
    }

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
    void anyCache_randomOperations_keepsItsPromises(
            @ForAll("settings") CacheSettings.Builder builder,
            @ForAll CachingPolicyKind policy,
            @ForAll("scales") long scale,
            @ForAll("operations") List<Operation> operations) {
        CacheSettings settings = scaled(builder.policy(policy).build(), scale);
        MultiQueueCache<Integer> cache = new MultiQueueCache<>(settings);
        Map<Integer, Entry> present = new HashMap<>();
        long now = Long.MAX_VALUE - 40;
        for (Operation operation : operations) {
            now += operation.elapsed();
            int key = operation.key();
            long bytes = scale * operation.bytes();
            switch (operation.verb()) {
                case ADMIT -> {
                    Map<Integer, Entry> before = new HashMap<>(present);
                    boolean unaccessedBelowShare =
                            cache.bytes(UNACCESSED) < cache.capacityBytes() - cache.cachingShareBytes();
                    long idle = cache.capacityBytes() - cache.usedBytes();
                    Admission<Integer> admission = cache.admit(key, bytes, operation.client(), now);
                    leave(present, admission.victims());
                    if (!admission.victims().isEmpty()) {
                        long others = admission.victims().stream()
                                .limit(admission.victims().size() - 1)
                                .mapToLong(Eviction::bytes)
                                .sum();
                        assertThat(bytes > idle + others || present.size() + 1 == settings.maxEntries())
                                .as("the last victim was needed")
                                .isTrue();
                    }
                    assertThat(admission.victims())
                            .extracting(Eviction::queue)
                            .isSortedAccordingTo(Comparator.comparing(List.of(ACCESSED, CACHING, UNACCESSED)::indexOf));
                    for (Eviction<Integer> victim : admission.victims()) {
                        assertThat(victim.reason()).isEqualTo(Reason.ROOM);
                        if (victim.queue() == UNACCESSED) {
                            assertThat(now - before.get(victim.key()).since())
                                    .isGreaterThanOrEqualTo(settings.unaccessedMaxNanos());
                            assertThat(cache.count(ACCESSED)).isZero();
                            assertThat(cache.count(CACHING) == 0 || !unaccessedBelowShare)
                                    .isTrue();
                        }
                    }
                    if (admission.isAdmitted()) {
                        assertThat(present.put(key, new Entry(bytes, operation.client(), UNACCESSED, now)))
                                .isNull();
                    } else {
                        assertThat(admission.victims()).isEmpty();
                    }
                }
                case ACCESS -> {
                    Access<Integer> access = cache.access(key, operation.client(), now);
                    Entry entry = present.get(key);
                    if (entry == null) {
                        assertThat(access.foundIn()).isEmpty();
                    } else {
                        assertThat(access.foundIn()).contains(entry.queue());
                        boolean firstByOwner = entry.queue() == UNACCESSED && entry.client() == operation.client();
                        Queue next = firstByOwner ? ACCESSED : CACHING;
                        present.put(key, new Entry(entry.bytes(), entry.client(), next, now));
                    }
                    leave(present, access.victims());
                }
                case REMOVE -> assertThat(cache.remove(key)).isEqualTo(present.remove(key) != null);
                case EXPIRE -> leave(present, cache.expire(now));
                case RESIZE -> leave(present, cache.resize(4 * bytes));
            }
            assertAgree(cache, present);
            assertThat(present.size()).isLessThanOrEqualTo(settings.maxEntries());
        }
        long end = now + Math.max(settings.idleNanos(), settings.retryNanos());
        leave(present, cache.expire(end));
        assertThat(cache.count(ACCESSED) + cache.count(CACHING)).isZero();
        leave(present, cache.resize(0));
        assertThat(present).isEmpty();
        assertThat(cache.usedBytes()).isZero();
    }

    /** Checks that each block is evicted once, from its queue and with its size. */
    private static void leave(Map<Integer, Entry> present, List<Eviction<Integer>> victims) {
        for (Eviction<Integer> victim : victims) {
            Entry entry = present.remove(victim.key());
            assertThat(entry).as("%s", victim).isNotNull();
            assertThat(victim.bytes()).isEqualTo(entry.bytes());
            assertThat(victim.queue()).isEqualTo(entry.queue());
        }
    }

    private static void assertAgree(MultiQueueCache<Integer> cache, Map<Integer, Entry> present) {
        long used = 0;
        for (Queue queue : Queue.values()) {
            List<Entry> entries = present.values().stream()
                    .filter(entry -> entry.queue() == queue)
                    .toList();
            assertThat(cache.count(queue)).isEqualTo(entries.size());
            assertThat(cache.bytes(queue))
                    .isEqualTo(entries.stream().mapToLong(Entry::bytes).sum());
            used += cache.bytes(queue);
        }
        assertThat(cache.usedBytes()).isEqualTo(used).isLessThanOrEqualTo(cache.capacityBytes());
        for (int key = 0; key < KEYS; key++) {
            Entry entry = present.get(key);
            assertThat(cache.queueOf(key)).isEqualTo(entry == null ? null : entry.queue());
        }
    }

    /** Below, near and at the page in which Caffeine counts, to test rounding. */
    @Provide
    Arbitrary<Long> scales() {
        return Arbitraries.of(1L, 3_000L, 4_096L, 1L << 40);
    }

    private static CacheSettings scaled(CacheSettings settings, long scale) {
        return CacheSettings.builder()
                .capacityBytes(scale * settings.capacityBytes())
                .chunkBytes(scale * settings.chunkBytes())
                .retryNanos(settings.retryNanos())
                .idleNanos(settings.idleNanos())
                .unaccessedMaxNanos(settings.unaccessedMaxNanos())
                .reassignPeriodNanos(settings.reassignPeriodNanos())
                .reassignMinHits(settings.reassignMinHits())
                .maxEntries(settings.maxEntries())
                .policy(settings.policy())
                .build();
    }

    @Provide
    Arbitrary<CacheSettings.Builder> settings() {
        return Combinators.combine(
                        Arbitraries.longs().between(1, 100),
                        Arbitraries.longs().between(1, 100),
                        Arbitraries.longs().between(0, 20),
                        Arbitraries.longs().between(1, 20),
                        Arbitraries.longs().between(1, 20),
                        Arbitraries.longs().between(1, 10),
                        Arbitraries.longs().between(0, 2),
                        Arbitraries.integers().between(1, KEYS))
                .as((capacity, chunk, retry, idle, overdue, period, minHits, entries) -> CacheSettings.builder()
                        .capacityBytes(capacity)
                        .chunkBytes(Math.min(chunk, capacity))
                        .retryNanos(retry)
                        .idleNanos(idle)
                        .unaccessedMaxNanos(overdue)
                        .reassignPeriodNanos(period)
                        .reassignMinHits(minHits)
                        .maxEntries(entries));
    }

    @Provide
    Arbitrary<List<Operation>> operations() {
        Arbitrary<Verb> verbs = Arbitraries.frequencyOf(
                Tuple.of(40, Arbitraries.just(Verb.ADMIT)),
                Tuple.of(60, Arbitraries.just(Verb.ACCESS)),
                Tuple.of(3, Arbitraries.just(Verb.REMOVE)),
                Tuple.of(15, Arbitraries.just(Verb.EXPIRE)),
                Tuple.of(1, Arbitraries.just(Verb.RESIZE)));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, KEYS - 1),
                        Arbitraries.longs().between(1, 25),
                        Arbitraries.longs().between(1, 3),
                        Arbitraries.longs().between(0, 3))
                .as(Operation::new)
                .list()
                .ofMaxSize(300)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    record Departure(int key, Queue queue, Reason reason) {}

    private static List<Departure> departures(List<Eviction<Integer>> evictions) {
        return evictions.stream()
                .map(eviction -> new Departure(eviction.key(), eviction.queue(), eviction.reason()))
                .toList();
    }

    /** The cache with LRU, written to be obviously right: each query visits all blocks. */
    private static final class Model {

        /** A block; {@code turn} orders the blocks of a queue. */
        record ModelBlock(int key, long bytes, long client, Queue queue, long since, long turn) {}

        final Map<Integer, ModelBlock> blocks = new HashMap<>();
        final Map<Queue, Long> hits = new HashMap<>();
        private final CacheSettings settings;
        private long capacity;
        long cachingShare;
        private long turns;
        private @Nullable Long periodStart;
        private boolean full;
        private int headerHits;
        private int victimHits;

        Model(CacheSettings settings) {
            this.settings = settings;
            this.capacity = settings.capacityBytes();
        }

        @Nullable
        Queue queueOf(int key) {
            return blocks.containsKey(key) ? blocks.get(key).queue() : null;
        }

        List<ModelBlock> order(Queue queue) {
            return blocks.values().stream()
                    .filter(block -> block.queue() == queue)
                    .sorted(Comparator.comparing(ModelBlock::turn))
                    .toList();
        }

        long bytes(Queue queue) {
            return order(queue).stream().mapToLong(ModelBlock::bytes).sum();
        }

        long idle() {
            return capacity - bytes(UNACCESSED) - bytes(CACHING) - bytes(ACCESSED);
        }

        @Nullable
        List<Departure> admit(int key, long bytes, long client, long now) {
            if (blocks.containsKey(key) || bytes > capacity) {
                return null;
            }
            List<ModelBlock> candidates = new ArrayList<>(order(ACCESSED));
            if (bytes(UNACCESSED) < capacity - cachingShare) {
                candidates.addAll(order(CACHING));
            }
            candidates.addAll(order(UNACCESSED).stream()
                    .filter(block -> now - block.since() >= settings.unaccessedMaxNanos())
                    .toList());
            full |= lacksRoom(bytes);
            Map<Integer, ModelBlock> before = new HashMap<>(blocks);
            List<Departure> out = new ArrayList<>();
            while (lacksRoom(bytes)) {
                if (candidates.isEmpty()) {
                    blocks.putAll(before);
                    return null;
                }
                out.add(depart(candidates.remove(0), Reason.ROOM));
            }
            blocks.put(key, new ModelBlock(key, bytes, client, UNACCESSED, now, turns++));
            return out;
        }

        private boolean lacksRoom(long bytes) {
            return bytes > idle() || blocks.size() == settings.maxEntries();
        }

        List<Departure> access(int key, long client, long now) {
            ModelBlock block = blocks.get(key);
            if (block == null) {
                return List.of();
            }
            hits.merge(block.queue(), 1L, Long::sum);
            if (inOldestChunk(block)) {
                headerHits += block.queue() == UNACCESSED ? 1 : 0;
                victimHits += block.queue() == CACHING ? 1 : 0;
            }
            Queue next = block.queue() == UNACCESSED && client == block.client() ? ACCESSED : CACHING;
            ModelBlock moved = new ModelBlock(key, block.bytes(), block.client(), next, now, turns++);
            blocks.put(key, moved);
            return next == ACCESSED && settings.retryNanos() == 0
                    ? List.of(depart(moved, Reason.RETRY_TIME_PASSED))
                    : List.of();
        }

        private boolean inOldestChunk(ModelBlock block) {
            return order(block.queue()).stream()
                            .filter(other -> other.turn() < block.turn())
                            .mapToLong(ModelBlock::bytes)
                            .sum()
                    < settings.chunkBytes();
        }

        List<Departure> expire(long now) {
            List<Departure> out = new ArrayList<>();
            for (ModelBlock block : order(ACCESSED)) {
                if (now - block.since() >= settings.retryNanos()) {
                    out.add(depart(block, Reason.RETRY_TIME_PASSED));
                }
            }
            for (ModelBlock block : order(CACHING)) {
                if (now - block.since() >= settings.idleNanos()) {
                    out.add(depart(block, Reason.IDLE));
                }
            }
            boolean ends = periodStart != null && now - periodStart >= settings.reassignPeriodNanos();
            if (ends && full) {
                reassign(out);
            }
            if (ends || periodStart == null) {
                periodStart = now;
                full = false;
                headerHits = 0;
                victimHits = 0;
            }
            return out;
        }

        private void reassign(List<Departure> out) {
            double factor = 1 + settings.reassignThreshold();
            if (victimHits > settings.reassignMinHits() && victimHits > factor * headerHits) {
                cachingShare = Math.max(
                        cachingShare, Math.min(cachingShare + settings.chunkBytes(), capacity - settings.chunkBytes()));
            } else if (headerHits > settings.reassignMinHits() && headerHits > factor * victimHits) {
                long moved = Math.min(cachingShare, settings.chunkBytes());
                cachingShare -= moved;
                while (moved > 0
                        && bytes(CACHING) > cachingShare
                        && capacity - bytes(UNACCESSED) - bytes(CACHING) < moved) {
                    out.add(depart(order(CACHING).get(0), Reason.REASSIGNED));
                }
            }
        }

        List<Departure> resize(long bytes) {
            capacity = bytes;
            cachingShare = Math.max(0, Math.min(cachingShare, capacity - settings.chunkBytes()));
            List<ModelBlock> candidates = new ArrayList<>(order(ACCESSED));
            candidates.addAll(order(CACHING));
            candidates.addAll(order(UNACCESSED));
            List<Departure> out = new ArrayList<>();
            while (idle() < 0) {
                out.add(depart(candidates.remove(0), Reason.RESIZED));
            }
            return out;
        }

        private Departure depart(ModelBlock block, Reason reason) {
            assertThat(blocks.remove(block.key())).isNotNull();
            return new Departure(block.key(), block.queue(), reason);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.client.ClientSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Opens that are learned from together. */
class PendingOpensTest {

    private static final ClientSession SESSION = new ClientSession(0, 2, 1, 0);

    private final List<Long> recorded = new ArrayList<>();
    private final AtomicLong counted = new AtomicLong();
    private final PendingOpens pending =
            new PendingOpens((session, files, nanos, count) -> addTo(recorded, files, count), counted::addAndGet);

    private static void addTo(Collection<Long> recorded, long[] files, int count) {
        Arrays.stream(files, 0, count).forEach(recorded::add);
    }

    @Test
    void opensOfClientsInTurn_areRecordedClientByClient_eachAtItsTime() {
        ClientSession other = new ClientSession(0, 2, 1, 0);
        List<String> batches = new ArrayList<>();
        PendingOpens two = new PendingOpens(
                (session, files, nanos, count) -> batches.add((session == SESSION ? "one " : "other ")
                        + Arrays.toString(Arrays.copyOf(files, count))
                        + Arrays.toString(Arrays.copyOf(nanos, count))),
                counted::addAndGet);
        two.add(SESSION, 1, 10);
        two.add(other, 2, 20);
        two.add(SESSION, 3, 30);
        two.add(other, 2, 40);
        two.settle();
        assertThat(batches).containsExactly("one [1, 3][10, 30]", "other [2, 2][20, 40]");
        assertThat(counted).hasValue(4);
    }

    @Test
    void opens_areRecordedInTheirOrder_withFewWaiting() {
        for (long file = 1; file <= 1000; file++) {
            pending.add(SESSION, file, 0);
            assertThat((int) file - recorded.size()).isLessThanOrEqualTo(64);
        }
        pending.settle();
        assertThat(recorded).isEqualTo(LongStream.rangeClosed(1, 1000).boxed().collect(Collectors.toList()));
        assertThat(counted).hasValue(1000);
    }

    @Test
    void opens_atTheWrapOfTheirNumber_areRecordedInTheirOrder_thirtyTwoAtOnce() {
        for (int firstNumber : new int[] {Integer.MAX_VALUE - 99, -100}) {
            recorded.clear();
            PendingOpens wrapping = new PendingOpens(
                    (session, files, nanos, count) -> addTo(recorded, files, count), counted::addAndGet, firstNumber);
            for (long file = 1; file <= 1000; file++) {
                wrapping.add(SESSION, file, 0);
                assertThat((int) file - recorded.size())
                        .as("open %s after number %s", file, firstNumber)
                        .isLessThan(32);
            }
            wrapping.settle();
            assertThat(recorded)
                    .isEqualTo(LongStream.rangeClosed(1, 1000).boxed().collect(Collectors.toList()));
        }
    }

    @Test
    void whatWaits_canBeForgotten() {
        pending.add(SESSION, 1, 0);
        pending.settle();
        pending.add(SESSION, 2, 0);
        pending.clear();
        pending.settle();
        assertThat(recorded).containsExactly(1L);
    }

    @Test
    void whereTooManyWait_anOpenIsRecordedAtOnce() {
        List<Long> during = new ArrayList<>();
        List<PendingOpens> itself = new ArrayList<>();
        itself.add(new PendingOpens(
                (session, files, nanos, count) -> {
                    if (files[0] == 1) {
                        // Another handler's opens while this one is learned from.
                        for (long other = 100; other < 200; other++) {
                            itself.get(0).add(session, other, 0);
                        }
                    } else {
                        addTo(during, files, count);
                    }
                },
                counted::addAndGet));
        itself.get(0).add(SESSION, 1, 0);
        itself.get(0).settle();
        itself.get(0).settle();
        assertThat(during).hasSize(100).doesNotHaveDuplicates();
        assertThat(counted).hasValue(101);
    }

    @Test
    void opensOfManyThreads_areEachRecordedOnce() throws InterruptedException {
        ConcurrentLinkedQueue<Long> all = new ConcurrentLinkedQueue<>();
        PendingOpens shared =
                new PendingOpens((session, files, nanos, count) -> addTo(all, files, count), counted::addAndGet);
        int threads = 4;
        long each = 20_000;
        List<Thread> handlers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            long first = thread * each;
            handlers.add(new Thread(() -> {
                for (long file = first; file < first + each; file++) {
                    shared.add(SESSION, file, 0);
                }
            }));
        }
        handlers.forEach(Thread::start);
        for (Thread handler : handlers) {
            handler.join();
        }
        shared.settle();
        assertThat(counted).hasValue(threads * each);
        Map<Long, List<Long>> byThread = new HashMap<>();
        all.forEach(file -> byThread.computeIfAbsent(file / each, unused -> new ArrayList<>())
                .add(file));
        assertThat(byThread).hasSize(threads).allSatisfy((thread, files) -> {
            assertThat(files).hasSize((int) each).doesNotHaveDuplicates();
            assertThat(Collections.max(files)).isEqualTo(thread * each + each - 1);
        });
    }
}

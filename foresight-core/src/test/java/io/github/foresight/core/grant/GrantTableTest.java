/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GrantTableTest {

    private static final long KEPT = TimeUnit.SECONDS.toNanos(10);

    private final RecordedEvents events = new RecordedEvents();

    private GrantTable table(long budget) {
        return new GrantTable(budget, 1000, 7, events);
    }

    private static boolean grant(GrantTable table, CacheRecord record, String path) {
        return table.granted(record, path, path, KEPT, table.position(), 0);
    }

    @Test
    void changed_file_isReportedOnceToItsHolders() {
        GrantTable table = table(1 << 20);
        CacheRecord alice = table.record(1, "alice", 0);
        CacheRecord bob = table.record(1, "bob", 0);
        assertThat(alice).isNotSameAs(bob);
        grant(table, alice, "/a/f");
        grant(table, alice, "/a/fg");
        grant(table, bob, "/a/g");
        table.changed("/a/f");
        assertThat(alice.take().names()).containsExactly("/a/f");
        assertThat(alice.take().names()).isEmpty();
        assertThat(bob.take().names())
                .as("bob hears nothing of files that he was not granted")
                .isEmpty();
        assertThat(table.grants()).isEqualTo(2);
    }

    @Test
    void changed_rootOrDirectory_isReportedForFilesBelow() {
        GrantTable table = table(1 << 20);
        CacheRecord alice = table.record(1, "alice", 0);
        grant(table, alice, "/a/b/f");
        grant(table, alice, "/a/bc");
        table.changed("/a/b");
        assertThat(alice.take().names()).containsExactly("/a/b/f");
        table.changed("");
        assertThat(alice.take().names()).containsExactly("/a/bc");
    }

    @Test
    void granted_underAnotherName_isReportedByThatName() {
        GrantTable table = table(1 << 20);
        CacheRecord alice = table.record(1, "alice", 0);
        table.granted(alice, "/a/f", "/.reserved/raw/a/f", KEPT, table.position(), 0);
        table.changed("/a");
        assertThat(alice.take().names()).containsExactly("/.reserved/raw/a/f");
    }

    @Test
    void grantedAgain_takesTheRoomOfOne() {
        GrantTable table = table(1 << 20);
        CacheRecord alice = table.record(1, "alice", 0);
        grant(table, alice, "/a/f");
        long bytes = table.bytes();
        grant(table, alice, "/a/f");
        assertThat(table.bytes()).isEqualTo(bytes);
        assertThat(table.grants()).isOne();
    }

    @Test
    void changed_moreThanAreKept_tellsToForgetEverything() {
        GrantTable table = new GrantTable(1 << 20, 3, 7, events);
        CacheRecord alice = table.record(1, "alice", 0);
        for (int i = 0; i < 5; i++) {
            grant(table, alice, "/a/" + i);
        }
        table.changed("/a");
        assertThat(alice.take().isEverything()).isTrue();
        assertThat(events.overflowed).hasValue(1);
        assertThat(alice.take().isEverything()).as("once").isFalse();
        assertThat(table.record(1, "alice", 0)).isSameAs(alice);
    }

    @Test
    void changed_directoryOfVeryMany_endsAllRecordsInsteadOfTellingEach() {
        GrantTable table = table(1 << 30);
        CacheRecord alice = table.record(1, "alice", 0);
        for (int i = 0; i < 10_001; i++) {
            grant(table, alice, "/a/" + i);
        }
        table.changed("/a");
        assertThat(alice.take().isEverything()).isTrue();
        assertThat(table.record(1, "alice", 0).number()).isNotEqualTo(alice.number());
        assertThat(table.bytes() - table.recentBytes())
                .isEqualTo(CacheRecord.FIXED_BYTES + Account.fixedBytes("alice"));
        assertThat(events.forgotten).hasValue(1);
    }

    @Test
    void manyCachesOfOneUser_pushOutThatUsersOwnOnly() {
        GrantTable table = table(200_000);
        CacheRecord alice = table.record(1, "alice", 0);
        for (int i = 0; i < 50; i++) {
            grant(table, alice, "/a/" + i);
        }
        for (long cacheId = 0; cacheId < 20_000; cacheId++) {
            CacheRecord record = table.record(cacheId, "mallory", 0);
            grant(table, record, "/m/f");
            assertThat(table.bytes()).isLessThanOrEqualTo(200_000 + CacheRecord.FIXED_BYTES);
        }
        assertThat(table.record(1, "alice", 0)).isSameAs(alice);
        table.changed("/a");
        assertThat(alice.take().names()).hasSize(50);
        assertThat(events.crowded.get()).isGreaterThan(0);
    }

    @Test
    void pushedOut_getsAnotherRecord() {
        GrantTable table = table(50_000);
        CacheRecord alice = table.record(1, "alice", 0);
        grant(table, alice, "/a/f");
        CacheRecord other = table.record(2, "alice", 0);
        for (int i = 0; i < 10_000; i++) {
            grant(table, other, "/b/" + i);
        }
        assertThat(alice.take().isEverything()).as("a reply that is under way").isTrue();
        assertThat(table.record(1, "alice", 0).number()).isNotEqualTo(alice.number());
        assertThat(table.bytes()).isLessThanOrEqualTo(50_000 + 2 * CacheRecord.FIXED_BYTES);
    }

    @Test
    void expire_recordsOfWhichClientsHoldNothing_takeNoRoom() {
        GrantTable table = table(1 << 20);
        grant(table, table.record(1, "alice", 0), "/a/f");
        table.expire(KEPT - 1);
        assertThat(table.grants()).isOne();
        table.expire(KEPT + 1);
        assertThat(table.grants()).isZero();
        assertThat(table.bytes()).isZero();
    }

    @Test
    void tables_ofTwoNameNodes_numberTheirRecordsDifferently() {
        long one = new GrantTable(1 << 20, 10, 7, events).record(1, "alice", 0).number();
        long other =
                new GrantTable(1 << 20, 10, 77, events).record(1, "alice", 0).number();
        assertThat(one).isNotEqualTo(other);
        assertThat(new GrantTable(1 << 20, 10, -1, events).record(1, "alice", 0).number())
                .as("0 stands for none")
                .isNotZero();
    }

    @Test
    void manyThreads_leaveNoClientWithAStaleEntryAndNoByteUnaccounted() throws Exception {
        GrantTable table = new GrantTable(60_000, 8, 7, events);
        Map<String, Long> versions = new ConcurrentHashMap<>();
        List<FakeClient> clients = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        AtomicInteger asking = new AtomicInteger(4);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FakeClient client = new FakeClient(table, "user" + i % 2, i, KEPT);
            clients.add(client);
            int seed = i;
            ends.add(threads.submit(() -> {
                Random random = new Random(seed);
                begin.await();
                for (int step = 0; step < 20_000; step++) {
                    client.ask(
                            List.of("/a/" + random.nextInt(100), "/b/" + random.nextInt(100)),
                            file -> versions.getOrDefault(file, 0L),
                            0);
                }
                return asking.decrementAndGet();
            }));
        }
        for (int i = 0; i < 2; i++) {
            int seed = 100 + i;
            ends.add(threads.submit(() -> {
                Random random = new Random(seed);
                begin.await();
                while (asking.get() > 0) {
                    String file = (random.nextBoolean() ? "/a/" : "/b/") + random.nextInt(100);
                    versions.merge(file, 1L, Long::sum);
                    table.changed(file);
                    if (random.nextInt(1000) == 0) {
                        table.everythingChanged();
                    }
                }
                return 0;
            }));
        }
        begin.countDown();
        for (Future<?> end : ends) {
            end.get(120, TimeUnit.SECONDS);
        }
        threads.shutdown();
        for (FakeClient client : clients) {
            client.ask(List.of(), file -> 0, 0);
            assertThat(client.stale(file -> versions.getOrDefault(file, 0L), 0)).isEmpty();
        }
        table.expire(2 * KEPT);
        assertThat(table.grants()).isZero();
        assertThat(table.bytes()).isEqualTo(table.recentBytes());
    }

    @Test
    void changed_veryLongPaths_stayWithinTheBudget() {
        GrantTable table = table(1 << 20);
        CacheRecord alice = table.record(1, "alice", 0);
        long readAt = table.position();
        for (int i = 0; i < 2000; i++) {
            table.changed("/" + "d".repeat(7990) + i);
        }
        assertThat(table.bytes()).isGreaterThan(16_000).isLessThanOrEqualTo(1 << 20);
        assertThat(table.granted(alice, "/f", "/f", KEPT, readAt, 0))
                .as("read before changes that are not remembered")
                .isFalse();
        assertThat(table.granted(alice, "/f", "/f", KEPT, table.position() - 1, 0))
                .isTrue();
    }

    @Test
    void users_withLongNames_takeRoom() {
        GrantTable table = table(1 << 20);
        table.record(1, "u".repeat(200), 0);
        assertThat(table.bytes()).isGreaterThanOrEqualTo(CacheRecord.FIXED_BYTES + 400);
    }

    /** With the default of 64 MiB this is the rate in docs/operate.md. */
    @Test
    void capacity_inGrantsASecond_followsFromTheBudget() {
        int budget = 4 << 20;
        long entries = budget / 256L * 225 / 262;
        long keptSeconds = 11;
        long rate = entries / keptSeconds;
        assertThat((64L << 20) / budget * rate).isBetween(20_000L, 21_000L);

        assertThat(forgottenAtRate(budget, rate * 9 / 10, keptSeconds)).isZero();
        assertThat(forgottenAtRate(budget, rate * 11 / 10, keptSeconds)).isPositive();
    }

    private long forgottenAtRate(int budget, long rate, long keptSeconds) {
        GrantTable table = table(budget);
        events.crowded.set(0);
        long second = TimeUnit.SECONDS.toNanos(1);
        int file = 0;
        for (long now = 0; now < 60; now++) {
            for (int i = 0; i < rate; i++) {
                CacheRecord record = table.record(i % 10, "user" + i % 10, now * second);
                String path = String.format("/warehouse/table/day=11/part-%07d", file++);
                table.granted(record, path, path, (now + keptSeconds) * second, table.position(), now * second);
            }
        }
        return events.crowded.get();
    }

    @Test
    void heaviest_ofManyUsers_isFoundInSteps() {
        Generation generation = new Generation();
        for (int i = 0; i < 1000; i++) {
            Account account = new Account("user" + i, generation);
            generation.accounts.put("user" + i, account);
            account.charge(i == 500 ? 1000 : 10);
        }
        Account found = generation.heaviest();
        int calls = 1;
        while (found != generation.accounts.get("user500")) {
            found = generation.heaviest();
            calls++;
        }
        assertThat(calls).isBetween(1, 1000 / Generation.LOOKED_AT_ONCE + 1);
        assertThat(generation.heaviest()).as("remembered").isSameAs(found);
    }
}

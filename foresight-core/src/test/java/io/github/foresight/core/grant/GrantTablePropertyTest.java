/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Clients that follow the protocol, compared with the true state. */
class GrantTablePropertyTest {

    private static final long KEPT = TimeUnit.SECONDS.toNanos(10);
    private static final int STEPS = 400;

    private final Map<String, Long> versions = new HashMap<>();

    private long version(String file) {
        return versions.getOrDefault(file, 0L);
    }

    private static List<String> files() {
        List<String> files = new ArrayList<>();
        for (String directory : List.of("", "/a", "/a/b", "/ab", "/a/b c")) {
            for (String name : List.of("/f", "/g", "/h")) {
                files.add(directory + name);
            }
        }
        return files;
    }

    private void change(GrantTable table, String path) {
        files().stream()
                .filter(file -> file.equals(path) || file.startsWith(path + '/'))
                .forEach(file -> versions.merge(file, 1L, Long::sum));
        table.changed(path);
    }

    @Property(tries = 300)
    void anyOrderOfRequestsAndChanges_leavesNoClientWithAStaleEntryAfterItsReply(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40_000) int budget,
            @ForAll @IntRange(min = 1, max = 6) int maxChanges) {
        versions.clear();
        Random random = new Random(seed);
        GrantTable table = new GrantTable(budget, maxChanges, seed, new RecordedEvents());
        List<FakeClient> clients = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            clients.add(new FakeClient(table, i % 2 == 0 ? "alice" : "bob", i / 2, KEPT));
        }
        List<String> files = files();
        List<String> changeable = new ArrayList<>(files);
        changeable.addAll(List.of("", "/a", "/a/b", "/ab", "/nothing"));
        long now = seed;
        for (int step = 0; step < STEPS; step++) {
            int what = random.nextInt(100);
            if (what < 50) {
                FakeClient client = clients.get(random.nextInt(clients.size()));
                List<String> asked = new ArrayList<>();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    asked.add(files.get(random.nextInt(files.size())));
                }
                client.ask(asked, this::version, now);
                assertThat(client.stale(this::version, now)).isEmpty();
            } else if (what < 90) {
                change(table, changeable.get(random.nextInt(changeable.size())));
            } else if (what < 92) {
                files.forEach(file -> versions.merge(file, 1L, Long::sum));
                table.everythingChanged();
            } else if (what < 97) {
                now += random.nextInt(5) * TimeUnit.SECONDS.toNanos(1);
            } else {
                table.expire(now);
            }
            assertThat(table.bytes())
                    .isBetween(0L, (long) budget + 6 * (CacheRecord.FIXED_BYTES + Account.fixedBytes("userN")));
        }
        now += 3 * KEPT;
        table.expire(now);
        assertThat(table.grants()).isZero();
        assertThat(table.bytes()).isEqualTo(table.recentBytes());
    }

    /** An entry was read before a change, and granted after the change was recorded. */
    @Property
    void grantedAfterAChange_ofAnEarlierRead_isRefused(@ForAll @IntRange(min = 0, max = 5000) int otherChanges) {
        GrantTable table = new GrantTable(1 << 20, 100, 1, new RecordedEvents());
        CacheRecord record = table.record(1, "alice", 0);
        long readAt = table.position();
        table.changed("/a");
        for (int i = 0; i < otherChanges; i++) {
            table.changed("/elsewhere/" + i);
        }
        assertThat(table.granted(record, "/a/f", "/a/f", KEPT, readAt, 0)).isFalse();
        assertThat(table.granted(record, "/a/f", "/a/f", KEPT, table.position(), 0))
                .isTrue();
    }
}

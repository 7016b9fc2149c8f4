/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares with a map from path to holders. */
class LayoutHoldersPropertyTest {

    private static final String[] PATHS = {"/a", "/a/b", "/a/b/c", "/a-b", "/a-b/c", "/a/b-c/d", "/ab", "/a/c", "/d/e"};

    @Property(tries = 500)
    void holders_areThoseAtAndBelowThePath(@ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int operations) {
        LayoutHolders table = new LayoutHolders();
        Map<String, Set<Long>> reference = new HashMap<>();
        for (int i = 0; i < operations; i++) {
            String path = PATHS[random.nextInt(PATHS.length)];
            long holder = random.nextInt(4);
            if (random.nextInt(5) == 0) {
                table.remove(path);
                reference.remove(path);
            } else {
                assertThat(table.add(path, holder, Long.MAX_VALUE, 10)).isTrue();
                reference.computeIfAbsent(path, p -> new HashSet<>()).add(holder);
            }
            for (String changed : new String[] {"/", "/a", "/a/b", "/a-b", "/d", "/x", "/a/b-c"}) {
                Set<Long> holders = new TreeSet<>();
                assertThat(table.reportHolders(changed, 100, holders::add)).isTrue();
                Set<Long> expected = new TreeSet<>();
                reference.forEach((held, by) -> {
                    if (Subtree.covers(changed, held)) {
                        expected.addAll(by);
                    }
                });
                assertThat(holders)
                        .as("holders of %s after %s", changed, reference)
                        .isEqualTo(expected);
            }
        }
        reference.keySet().forEach(table::remove);
        assertThat(table.bytes()).isZero();
    }

    @Property(tries = 200)
    void add_withoutRoom_leavesTheTableAsItIs(@ForAll @IntRange(min = 0, max = 2_000) int room) {
        LayoutHolders table = new LayoutHolders();
        List<String> added = new ArrayList<>();
        for (String path : PATHS) {
            long before = table.bytes();
            if (table.add(path, 1, room - before, 10)) {
                added.add(path);
            } else {
                assertThat(table.bytes()).isEqualTo(before);
            }
            assertThat(table.bytes()).isLessThanOrEqualTo(room);
        }
        added.forEach(table::remove);
        assertThat(table.bytes()).isZero();
    }
}

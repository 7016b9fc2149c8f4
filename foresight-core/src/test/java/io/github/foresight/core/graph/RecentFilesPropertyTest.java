/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RecentFilesPropertyTest {

    @Property
    void lastEightFiles_areKnown(
            @ForAll @Size(max = 300) List<Long> files,
            @ForAll @IntRange(min = 64, max = 1024) int capacity,
            @ForAll long seed) {
        RecentFiles recent = new RecentFiles(capacity, seed);
        for (int i = 0; i < files.size(); i++) {
            recent.add(files.get(i));
            for (int j = Math.max(0, i - 7); j <= i; j++) {
                assertThat(recent.contains(files.get(j))).isTrue();
            }
            assertThat(recent.bytes()).isLessThanOrEqualTo(Integer.BYTES * capacity);
        }
    }

    @Property(tries = 100)
    void halfOfTheCapacity_isKnown_andNothingElse(@ForAll long seed) {
        RecentFiles recent = new RecentFiles(1024, seed);
        Random random = new Random(seed);
        long[] files = random.longs(512).toArray();
        for (long file : files) {
            recent.add(file);
        }
        int known = 0;
        for (long file : files) {
            known += recent.contains(file) ? 1 : 0;
        }
        assertThat(known).isGreaterThan(490);
        int mistaken = 0;
        for (int i = 0; i < 1000; i++) {
            mistaken += recent.contains(random.nextLong()) ? 1 : 0;
        }
        assertThat(mistaken).isLessThanOrEqualTo(1);
    }

    @Property(tries = 50)
    void filesInARow_asBlockIdsAre_areKnownAsWell(@ForAll long first, @ForAll long seed) {
        RecentFiles recent = new RecentFiles(1024, seed);
        for (int i = 0; i < 512; i++) {
            recent.add(first + i);
        }
        int known = 0;
        for (int i = 0; i < 512; i++) {
            known += recent.contains(first + i) ? 1 : 0;
        }
        assertThat(known).isGreaterThan(490);
    }

    @Example
    void tableOfNoFiles_takesNoMemory() {
        RecentFiles recent = new RecentFiles(64, 1);
        assertThat(recent.contains(0)).isFalse();
        assertThat(recent.bytes()).isZero();
    }

    @Example
    void limitOutOfRange_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecentFiles(63, 0))
                .withMessageContaining("63");
    }
}

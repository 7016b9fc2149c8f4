/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class RecentSetPropertyTest {

    @Property
    void hash_thatWasNeverAdded_isNotFound(
            @ForAll List<Long> added, @ForAll List<Long> others, @ForAll @IntRange(max = 100) int capacity) {
        RecentSet set = new RecentSet(capacity);
        added.forEach(set::add);
        Set<Long> never = new HashSet<>(others);
        never.removeAll(added);
        // 0 marks an empty slot, so the hashes 0 and 1 are stored alike.
        never.removeAll(Set.of(0L, 1L));
        assertThat(never).noneMatch(set::contains);
    }

    @Property
    void hash_addedLast_isFound(@ForAll List<Long> added, @ForAll @IntRange(min = 1, max = 100) int capacity) {
        RecentSet set = new RecentSet(capacity);
        for (long hash : added) {
            set.add(hash);
            assertThat(set.contains(hash)).isTrue();
        }
    }

    @Property
    void hashes_thatFitIntoABucket_areAllFound(@ForAll @LongRange(max = 1000) long begin) {
        RecentSet set = new RecentSet(4096);
        for (int round = 0; round < 3; round++) {
            for (long hash = begin + 1; hash <= begin + 4; hash++) {
                set.add(hash);
            }
        }
        for (long hash = begin + 1; hash <= begin + 4; hash++) {
            assertThat(set.contains(hash)).isTrue();
        }
        set.add(begin + 5);
        assertThat(set.contains(begin + 1)).as("the oldest of its bucket").isFalse();
        set.clear();
        assertThat(set.contains(begin + 5)).isFalse();
    }

    @Example
    void capacity_isBoundedInBytes() {
        assertThat(new RecentSet(0).capacityBytes()).isZero();
        assertThat(new RecentSet(1).capacityBytes()).isEqualTo(32);
        assertThat(new RecentSet(65).capacityBytes()).isEqualTo(1024);
        RecentSet none = new RecentSet(0);
        none.add(5);
        assertThat(none.contains(5)).isFalse();
        assertThatThrownBy(() -> new RecentSet(-1)).hasMessage("capacity must be in [0, 2^28]: -1");
    }
}

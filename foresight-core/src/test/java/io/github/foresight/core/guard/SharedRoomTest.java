/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SharedRoomTest {

    private static final int CAPACITY = 1000;

    private final SharedRoom room = new SharedRoom(CAPACITY);

    @Example
    void loneUser_takesHalf_andAnotherStillFindsRoom() {
        int taken = 0;
        while (room.take("heavy", 10)) {
            taken += 10;
        }
        assertThat(taken).isEqualTo(CAPACITY / 2);
        assertThat(room.hasRoom("heavy", 10)).isFalse();
        assertThat(room.take("light", 10)).isTrue();
        room.giveBack("heavy", 500);
        assertThat(room.heldBytes()).isEqualTo(10);
        assertThat(room.take("heavy", 400)).isTrue();
    }

    @Example
    void moreThanThereIs_isRefused() {
        assertThat(room.take("a", CAPACITY + 1)).isFalse();
        assertThat(room.take("a", Long.MAX_VALUE)).isFalse();
        assertThat(room.heldBytes()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> new SharedRoom(-1));
    }

    @Property(tries = 300)
    void sum_isNeverAboveTheRoom_andANewUserOftenFindsSome(
            @ForAll @Size(max = 400) List<@IntRange(max = 3) Integer> users,
            @ForAll @IntRange(min = 1, max = 60) int bytes) {
        SharedRoom shared = new SharedRoom(CAPACITY);
        Map<Integer, Integer> taken = new HashMap<>();
        for (int user : users) {
            if (shared.take("user " + user, bytes)) {
                taken.merge(user, bytes, Integer::sum);
            }
            int sum = taken.values().stream().mapToInt(Integer::intValue).sum();
            assertThat(shared.heldBytes()).isEqualTo(sum).isLessThanOrEqualTo(CAPACITY);
            // Four users leave at least a fifth of the room, less the bytes that they take at once.
            assertThat(shared.hasRoom("fifth", 50)).isTrue();
        }
        taken.forEach((user, sum) -> shared.giveBack("user " + user, sum));
        assertThat(shared.heldBytes()).isZero();
    }
}

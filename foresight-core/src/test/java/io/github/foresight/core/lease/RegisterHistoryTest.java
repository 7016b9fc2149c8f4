/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RegisterHistoryTest {

    private final RegisterHistory history = new RegisterHistory(0);

    @Test
    void read_ofTheOldValueAfterTheWriteReturned_isContradicted() {
        history.write(1, 10, 20);
        history.read(0, 21, 22);
        assertThat(history.contradiction()).isNotNull();
    }

    @Test
    void read_ofTheOldValueDuringTheWrite_isLinearizable() {
        history.write(1, 10, 20);
        history.read(0, 15, 22);
        history.read(1, 15, 16);
        assertThat(history.contradiction()).isNull();
    }

    @Test
    void read_ofTheOldValueAfterAReadOfTheNew_isContradicted() {
        history.write(1, 10, 100);
        history.read(1, 20, 21);
        history.read(0, 30, 31);
        assertThat(history.contradiction()).isNotNull();
    }

    @Test
    void write_withoutAnswer_mayTakeEffectOrNot() {
        history.write(1, 10, RegisterHistory.unanswered());
        history.read(0, 30, 31);
        assertThat(history.contradiction()).isNull();
        history.read(1, 40, 41);
        assertThat(history.contradiction()).isNull();
        history.read(0, 50, 51);
        assertThat(history.contradiction()).isNotNull();
    }

    @Test
    void read_beforeItsWrite_isContradicted() {
        history.read(1, 1, 2);
        history.write(1, 10, 20);
        assertThat(history.contradiction()).isNotNull();
    }

    /**
     * Compares with a search of all orders. An operation is a value and two times; the first operation of a value is
     * its write.
     */
    @Property(tries = 2000)
    void contradiction_equalsASearchOfAllOrders(
            @ForAll @Size(max = 6) List<@IntRange(max = 2) Integer> values, @ForAll Random random) {
        List<long[]> operations = new ArrayList<>();
        boolean[] written = {true, false, false};
        RegisterHistory tested = new RegisterHistory(0);
        for (int value : values) {
            // All times are different, because the two rules for equal times do not matter here.
            long invoked = random.nextInt(20) * 100L + operations.size() * 2L;
            long responded = invoked + random.nextInt(8) * 100L + 1;
            boolean write = !written[value];
            written[value] = true;
            operations.add(new long[] {value, write ? 1 : 0, invoked, responded});
            if (write) {
                tested.write(value, invoked, responded);
            } else {
                tested.read(value, invoked, responded);
            }
        }
        assertThat(tested.contradiction() == null).isEqualTo(hasOrder(operations, 0));
    }

    private static boolean hasOrder(List<long[]> left, long value) {
        if (left.isEmpty()) {
            return true;
        }
        for (long[] next : left) {
            boolean first = left.stream().noneMatch(other -> other[3] < next[2]);
            boolean fits = next[1] == 1 || next[0] == value;
            if (first && fits) {
                List<long[]> rest = new ArrayList<>(left);
                rest.remove(next);
                if (hasOrder(rest, next[0])) {
                    return true;
                }
            }
        }
        return false;
    }
}

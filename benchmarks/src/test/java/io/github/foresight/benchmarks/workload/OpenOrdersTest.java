/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.workload.OpenOrders.Kind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenOrdersTest {

    private static final int FILES = 200;

    @ParameterizedTest
    @EnumSource
    void order_ofAsManyOpensAsFiles_hasEachFileOnce(Kind kind) {
        int[] order = new OpenOrders(kind, FILES, FILES).of(3, 1, 2);

        assertThat(order).hasSize(FILES).doesNotHaveDuplicates();
        assertThat(Arrays.stream(order)).allMatch(file -> file >= 0 && file < FILES);
    }

    @ParameterizedTest
    @EnumSource
    void order_ofMoreOpensThanFiles_beginsAgain(Kind kind) {
        int[] order = new OpenOrders(kind, 3, 8).of(0, 0, 0);

        assertThat(order).hasSize(8).contains(0, 1, 2);
    }

    @ParameterizedTest
    @EnumSource
    void order_ofAnotherClientOrRound_isAnother(Kind kind) {
        OpenOrders orders = new OpenOrders(kind, FILES, FILES);

        assertThat(orders.of(0, 0, 1)).isNotEqualTo(orders.of(0, 0, 0));
        assertThat(orders.of(1, 0, 0)).isNotEqualTo(orders.of(0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void order_ofTheNextPass_isTheSameUnlessRandom(Kind kind) {
        OpenOrders orders = new OpenOrders(kind, FILES, FILES);

        boolean same = Arrays.equals(orders.of(0, 0, 0), orders.of(0, 1, 0));
        assertThat(same).isEqualTo(kind != Kind.RANDOM);
    }

    @Test
    void sharedOrders_haveMostSuccessionsInCommon_ownOrdersHardlyAny() {
        assertThat(commonSuccessions(Kind.SHARED)).isGreaterThan(FILES * 9 / 10);
        assertThat(commonSuccessions(Kind.OWN)).isLessThan(FILES / 10);
    }

    private static int commonSuccessions(Kind kind) {
        OpenOrders orders = new OpenOrders(kind, FILES, FILES);
        Set<Integer> common = successions(orders.of(0, 0, 0));
        common.retainAll(successions(orders.of(0, 0, 1)));
        return common.size();
    }

    private static Set<Integer> successions(int[] order) {
        Set<Integer> successions = new HashSet<>();
        for (int i = 1; i < order.length; i++) {
            successions.add(order[i - 1] * FILES + order[i]);
        }
        return successions;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiscretionTest {

    private static final long PERIOD = 1000;

    private final Discretion discretion =
            new Discretion(new KeyedHash(1, 2), new RecentSet(64), new Refusals(64, PERIOD, 0));

    @Test
    void path_thatAUserHasOpened_isThatUsersAlone() {
        discretion.opened("bob", "/a/b");
        assertThat(discretion.hasOpened("bob", "/a/b")).isTrue();
        assertThat(discretion.hasOpened("bob", "/a/c")).isFalse();
        assertThat(discretion.hasOpened("alice", "/a/b")).isFalse();
        assertThat(discretion.hasOpened("bob/a", "/b")).isFalse();
    }

    @Test
    void refusal_isOfOneUserAndForgottenInTime() {
        discretion.refused("bob", 7, 10);
        assertThat(discretion.isRefused("bob", 7, 11)).isTrue();
        assertThat(discretion.isRefused("bob", 8, 11)).isFalse();
        assertThat(discretion.isRefused("alice", 7, 11)).isFalse();
        assertThat(discretion.isRefused("bob", 7, 3 * PERIOD)).isFalse();
    }

    @Test
    void memory_isBounded() {
        for (int i = 0; i < 10_000; i++) {
            discretion.opened("bob", "/" + i);
            discretion.refused("bob", i, 0);
        }
        assertThat(discretion.capacityBytes()).isEqualTo(3 * 64 * Long.BYTES);
    }
}

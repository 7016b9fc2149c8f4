/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserAccessHistoryTest {

    private static final long PERIOD = 1000;

    private final UserAccessHistory accessHistory =
            new UserAccessHistory(new KeyedHash(1, 2), new RecentSet(64), new Refusals(64, PERIOD, 0));

    @Test
    void path_thatAUserHasOpened_isThatUsersAlone() {
        accessHistory.opened("bob", "/a/b");
        assertThat(accessHistory.hasOpened("bob", "/a/b")).isTrue();
        assertThat(accessHistory.hasOpened("bob", "/a/c")).isFalse();
        assertThat(accessHistory.hasOpened("alice", "/a/b")).isFalse();
        assertThat(accessHistory.hasOpened("bob/a", "/b")).isFalse();
    }

    @Test
    void refusal_isOfOneUserAndForgottenInTime() {
        accessHistory.refused("bob", 7, 10);
        assertThat(accessHistory.isRefused("bob", 7, 11)).isTrue();
        assertThat(accessHistory.isRefused("bob", 8, 11)).isFalse();
        assertThat(accessHistory.isRefused("alice", 7, 11)).isFalse();
        assertThat(accessHistory.isRefused("bob", 7, 3 * PERIOD)).isFalse();
    }

    @Test
    void memory_isBounded() {
        for (int i = 0; i < 10_000; i++) {
            accessHistory.opened("bob", "/" + i);
            accessHistory.refused("bob", i, 0);
        }
        assertThat(accessHistory.capacityBytes()).isEqualTo(3 * 64 * Long.BYTES);
    }
}

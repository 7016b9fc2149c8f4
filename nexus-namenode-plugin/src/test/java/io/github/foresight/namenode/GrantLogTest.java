/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantLogTest {

    private static final int CAPACITY = 64 << 10;

    private final Caller caller = Caller.of("alice", "10.0.0.1", "c1", "", EnumSet.of(Identity.CLIENT), Set.of());

    @Test
    void grant_thatTakesMoreHeapThanMayWait_isNotLogged_andSoNotGranted() {
        try (GrantLog log = new GrantLog(CAPACITY)) {
            List<String> paths = Collections.nCopies(64, "/" + "d".repeat(1000));
            assertThat(log.log(caller, "bundle", "/", paths)).isFalse();
            assertThat(log.waitingBytes()).isZero();
            assertThat(log.log(caller, "bundle", "/", paths.subList(0, 10))).isTrue();
        }
    }
}

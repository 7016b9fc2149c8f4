/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantLogTest {

    private static final int CAPACITY = 64 << 10;

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final TrailFixture trailed = new TrailFixture();
    private final Caller caller = Caller.of("alice", "10.0.0.1", "c1", "", EnumSet.of(Identity.CLIENT), Set.of());

    @Test
    void grant_thatTakesMoreHeapThanMayWait_isNotLogged_andSoNotGranted() {
        try (GrantLog log = new GrantLog(trailed, CAPACITY, metrics)) {
            List<String> paths = Collections.nCopies(64, "/" + "d".repeat(1000));
            assertThat(log.log(caller, "bundle", "/", paths)).isFalse();
            assertThat(log.waitingBytes()).isZero();
            assertThat(log.log(caller, "bundle", "/", paths.subList(0, 10))).isTrue();
        }
    }

    @Test
    void loggerThatThrowsAnError_losesThatLineAlone_andTheThreadLivesOn() {
        try (GrantLog log = new GrantLog(trailed, CAPACITY, metrics)) {
            trailed.failure.set(new OutOfMemoryError("as if"));
            assertThat(log.log(caller, "prefetch", "/a", List.of("/b", "/c"))).isTrue();
            await().until(() -> trailed.lines.size() == 1);
            trailed.failure.set(new AssertionError("an appender"));
            assertThat(log.log(caller, "prefetch", "/a", List.of("/d", "/e"))).isTrue();
            await().until(() -> trailed.lines.size() == 2);
            assertThat(metrics.liveThreads.get()).isEqualTo(1);
        }
        assertThat(trailed.lines)
                .containsExactly(
                        "allowed=true\tugi=alice\tip=/10.0.0.1\tcmd=prefetch\tsrc=/a\tdst=/c\tperm=null\tproto=rpc",
                        "allowed=true\tugi=alice\tip=/10.0.0.1\tcmd=prefetch\tsrc=/a\tdst=/e\tperm=null\tproto=rpc");
        assertThat(metrics.grantsUnaudited.value()).isEqualTo(2);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AccessLearnerTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AccessLearner learner = new AccessLearner(
            NameNodeSettings.read(Map.of("foresight.namenode.graph.capacity", "1m")::get), unused -> {});

    private static Caller caller(String client) {
        return Caller.of("alice", "10.0.0.1", client, "", EnumSet.of(Identity.CLIENT), Set.of());
    }

    @Test
    void session_ofOneIdentity_isOne_rememberedOrNot() {
        Caller caller = caller("c1");
        ClientSession session = learner.session(caller, 0);

        assertThat(learner.session(caller, 1)).isSameAs(session);
        assertThat(learner.session(caller, 3 * MINUTE)).isSameAs(session);
        assertThat(learner.session(caller("c1"), 2)).isSameAs(session);
        assertThat(learner.session(caller("c2"), 3)).isNotSameAs(session);
        assertThat(learner.sessionCount()).isEqualTo(2);
    }

    @Test
    void session_afterAllWasForgotten_isAnother() {
        Caller caller = caller("c1");
        ClientSession session = learner.session(caller, 0);
        learner.clear();

        ClientSession after = learner.session(caller, 1);
        assertThat(after).isNotSameAs(session);
        assertThat(learner.session(caller("c1"), 1)).isSameAs(after);
    }

    @Test
    void sessions_takeNoMoreHeapThanTheyMay_whateverClientsDo() {
        AccessLearner small = new AccessLearner(
                NameNodeSettings.read(Map.of(
                        "foresight.namenode.graph.capacity", "1m", "foresight.namenode.clients.capacity", "64k")::get),
                unused -> {});
        for (int client = 0; client < 200; client++) {
            Caller caller = caller("c" + client);
            ClientSession session = small.session(caller, 0);
            for (long file = 0; file < 2000; file++) {
                session.granted(file);
            }
            small.weigh(caller, session);
            assertThat(small.sessionBytes()).isLessThanOrEqualTo(64 << 10);
            assertThat(session.bytes()).isBetween(4096, 9 << 10);
        }
        assertThat(small.sessionCount()).isBetween(1L, 64L << 10 >> 12);
    }

    @Test
    void sessions_areNoMoreThanTheyMayBe() {
        AccessLearner few = new AccessLearner(
                NameNodeSettings.read(
                        Map.of("foresight.namenode.graph.capacity", "1m", "foresight.namenode.clients.max", "10")::get),
                unused -> {});
        for (int client = 0; client < 100; client++) {
            few.session(caller("c" + client), 0);
        }
        assertThat(few.sessionCount()).isLessThanOrEqualTo(10);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;

final class LeaseHubsTest {

    private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofSeconds(10), Duration.ofSeconds(3));

    private final LeaseHubs hubs = new LeaseHubs();
    private final AtomicInteger failures = new AtomicInteger();
    private final ForgetfulCache cache = new ForgetfulCache();

    private final LeaseEvents events = new LeaseEvents() {
        @Override
        public void renewed() {}

        @Override
        public void recalled(int paths, int layouts) {}

        @Override
        public void expired() {}

        @Override
        public void parked() {}

        @Override
        public void parkFailed() {}

        @Override
        public void failed(Throwable failure) {
            failures.incrementAndGet();
        }
    };

    /** Remembers the paths that it was asked to forget. */
    private static final class ForgetfulCache implements LeasedCache {
        private final List<String> forgotten = new ArrayList<>();
        private boolean failing;

        @Override
        public int forget(String path) {
            if (failing) {
                throw new IllegalStateException("on purpose");
            }
            forgotten.add(path);
            return 1;
        }

        @Override
        public int forgetGrantedBy(LeaseHub hub) {
            forgotten.add("everything");
            return 1;
        }
    }

    private static ClientNamenodeProtocolPB deadNameNode() {
        return (ClientNamenodeProtocolPB) Proxy.newProxyInstance(
                LeaseHubsTest.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocolPB.class},
                (proxy, method, arguments) -> {
                    throw new ServiceException("dead");
                });
    }

    private LeaseMember join(int port) {
        return hubs.join(InetSocketAddress.createUnresolved("namenode", port), TERMS, events, deadNameNode(), cache);
    }

    private static LeaseReplyProto.Builder reply() {
        return LeaseReplyProto.newBuilder()
                .setEpoch(7)
                .setIncarnation(1)
                .setRenewed(true)
                .setLeaseMillis(10_000)
                .setLayoutMillis(10_000);
    }

    private static boolean isRunning(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name));
    }

    @Test
    void hubs_openedUsedAndClosed_leaveNothingBehind() {
        AtomicInteger stopped = new AtomicInteger();
        int count = 10_000;
        for (int i = 0; i < count; i++) {
            LeaseMember member = join(1 + i);
            if (i % 100 == 0) {
                member.receive(member.sending(), reply().build(), (mayKeep, grant) -> {});
            }
            member.close(stopped::incrementAndGet);
        }
        assertThat(hubs.size()).isZero();
        await().untilAsserted(() -> assertThat(stopped).hasValue(count));
        await().until(() -> !isRunning("foresight-recalls") && !isRunning("foresight-release"));
    }

    /** Close comes back at once while a NameNode is slow; the thread that the end of the JVM would wait for ends soon after. */
    @Test
    void close_whileTheLeaseIsGivenBack_doesNotWait_andLeavesNoHookBehind() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        ClientNamenodeProtocolPB slow = (ClientNamenodeProtocolPB) Proxy.newProxyInstance(
                LeaseHubsTest.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocolPB.class},
                (proxy, method, arguments) -> {
                    calls.incrementAndGet();
                    try {
                        answer.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new ServiceException("slow");
                });
        int hooks = exitHooks();
        LeaseMember member = hubs.join(InetSocketAddress.createUnresolved("namenode", 1), TERMS, events, slow, cache);
        member.receive(member.sending(), reply().build(), (mayKeep, grant) -> {});
        await().until(() -> calls.get() == 1);
        AtomicInteger stopped = new AtomicInteger();
        member.close(stopped::incrementAndGet);
        assertThat(stopped).hasValue(0);
        assertThat(exitHooks()).as("the end of the JVM would wait now").isEqualTo(hooks + 1);
        await().until(() -> stopped.get() == 1);
        await().until(() -> exitHooks() == hooks);
        assertThat(calls).as("parked, and returned").hasValue(2);
        answer.countDown();
    }

    private static int exitHooks() throws ReflectiveOperationException {
        Field hooks = ShutdownHookManager.class.getDeclaredField("hooks");
        hooks.setAccessible(true);
        return ((Set<?>) hooks.get(ShutdownHookManager.get())).size();
    }

    @Test
    void member_closedTwice_stopsItsConnectionOnce() {
        AtomicInteger stopped = new AtomicInteger();
        LeaseMember other = join(1);
        LeaseMember member = join(1);
        member.close(stopped::incrementAndGet);
        member.close(stopped::incrementAndGet);
        assertThat(stopped).hasValue(1);
        assertThat(hubs.size()).isEqualTo(1);
        other.close(() -> {});
    }

    @Test
    void recall_isForgottenBeforeItIsAcknowledged() {
        LeaseMember member = join(1);
        member.receive(member.sending(), reply().build());
        assertThat(member.sending().mark().getRecall()).isZero();
        member.receive(
                member.sending(), reply().setRenewed(false).addRecalls("/f").build());
        assertThat(cache.forgotten).endsWith("/f");
        assertThat(member.sending().mark().getRecall()).isEqualTo(1);
        member.close(() -> {});
    }

    @Test
    void recall_thatCannotBeProcessed_isNeverAcknowledged() {
        LeaseMember member = join(1);
        List<LayoutGrant> grants = new ArrayList<>();
        MarkedRequest request = member.sending();
        member.receive(request, reply().build(), (mayKeep, grant) -> grants.add(grant));
        assertThat(grants.get(0).isLive()).isTrue();

        cache.failing = true;
        MarkedRequest next = member.sending();
        LeaseReplyProto recall = reply().setRenewed(false).addRecalls("/f").build();
        try {
            member.receive(next, recall);
        } catch (IllegalStateException e) {
            member.abandon(e);
        }
        assertThat(failures).hasValue(1);
        assertThat(grants.get(0).isLive()).isFalse();
        assertThat(member.sending().mark().getSession())
                .isNotEqualTo(request.mark().getSession());
        assertThat(member.sending().mark().getRecall()).isZero();
        member.close(() -> {});
    }

    @Test
    void change_isForgottenBeforeItIsSent_andMarkedOnceThereWasALease() {
        LeaseMember member = join(1);
        LeaseMember other = join(1);
        assertThat(other.changing(List.of("/d")).isMarked()).isFalse();
        assertThat(cache.forgotten).containsExactly("/d");
        member.receive(member.sending(), reply().build());
        assertThat(other.changing(List.of("/d")).isMarked()).isTrue();
        member.close(() -> {});
        other.close(() -> {});
    }

    @Test
    void replyToARequestBeforeAChange_grantsNothingThatChanged() {
        LeaseMember member = join(1);
        MarkedRequest early = member.sending();
        member.changing(List.of("/d"));
        member.receive(early, reply().build(), (mayKeep, grant) -> {
            assertThat(mayKeep.test("/d/f")).isFalse();
            assertThat(mayKeep.test("/e")).isTrue();
        });
        assertThat(failures).hasValue(0);
        member.close(() -> {});
    }
}

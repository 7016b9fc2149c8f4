/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;

/** The audit trail of opens that clients served from cached layouts. */
class OpenTrailTest {

    private static final long NOW = 5_000_000;

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final TrailFixture left = new TrailFixture();

    private static OpenTrail.Opener alice(String context) throws Exception {
        return new OpenTrail.Opener(
                "alice (auth:KERBEROS)", InetAddress.getByName("10.0.0.1"), new CallerContext.Builder(context).build());
    }

    @Test
    void open_isALineAsHdfsHasIt() throws Exception {
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice("spark_app_1"), new long[] {1, 2}, NOW);
            trail.opened("alice", alice(""), new long[] {3}, NOW);
        }
        assertThat(left.lines)
                .containsExactly(
                        "allowed=true\tugi=alice (auth:KERBEROS)\tip=/10.0.0.1\tcmd=open\tsrc=/f1\tdst=null\tperm=null\tproto=rpc"
                                + "\tcallerContext=spark_app_1",
                        "allowed=true\tugi=alice (auth:KERBEROS)\tip=/10.0.0.1\tcmd=open\tsrc=/f2\tdst=null\tperm=null\tproto=rpc"
                                + "\tcallerContext=spark_app_1",
                        "allowed=true\tugi=alice (auth:KERBEROS)\tip=/10.0.0.1\tcmd=open\tsrc=/f3\tdst=null\tperm=null\tproto=rpc");
        assertThat(left.audited).as("off by default").isEmpty();
        assertThat(metrics.opensAudited.value()).isEqualTo(3);
    }

    @Test
    void nothingThatAClientSays_looksLikeAnotherLineOrField() throws Exception {
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice("a\tcmd=delete\nallowed=true"), new long[] {1}, NOW);
        }
        assertThat(left.lines.poll()).endsWith("\tcallerContext=a cmd=delete allowed");
    }

    @Test
    void fileThatIsGoneByThen_isNamedByItsBlock() throws Exception {
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice(""), new long[] {1234}, NOW);
        }
        assertThat(left.lines.poll()).contains("src=blk_1234 (deleted)");
        assertThat(left.accessTimes).isEmpty();
    }

    @Test
    void clustersAuditLoggers_areHandedMarkedOpens_whereThatIsOn() throws Exception {
        left.toClustersLoggers = true;
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice("job"), new long[] {1}, NOW);
            trail.opened("bob", new OpenTrail.Opener("bob", null, null), new long[] {2}, NOW);
        }
        assertThat(left.audited)
                .containsExactly("alice (auth:KERBEROS) /f1 job,foresight:served", "bob /f2 foresight:served");
    }

    @Test
    void accessTimes_areSetOncePerPrecision_thatOfOneFileFailingForItselfAlone() throws Exception {
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice(""), new long[] {12, 13, 14, 12}, NOW);
            await().until(() -> left.accessTimes.size() == 2);
            trail.opened("alice", alice(""), new long[] {12}, NOW + 500);
            trail.opened("alice", alice(""), new long[] {14}, NOW + 5000);
            await().until(() -> left.accessTimes.get(14L) == NOW + 5000);
        }
        assertThat(left.accessTimes).containsEntry(12L, NOW).doesNotContainKey(13L);
        assertThat(metrics.accessTimes.value()).isEqualTo(3);
        assertThat(metrics.accessTimesDropped.value()).isEqualTo(1);
    }

    @Test
    void reports_ofOneUser_fillNoMoreThanHalf_soThatOthersAreStillGrantedAndWritten() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        TrailFixture slow = new TrailFixture(released);
        try (OpenTrail trail = slow.trail(100_000, metrics)) {
            assertThat(trail.hasRoom("alice")).isTrue();
            for (int i = 0; i < 500; i++) {
                trail.opened("alice", alice(""), new long[10], NOW);
                assertThat(trail.waitingBytes()).isLessThanOrEqualTo(50_000);
            }
            assertThat(metrics.opensUnaudited.value()).isPositive();
            assertThat(trail.hasRoom("alice")).isFalse();
            assertThat(trail.hasRoom("bob")).isTrue();
            long dropped = metrics.opensUnaudited.value();
            trail.opened("bob", new OpenTrail.Opener("bob", null, null), new long[] {1}, NOW);
            assertThat(metrics.opensUnaudited.value()).isEqualTo(dropped);
            released.countDown();
            await().until(() -> trail.waitingBytes() == 0);
            assertThat(trail.hasRoom("alice")).isTrue();
        }
        assertThat(slow.lines).anyMatch(line -> line.contains("ugi=bob"));
    }

    @Test
    void signature_thatTheClientChooses_countsAsWaitingBytes() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        TrailFixture slow = new TrailFixture(released);
        try (OpenTrail trail = slow.trail(1 << 20, metrics)) {
            CallerContext signed = new CallerContext.Builder("job")
                    .setSignature(new byte[100_000])
                    .build();
            for (int i = 0; i < 20; i++) {
                trail.opened("alice", new OpenTrail.Opener("alice", null, signed), new long[] {1}, NOW);
            }
            assertThat(trail.waitingBytes()).isGreaterThan(400_000).isLessThanOrEqualTo(1 << 20);
            assertThat(metrics.opensUnaudited.value()).isGreaterThanOrEqualTo(10);
            released.countDown();
        }
    }

    @Test
    void loggerThatThrowsAnError_losesThatLineAlone_andTheThreadLivesOn() throws Exception {
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            left.failure.set(new AssertionError("an appender"));
            trail.opened("alice", alice(""), new long[] {1, 2}, NOW);
            await().until(() -> left.lines.size() == 1);
            left.failure.set(new OutOfMemoryError("as if"));
            trail.opened("alice", alice(""), new long[] {3, 4}, NOW);
            await().until(() -> left.lines.size() == 2);
            await().until(() -> trail.waitingBytes() == 0);
            assertThat(metrics.liveThreads.get()).isPositive();
        }
        assertThat(metrics.opensAudited.value()).isEqualTo(2);
        assertThat(metrics.opensUnaudited.value()).isEqualTo(2);
        assertThat(metrics.internalErrors.value()).isEqualTo(2);
    }

    @Test
    void accessTimes_whereNothingMayBeChanged_areCountedAsDropped() throws Exception {
        left.isWritable = false;
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            trail.opened("alice", alice(""), new long[] {1, 2}, NOW);
            await().until(() -> metrics.accessTimesDropped.value() == 2);
        }
        assertThat(metrics.accessTimes.value()).isZero();
    }

    @Test
    void opens_ofWhichNothingIsLeft_areNotLookedUp() throws Exception {
        left.isLogOn = false;
        left.keepsTimes = false;
        try (OpenTrail trail = left.trail(1 << 20, metrics)) {
            assertThat(trail.isWanted()).isFalse();
            left.keepsTimes = true;
            assertThat(trail.isWanted()).isTrue();
        }
    }
}

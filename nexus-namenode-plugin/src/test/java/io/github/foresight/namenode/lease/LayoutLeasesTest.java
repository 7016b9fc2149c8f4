/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.lease.LeaseSettings;
import io.github.foresight.namenode.lease.BegunChange.Course;
import io.github.foresight.namenode.lease.WaitingChanges.Actions;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The leases' adapter without a NameNode; time goes on when a test says so. */
class LayoutLeasesTest {

    private static final long LEASE = 1_000_000_000L;
    private static final long MARGIN = 1_000_000L;
    private static final List<String> FILE = List.of("/f");

    private final AtomicLong clock = new AtomicLong();
    private final AtomicBoolean active = new AtomicBoolean(true);
    private final AtomicLong transition = new AtomicLong(1);
    private final AtomicBoolean switchedOn = new AtomicBoolean(true);
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<BegunChange> carriedOut = new AtomicReference<>();
    private final AtomicInteger begunAnew = new AtomicInteger();
    private final LayoutLeases leases = new LayoutLeases(
            LeaseSettings.builder().leaseNanos(LEASE).marginNanos(MARGIN).build(),
            new LeaseLimits(1, 1, 1),
            new LayoutLeases.HaState() {
                @Override
                public boolean isActive() {
                    return active.get();
                }

                @Override
                public long lastTransition() {
                    return transition.get();
                }

                @Override
                public long lastInodeId() {
                    return 100;
                }
            },
            switchedOn::get,
            clock::get,
            () -> "user",
            new NoEvents() {
                @Override
                public void failed(Throwable cause) {
                    failures.incrementAndGet();
                }
            });

    @AfterEach
    void close() {
        leases.close();
    }

    private static LeaseMarkProto mark(long session, LeaseReplyProto processed) {
        return LeaseMarkProto.newBuilder()
                .setSession(session)
                .setEpoch(processed.getEpoch())
                .setIncarnation(processed.getIncarnation())
                .setRecall(processed.getRecallsAfter() + processed.getRecallsCount())
                .setRequest(1)
                .build();
    }

    /** A client opens the file after the time in which leases of a NameNode before may last. */
    private LeaseReplyProto open(long session) {
        tick(0);
        tick(LEASE + MARGIN);
        LeasedRequest request = leases.request(mark(session, LeaseReplyProto.getDefaultInstance()));
        assertThat(request).isNotNull();
        request.grantAsked("/f");
        LeaseReplyProto reply = request.reply();
        assertThat(reply).isNotNull();
        assertThat(reply.getLayoutGranted()).isTrue();
        return reply;
    }

    private void tick(long later) {
        clock.addAndGet(later);
        leases.tick();
    }

    private BegunChange change() throws TooManyChangesException {
        BegunChange begin = leases.beginUnlooked(FILE, null);
        return begin.course() == Course.LOOK
                ? leases.begin(FILE, null, true, () -> new Actions(carriedOut::set, begunAnew::incrementAndGet))
                : begin;
    }

    private void assertCarriedOut() {
        Awaitility.await().until(() -> carriedOut.get() != null);
        assertThat(leases.end(carriedOut.get())).isTrue();
        assertThat(leases.waitingChanges()).isZero();
    }

    @Test
    void change_ofAHeldFile_isCarriedOutWhenTheHolderHasAcknowledged() throws Exception {
        LeaseReplyProto granted = open(1);
        assertThat(change().course()).isEqualTo(Course.LATER);
        LeaseReplyProto recall = leases.request(mark(1, granted)).reply();
        assertThat(recall.getRecallsList()).containsExactly("/f");
        assertThat(carriedOut).hasNullValue();
        leases.request(mark(1, recall));
        assertCarriedOut();
    }

    @Test
    void change_ofAHeldFile_isCarriedOutWhenTheLeaseHasRunOut() throws Exception {
        open(1);
        assertThat(change().course()).isEqualTo(Course.LATER);
        tick(LEASE);
        assertThat(carriedOut).hasNullValue();
        tick(MARGIN);
        assertCarriedOut();
    }

    @Test
    void change_thatWaitsAtAFailover_beginsAnew() throws Exception {
        open(1);
        change();
        transition.incrementAndGet();
        tick(1);
        Awaitility.await().until(() -> begunAnew.get() == 1);
        assertThat(change().course()).as("the leases of the activation before").isEqualTo(Course.LATER);
    }

    @Test
    void change_atAStandby_isLeftToHdfs() throws Exception {
        open(1);
        active.set(false);
        assertThat(change().course()).isEqualTo(Course.UNLEASED);
        assertThat(leases.request(mark(1, LeaseReplyProto.getDefaultInstance())))
                .isNull();
    }

    @Test
    void changes_afterLeasesAreSwitchedOff_waitForThoseThatAreLeft() throws Exception {
        open(1);
        switchedOn.set(false);
        assertThat(leases.request(mark(1, LeaseReplyProto.getDefaultInstance())))
                .isNull();
        assertThat(change().course()).isEqualTo(Course.LATER);
        tick(LEASE + MARGIN);
        assertCarriedOut();
        tick(1);
        assertThat(change().course()).isEqualTo(Course.UNLEASED);
    }

    @Test
    void changes_beyondTheLimit_areRefused() throws Exception {
        open(1);
        change();
        assertThatThrownBy(this::change)
                .isInstanceOf(TooManyChangesException.class)
                .hasMessageContaining("foresight.namenode.lease.changes.max");
        assertThat(leases.waitingChanges()).isEqualTo(1);
    }

    @Test
    void failure_givesAllLeasesUp_andChangesWait() throws Exception {
        open(1);
        leases.failed(new IllegalStateException("made up"));
        assertThat(failures).hasValue(1);
        assertThat(change().course()).isEqualTo(Course.LATER);
        tick(LEASE + MARGIN);
        assertCarriedOut();
    }

    @Test
    void parkedCall_isAnsweredWithTheRecall_orWhenItsTimeIsOver() throws Exception {
        LeaseReplyProto granted = open(1);
        AtomicInteger answered = new AtomicInteger();
        LeasedRequest request = leases.request(mark(1, granted));
        assertThat(leases.park(1, request, 300, () -> answered::incrementAndGet))
                .isTrue();
        assertThat(leases.parkedCalls()).isEqualTo(1);
        tick(299_000_000L);
        assertThat(answered).hasValue(0);
        tick(1_000_000L);
        Awaitility.await().until(() -> answered.get() == 1);

        assertThat(leases.park(1, request, 300, () -> answered::incrementAndGet))
                .isTrue();
        change();
        Awaitility.await().until(() -> answered.get() == 2);
        assertThat(request.reply().getRecallsList()).containsExactly("/f");
    }

    @Test
    void parkedCalls_beyondTheLimit_areRefused() {
        LeaseReplyProto granted = open(1);
        LeasedRequest first = leases.request(mark(1, granted));
        LeasedRequest second = leases.request(mark(2, granted));
        assertThat(leases.park(1, first, 300, () -> () -> {})).isTrue();
        assertThat(leases.park(2, second, 300, () -> () -> {})).isFalse();
        assertThat(second.reply().getParkRefused()).isTrue();
    }

    @Test
    void changeElsewhere_isAnsweredAfterTheRecall() {
        LeaseReplyProto granted = open(1);
        AtomicInteger answered = new AtomicInteger();
        leases.changedAlready(FILE, () -> answered::incrementAndGet);
        assertThat(answered).hasValue(0);
        leases.request(mark(1, leases.request(mark(1, granted)).reply()));
        Awaitility.await().until(() -> answered.get() == 1);
        leases.changedAlready(FILE, () -> {
            throw new AssertionError("nobody holds it any longer");
        });
    }

    @Test
    void path_inAnotherForm_isNotGranted() {
        open(1);
        LeasedRequest request = leases.request(mark(1, LeaseReplyProto.getDefaultInstance()));
        for (String path : List.of("//f", "/f/", "/.reserved/raw/f", "/.reserved/.inodes/17", "f")) {
            request.grantAsked(path);
            assertThat(request.reply().getLayoutGranted()).as(path).isFalse();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.lease.NameNodeLeases.Begun;
import io.github.foresight.core.lease.NameNodeLeases.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameNodeLeasesTest {

    private static final long EPOCH = 7;
    private static final long LEASE = 1_000;
    private static final long MARGIN = 50;
    private static final long AFTER_GRACE = LEASE + MARGIN;

    private NameNodeLeases leases = leases(settings());

    private static LeaseSettings.Builder settings() {
        return LeaseSettings.builder().leaseNanos(LEASE).marginNanos(MARGIN).ageMaxNanos(10 * LEASE);
    }

    private static NameNodeLeases leases(LeaseSettings.Builder settings) {
        return new NameNodeLeases(settings.build(), EPOCH, 0);
    }

    /** A client opens a file and receives its answer. */
    private LeaseReply open(long session, LeaseMark processed, String path, long now) {
        Exchange exchange = leases.exchange(session, "user", processed, 1, now);
        assertThat(exchange).isNotNull();
        assertThat(exchange.grant(path)).isTrue();
        return exchange.reply(now);
    }

    private Begun change(String path, long now) {
        return leases.begin(List.of(path), NameNodeLeases.NO_SESSION, 0, true, now);
    }

    @SuppressWarnings("NullAway") // there is room for a client
    private Exchange exchange(long session, LeaseMark processed, long now) {
        return leases.exchange(session, "user", processed, 1, now);
    }

    @Test
    void change_ofAFileWithoutHolders_isReady() {
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        Begun begun = change("/a/g", AFTER_GRACE);
        assertThat(begun.change().isReady()).isTrue();
        assertThat(begun.toNotify()).isEmpty();
    }

    @Test
    void change_afterAFailover_waitsForTheLeasesOfTheNameNodeBefore() {
        Begun begun = change("/a/g", AFTER_GRACE - 1);
        assertThat(begun.change().isReady()).isFalse();
        assertThat(leases.expiresNextNanos()).isEqualTo(AFTER_GRACE);
        assertThat(leases.expire(AFTER_GRACE)).containsExactly(begun.change());
    }

    @Test
    void change_ofAHeldFile_waitsForTheAcknowledgement() {
        LeaseReply granted = open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        Begun begun = change("/a", AFTER_GRACE);
        assertThat(begun.change().isReady()).isFalse();
        assertThat(begun.toNotify()).extracting(LeaseSession::id).containsExactly(1L);

        Exchange unaware =
                leases.exchange(1, "user", new LeaseMark(EPOCH, granted.incarnation(), 0), 2, AFTER_GRACE + 1);
        LeaseReply recall = unaware.reply(AFTER_GRACE + 1);
        assertThat(unaware.ready()).isEmpty();
        assertThat(recall.recalls()).containsExactly("/a");
        assertThat(recall.isRenewed()).isFalse();

        Exchange aware = leases.exchange(
                1, "user", new LeaseMark(EPOCH, granted.incarnation(), recall.lastRecall()), 3, AFTER_GRACE + 2);
        assertThat(aware.ready()).containsExactly(begun.change());
        assertThat(aware.reply(AFTER_GRACE + 2).isRenewed()).isTrue();
        assertThat(leases.expire(Long.MAX_VALUE / 2)).isEmpty();
    }

    @Test
    void change_ofAFileThatADeadClientHolds_waitsForOneLeaseAndMargin() {
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        Begun begun = change("/a/f", AFTER_GRACE + 300);
        assertThat(leases.expire(AFTER_GRACE + LEASE + MARGIN - 1)).isEmpty();
        assertThat(leases.expire(AFTER_GRACE + LEASE + MARGIN)).containsExactly(begun.change());
    }

    @Test
    void secondChange_whileARecallIsOutstanding_waitsToo() {
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        change("/a/f", AFTER_GRACE);
        assertThat(change("/a/f", AFTER_GRACE).change().isReady()).isFalse();
    }

    @Test
    void grant_ofAFileThatChanges_isRefusedUntilTheChangeEnds() {
        Begun begun = change("/a", AFTER_GRACE);
        Exchange exchange = leases.exchange(1, "user", LeaseMark.NONE, 1, AFTER_GRACE);
        assertThat(exchange.grant("/a/b/f")).isFalse();
        assertThat(exchange.grant("/a-b")).isTrue();
        leases.end(begun.change());
        assertThat(exchange.grant("/a/b/f")).isTrue();
        assertThat(leases.changes()).isZero();
    }

    @Test
    void change_byTheOnlyHolder_isReady() {
        LeaseReply granted = open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        assertThat(leases.begin(List.of("/a/f"), 1, 2, true, AFTER_GRACE)
                        .change()
                        .isReady())
                .isTrue();
        assertThat(granted.isRenewed()).isTrue();
    }

    @Test
    void beginUnheld_isForChangesThatHaveNothingToRecall() {
        List<String> changed = List.of("/a/f");
        assertThat(leases.beginUnheld(changed, 1, 2, AFTER_GRACE - 1))
                .as("after a failover")
                .isNull();
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        assertThat(leases.beginUnheld(changed, 2, 2, AFTER_GRACE))
                .as("another client holds the layout")
                .isNull();
        assertThat(leases.beginUnheld(changed, 1, 1, AFTER_GRACE))
                .as("the caller may receive the layout after its own change")
                .isNull();
        assertThat(leases.changes()).as("begun").isZero();
        LayoutChange own = leases.beginUnheld(changed, 1, 2, AFTER_GRACE);
        LayoutChange other = leases.beginUnheld(List.of("/a/g"), 2, 1, AFTER_GRACE);
        assertThat(own.isReady()).isTrue();
        assertThat(other.isReady()).isTrue();
        Exchange exchange = leases.exchange(1, "user", LeaseMark.NONE, 3, AFTER_GRACE);
        assertThat(exchange.grant("/a/g")).isFalse();
        leases.end(own);
        leases.end(other);
        assertThat(exchange.grant("/a/g")).isTrue();
    }

    @Test
    void recalls_beyondTheirLimit_becomeOneOfEverythingUnderANewNumber() {
        leases = leases(settings().recallsMax(2));
        LeaseReply first = open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        Begun last = null;
        for (int i = 0; i < 3; i++) {
            last = change("/a/f", AFTER_GRACE);
        }
        LeaseMark processedTwo = new LeaseMark(EPOCH, first.incarnation(), 2);
        Exchange exchange = leases.exchange(1, "user", processedTwo, 2, AFTER_GRACE);
        assertThat(exchange.ready()).doesNotContain(last.change());
        LeaseReply reply = exchange.reply(AFTER_GRACE);
        assertThat(reply.recalls()).containsExactly("/");
        assertThat(reply.lastRecall()).isEqualTo(3);
    }

    @Test
    void change_ofADirectoryWithTooManyFiles_recallsItFromEverybody() {
        leases = leases(settings().scanMax(2));
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        open(1, LeaseMark.NONE, "/a/g", AFTER_GRACE);
        open(1, LeaseMark.NONE, "/a/h", AFTER_GRACE);
        open(2, LeaseMark.NONE, "/c", AFTER_GRACE);
        assertThat(change("/a", AFTER_GRACE).toNotify())
                .extracting(LeaseSession::id)
                .containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void clients_beyondTheLimit_haveNoLeaseUntilOneRunsOut() {
        leases = leases(settings().sessionsMax(1));
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        assertThat(leases.exchange(2, "user", LeaseMark.NONE, 1, AFTER_GRACE + LEASE))
                .isNull();
        assertThat(leases.exchange(2, "user", LeaseMark.NONE, 1, AFTER_GRACE + LEASE + MARGIN))
                .isNotNull();
        assertThat(leases.sessions()).isEqualTo(1);
    }

    @Test
    void forgottenClient_whoseReplyIsStillBeingMade_isNotRenewed() {
        leases = leases(settings().sessionsMax(1));
        Exchange slow = leases.exchange(1, "user", LeaseMark.NONE, 1, AFTER_GRACE);
        leases.exchange(2, "user", LeaseMark.NONE, 1, AFTER_GRACE);
        assertThat(slow.reply(AFTER_GRACE).isRenewed()).isFalse();
    }

    @Test
    void bytes_neverExceedTheCapacity() {
        leases = leases(settings().capacityBytes(3_000));
        for (int i = 0; i < 100; i++) {
            Exchange exchange = leases.exchange(1 + i % 7, "user" + i % 3, LeaseMark.NONE, i, AFTER_GRACE);
            if (exchange != null) {
                exchange.grant("/d" + i % 5 + "/f" + i);
                exchange.reply(AFTER_GRACE);
            }
            assertThat(leases.bytes()).isLessThanOrEqualTo(3_000);
        }
    }

    @Test
    void grants_afterTwoAges_areForgotten() {
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        long empty = leases.bytes();
        leases.exchange(1, "user", LeaseMark.NONE, 2, AFTER_GRACE + 11 * LEASE);
        assertThat(leases.bytes()).isEqualTo(empty);
        leases.exchange(1, "user", LeaseMark.NONE, 3, AFTER_GRACE + 22 * LEASE);
        assertThat(leases.bytes()).isLessThan(empty);
        assertThat(change("/a/f", AFTER_GRACE + 22 * LEASE).change().isReady()).isTrue();
    }

    @Test
    void client_withAsManyLayoutsAsItMayHold_isGrantedMoreAfterTheirAge() {
        leases = leases(settings().sessionFilesMax(2));
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        LeaseReply reply = open(1, LeaseMark.NONE, "/a/g", AFTER_GRACE);

        assertThat(exchange(1, LeaseMark.NONE, AFTER_GRACE).grant("/a/h")).isFalse();
        assertThat(reply.layoutNanos()).isEqualTo(10 * LEASE);
        exchange(1, LeaseMark.NONE, AFTER_GRACE + 11 * LEASE);
        assertThat(exchange(1, LeaseMark.NONE, AFTER_GRACE + 22 * LEASE).grant("/a/h"))
                .isTrue();
    }

    @Test
    void settings_outOfTheirRange_areNamed() {
        assertThatThrownBy(() -> LeaseSettings.builder().holdersMax(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("holdersMax must be at least 1: 0");
    }

    @Test
    void change_ofAFileMadeAfterAFailover_doesNotWait() {
        Begun begun = leases.begin(List.of("/a/g"), NameNodeLeases.NO_SESSION, 0, false, AFTER_GRACE - 1);
        assertThat(begun.change().isReady()).isTrue();
    }

    @Test
    void grantRead_ofAFileThatChangedSince_isRefused() {
        Exchange exchange = exchange(1, LeaseMark.NONE, AFTER_GRACE);
        long before = leases.position();
        assertThat(exchange.grantRead("/a/f", before)).isTrue();
        leases.end(change("/b", AFTER_GRACE).change());
        assertThat(exchange.grantRead("/a/g", before)).isTrue();
        leases.end(change("/a/h", AFTER_GRACE).change());
        assertThat(exchange.grantRead("/a/h", before)).isFalse();
        assertThat(exchange.grantRead("/a/h", leases.position())).isTrue();
    }

    /** The layout was read while a change was under way that has ended since. */
    @Test
    void grantRead_ofAFileWhoseChangeHasEndedSince_isRefused() {
        Exchange exchange = exchange(1, LeaseMark.NONE, AFTER_GRACE);
        Begun begun = change("/a/f", AFTER_GRACE);
        long before = leases.position();
        assertThat(exchange.grantRead("/a/f", before)).isFalse();
        leases.end(begun.change());
        assertThat(exchange.grantRead("/a/f", before)).isFalse();
    }

    @Test
    void grantRead_afterMoreChangesThanAreRemembered_isRefused() {
        Exchange exchange = exchange(1, LeaseMark.NONE, AFTER_GRACE);
        long before = leases.position();
        for (int i = 0; i < 513; i++) {
            leases.end(change("/b", AFTER_GRACE).change());
        }
        assertThat(exchange.grantRead("/a/f", before)).isFalse();
    }

    @Test
    void release_makesChangesReady_andTheClientANewOne() {
        LeaseReply granted = open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        Begun begun = change("/a/f", AFTER_GRACE);
        assertThat(leases.release(1)).containsExactly(begun.change());
        assertThat(leases.release(1)).isEmpty();
        assertThat(leases.sessions()).isZero();
        assertThat(open(1, LeaseMark.NONE, "/a/g", AFTER_GRACE).incarnation()).isNotEqualTo(granted.incarnation());
        assertThat(leases.expire(Long.MAX_VALUE / 2)).isEmpty();
    }

    @Test
    void layouts_ofOneUser_leaveRoomForOthers() {
        leases = leases(settings().capacityBytes(100_000).userShare(0.6));
        int greedy = grants(exchangeOf(1, "greedy"), 1_000);
        int modest = grants(exchangeOf(2, "modest"), 1_000);
        assertThat(leases.bytes()).isLessThanOrEqualTo(100_000);
        assertThat(greedy).isGreaterThan(modest);
        assertThat(modest).isGreaterThan(greedy / 3);
    }

    @SuppressWarnings("NullAway") // there is room for a client
    private Exchange exchangeOf(long session, String user) {
        return leases.exchange(session, user, LeaseMark.NONE, 1, AFTER_GRACE);
    }

    private static int grants(Exchange exchange, int files) {
        int granted = 0;
        for (int i = 0; i < files; i++) {
            granted += exchange.grant("/" + exchange.hashCode() + "/" + i) ? 1 : 0;
        }
        return granted;
    }

    @Test
    void clients_ofOneUser_leaveRoomForOthers() {
        leases = leases(settings().sessionsMax(10));
        long greedy = 0;
        for (long session = 1; session <= 20; session++) {
            Exchange exchange = leases.exchange(session, "greedy", LeaseMark.NONE, 1, AFTER_GRACE);
            if (exchange != null) {
                exchange.reply(AFTER_GRACE);
                greedy++;
            }
        }
        assertThat(greedy).isEqualTo(5);
        assertThat(leases.exchange(100, "modest", LeaseMark.NONE, 1, AFTER_GRACE))
                .isNotNull();
    }

    @Test
    void recalls_thatAClientWithoutALeaseHasNotRead_becomeOne() {
        open(1, LeaseMark.NONE, "/a/f", AFTER_GRACE);
        long late = AFTER_GRACE + LEASE + MARGIN;
        for (int i = 0; i < 3; i++) {
            Begun begun = change("/a/f", late);
            assertThat(begun.change().isReady()).isTrue();
        }
        Exchange back = exchange(1, LeaseMark.NONE, late);
        assertThat(back.reply(late).recalls()).containsOnly("/");
    }

    @Test
    void recalls_longerThanAClientIsSent_becomeOne() {
        String directory = "/" + "d".repeat(5_000);
        open(1, LeaseMark.NONE, directory + "/f", AFTER_GRACE);
        change(directory + "/f", AFTER_GRACE);
        change(directory, AFTER_GRACE);
        LeaseReply reply = exchange(1, LeaseMark.NONE, AFTER_GRACE).reply(AFTER_GRACE);
        assertThat(reply.recalls()).containsExactly("/");
        assertThat(reply.lastRecall()).isEqualTo(2);
    }
}

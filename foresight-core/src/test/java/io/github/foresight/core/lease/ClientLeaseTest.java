/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.lease.ClientLease.Received;
import io.github.foresight.core.lease.ClientLease.Sent;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientLeaseTest {

    private static final String FILE = "/f";
    private static final long LEASE = 100;

    private final ClientLease lease = new ClientLease(LEASE);

    private static LeaseReply granting(long epoch, long grantedAt) {
        return new LeaseReply(epoch, 1, grantedAt, 0, List.of(), true, LEASE, 10 * LEASE);
    }

    private static LeaseReply recalling(long epoch, String path) {
        return new LeaseReply(epoch, 1, 0, 0, List.of(path), false, 0, 10 * LEASE);
    }

    @Test
    void replyFromBeforeAFailover_comesAfterTheNewNameNodesReply_bringsNothing() {
        lease.receive(lease.send(0), granting(1, 0));
        Sent open = lease.send(1);
        assertThat(lease.receive(lease.send(2), recalling(1, FILE)).forgotten()).containsExactly(FILE);
        lease.receive(lease.send(3), granting(2, 0));

        Received late = lease.receive(open, granting(1, 0));

        assertThat(late.mayKeep(FILE)).isFalse();
        assertThat(late.isEverythingForgotten()).isFalse();
        Received next = lease.receive(lease.send(4), granting(2, 0));
        assertThat(next.mayKeep(FILE)).isTrue();
        assertThat(next.isEverythingForgotten())
                .as("the client is still in the new epoch")
                .isFalse();
    }

    @Test
    void replyOfANewEpoch_toARequestOfTheEpochBefore_beginsThatEpoch() {
        lease.receive(lease.send(0), granting(1, 0));

        Received received = lease.receive(lease.send(1), granting(2, 0));

        assertThat(received.isEverythingForgotten()).isTrue();
        assertThat(received.mayKeep(FILE)).isTrue();
        assertThat(lease.isLive(LEASE)).isTrue();
    }

    @Test
    void twoFirstRequests_answeredInTheSameEpoch_bothBringTheirLayouts() {
        Sent one = lease.send(0);
        Sent other = lease.send(0);

        assertThat(lease.receive(other, granting(1, 0)).mayKeep(FILE)).isTrue();
        assertThat(lease.receive(one, granting(1, 0)).mayKeep(FILE)).isTrue();
    }

    @Test
    void reply_thatARecallHasOvertaken_isNotKept() {
        lease.receive(lease.send(0), granting(1, 0));
        Sent open = lease.send(1);
        lease.receive(lease.send(2), recalling(1, FILE));

        Received late = lease.receive(open, granting(1, 0));

        assertThat(late.mayKeep(FILE)).isFalse();
        assertThat(late.mayKeep("/g")).isTrue();
    }

    @Test
    void layout_thatIsOlderThanTheNameNodeAllows_isNotUsedUnderALiveLease() {
        LeaseReply brief = new LeaseReply(1, 1, 0, 0, List.of(), true, LEASE, LEASE / 2);
        lease.receive(lease.send(0), brief);

        assertThat(lease.mayServe(0, LEASE / 2 - 1)).isTrue();
        assertThat(lease.mayServe(0, LEASE / 2)).isFalse();
        assertThat(lease.isLive(LEASE / 2)).isTrue();
    }
}

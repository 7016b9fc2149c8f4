/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.SessionId;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintProtocolService;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerConnection;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

class SessionConnectionsTest {

    private static final int IDLE_MILLIS = 10_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final SessionId A = new SessionId(1, 1);
    private static final SessionId B = new SessionId(2, 1);

    private final SessionConnections connections = new SessionConnections(2);
    private final Set<CallerConnection> open = new HashSet<>();
    private final Set<SessionId> known = new HashSet<>(Set.of(A, B));
    private final Set<SessionId> beingRead = new HashSet<>();

    private CallerConnection opened(int port) {
        CallerConnection connection = new CallerConnection(InetAddress.getLoopbackAddress(), port);
        open.add(connection);
        return connection;
    }

    private Set<SessionId> cutOff(long nowNanos) {
        return connections.takeCutOff(() -> open, known::contains, beingRead::contains, nowNanos);
    }

    @Test
    void connection_closedSoon_cutsItsSessionsOffOnce() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        connections.called(B, opened(2), IDLE_MILLIS, 0);
        assertThat(cutOff(SECOND)).isEmpty();
        open.remove(new CallerConnection(InetAddress.getLoopbackAddress(), 1));
        assertThat(cutOff(2 * SECOND)).containsExactly(A);
        assertThat(cutOff(2 * SECOND)).isEmpty();
    }

    @Test
    void connection_closedAfterItIdled_saysNothing() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        open.clear();
        assertThat(cutOff(10 * SECOND)).isEmpty();
    }

    @Test
    void connection_usedForAnotherSession_isNotIdle() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        connections.called(B, opened(1), IDLE_MILLIS, 8 * SECOND);
        open.clear();
        assertThat(cutOff(11 * SECOND)).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void session_beingRead_staysUntilItIsNot() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        beingRead.add(A);
        open.clear();
        assertThat(cutOff(SECOND)).isEmpty();
        beingRead.clear();
        assertThat(cutOff(30 * SECOND)).containsExactly(A);
    }

    @Test
    void session_heardOfOverAnotherConnection_stays() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        beingRead.add(A);
        open.clear();
        assertThat(cutOff(SECOND)).isEmpty();
        connections.called(A, opened(2), IDLE_MILLIS, 2 * SECOND);
        beingRead.clear();
        assertThat(cutOff(3 * SECOND)).isEmpty();
    }

    @Test
    void client_thatDoesNotSayHowLongItWaits_isNotFollowed() {
        connections.called(A, opened(1), 0, 0);
        connections.called(B, null, IDLE_MILLIS, 0);
        open.clear();
        assertThat(cutOff(1)).isEmpty();
    }

    @Test
    void session_beyondTheNumber_isNotFollowed() {
        SessionId third = new SessionId(3, 1);
        known.add(third);
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        connections.called(B, opened(1), IDLE_MILLIS, 0);
        connections.called(third, opened(1), IDLE_MILLIS, 0);
        open.clear();
        assertThat(cutOff(1)).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void session_ended_leavesNothing() {
        connections.called(A, opened(1), IDLE_MILLIS, 0);
        connections.called(B, opened(1), IDLE_MILLIS, 0);
        connections.ended(A);
        known.remove(B);
        open.clear();
        assertThat(cutOff(1)).isEmpty();
    }

    /** Of a server of Hadoop's own. */
    @Test
    void hadoopsServer_connectionOfACall_isOpenUntilTheClientEnds() throws Exception {
        Configuration conf = new Configuration();
        RPC.setProtocolEngine(conf, HintProtocolPB.class, ProtobufRpcEngine2.class);
        AtomicReference<CallerConnection> caller = new AtomicReference<>();
        HintProtocolPB service = (controller, request) -> {
            caller.set(CallerConnection.ofCall());
            return HintResponseProto.getDefaultInstance();
        };
        RPC.Server server = new RPC.Builder(conf)
                .setProtocol(HintProtocolPB.class)
                .setInstance(HintProtocolService.newReflectiveBlockingService(service))
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(1)
                .build();
        server.start();
        try {
            InetSocketAddress address = NetUtils.getConnectAddress(server);
            HintProtocolPB proxy = RPC.getProxy(
                    HintProtocolPB.class,
                    HintProtocolPB.PROTOCOL_VERSION,
                    address,
                    UserGroupInformation.getCurrentUser(),
                    conf,
                    NetUtils.getDefaultSocketFactory(conf));
            proxy.hint(null, HintRequestProto.getDefaultInstance());
            assertThat(CallerConnection.openTo(server).get()).containsExactly(caller.get());
            RPC.stopProxy(proxy);
            org.awaitility.Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(CallerConnection.openTo(server).get()).isEmpty());
        } finally {
            server.stop();
        }
    }
}

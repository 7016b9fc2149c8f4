/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.ForesightProxyProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.net.StandardSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client of one NameNode without high availability does with a NameNode that is in trouble what HDFS's own client does: as many attempts,
 * as one call of the NameNode's retry cache, with the same error in the same words.
 */
final class SingleNameNodeRetriesTest {

    private static final String HOST = "localhost";
    private static final String RPC_TIMEOUT_MILLIS = "60000";
    private static final AtomicInteger SOCKETS = new AtomicInteger();
    private static final AtomicReference<IntConsumer> ON_SOCKET = new AtomicReference<>(count -> {});

    /** A client's configuration; the keys of nameservices must have no influence. */
    enum Settings {
        DEFAULTS(Map.of()),
        RETRY_POLICY(Map.of("dfs.client.retry.policy.enabled", "true", "dfs.client.retry.policy.spec", "1,2,2,3")),
        CONNECT_RETRIES(Map.of(
                "ipc.client.connect.max.retries",
                "4",
                "ipc.client.connect.retry.interval",
                "1",
                "ipc.client.connect.max.retries.on.timeouts",
                "3")),
        POLICY_AND_CONNECT_RETRIES(Map.of(
                "dfs.client.retry.policy.enabled",
                "true",
                "dfs.client.retry.policy.spec",
                "1,3",
                "ipc.client.connect.max.retries.on.timeouts",
                "2")),
        FAILOVER_KEYS(Map.of(
                "dfs.client.failover.max.attempts", "3",
                "dfs.client.retry.max.attempts", "2",
                "dfs.client.failover.sleep.base.millis", "1",
                "dfs.client.failover.sleep.max.millis", "2",
                "dfs.client.failover.connection.retries", "2",
                "dfs.client.failover.connection.retries.on.timeouts", "5"));

        @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
        private final Map<String, String> keys;

        Settings(Map<String, String> keys) {
            this.keys = keys;
        }
    }

    /** Counts the connections that are attempted. */
    public static class CountedSockets extends StandardSocketFactory {
        @Override
        public Socket createSocket() throws IOException {
            ON_SOCKET.get().accept(SOCKETS.incrementAndGet());
            return super.createSocket();
        }
    }

    /** Connections to a host that does not answer. */
    public static final class UnansweredSockets extends CountedSockets {
        @Override
        public Socket createSocket() throws IOException {
            super.createSocket().close();
            throw new ConnectTimeoutException("nobody answers");
        }
    }

    /** What became of a call. */
    private record Outcome(String error, int connections) {}

    @FunctionalInterface
    private interface Call {
        void on(DFSClient client) throws IOException;
    }

    @AfterEach
    void forgetSockets() {
        ON_SOCKET.set(count -> {});
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_isDown_failsAsStockDoes(Settings settings) throws IOException {
        int port = unusedPort();
        assertSame(settings, port, CountedSockets.class, client -> client.getFileInfo("/file"));
        assertSame(settings, port, CountedSockets.class, client -> client.mkdirs("/folder", null, true));
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_doesNotAcceptConnections_failsAsStockDoes(Settings settings) throws IOException {
        assertSame(settings, unusedPort(), UnansweredSockets.class, client -> client.getFileInfo("/file"));
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_hangs_failsAsStockDoes(Settings settings) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            assertSame(
                    settings,
                    silent.getLocalPort(),
                    CountedSockets.class,
                    client -> client.getBlockLocations("/f", 0, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_closesConnections_failsAsStockDoes(Settings settings) throws IOException {
        try (ServerSocket closing = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread acceptor = new Thread(() -> acceptAndClose(closing));
            acceptor.setDaemon(true);
            acceptor.start();
            assertSame(settings, closing.getLocalPort(), CountedSockets.class, client -> client.getFileInfo("/file"));
        }
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_isInSafeMode_isAskedAsOftenAsByStock(Settings settings) throws IOException {
        assertSameCalls(settings, () -> new SafeModeException("Name node is in safe mode."), Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_leavesSafeMode_isAskedAsOftenAsByStock(Settings settings) throws IOException {
        assertSameCalls(settings, () -> new SafeModeException("Name node is in safe mode."), 2);
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_isStartingUp_isAskedAsOftenAsByStock(Settings settings) throws IOException {
        assertSameCalls(settings, () -> new RetriableException("NameNode still not started"), Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @EnumSource(Settings.class)
    void nameNode_isStandby_isAskedAsOftenAsByStock(Settings settings) throws IOException {
        assertSameCalls(settings, () -> new StandbyException("not supported in state standby"), Integer.MAX_VALUE);
    }

    @Test
    void nameNode_isRestarted_isFoundByTheRetriesOfTheCallThatWasUnderWay() throws IOException {
        for (boolean foresight : List.of(false, true)) {
            int port = unusedPort();
            AtomicReference<FakeNameNode> restarted = new AtomicReference<>();
            ON_SOCKET.set(count -> {
                if (count == 3) {
                    restarted.set(started(port));
                }
            });
            Outcome outcome = outcome(
                    conf(Settings.RETRY_POLICY, CountedSockets.class, foresight),
                    port,
                    client -> client.getFileInfo("/file"));
            restarted.get().close();
            assertThat(outcome).as("with Foresight: " + foresight).isEqualTo(new Outcome("none", 3));
        }
    }

    @Test
    void address_ofTheNameNode_isToldAsByStock() throws IOException {
        try (FakeNameNode nameNode = started(0);
                DFSClient client =
                        new DFSClient(uri(nameNode.port()), conf(Settings.DEFAULTS, CountedSockets.class, true))) {
            client.getFileInfo("/file");
            assertThat(RPC.getServerAddress(client.getNamenode()).getPort()).isEqualTo(nameNode.port());
            client.getFileInfo("/file");
            assertThat(nameNode.received("getFileInfo")).hasSize(2);
        }
    }

    /** Runs a call with HDFS's own client and with Foresight, against a port where there is never an answer. */
    private static void assertSame(Settings settings, int port, Class<? extends SocketFactory> sockets, Call call)
            throws IOException {
        Outcome stock = outcome(impatient(conf(settings, sockets, false)), port, call);
        Outcome foresight = outcome(impatient(conf(settings, sockets, true)), port, call);
        assertThat(stock.error).isNotEqualTo("none");
        assertThat(foresight).isEqualTo(stock);
    }

    /** The same against a NameNode that answers with an error some times, and then without. */
    private static void assertSameCalls(Settings settings, java.util.function.Supplier<IOException> error, int errors)
            throws IOException {
        Map<Boolean, List<Integer>> retries = new HashMap<>();
        Map<Boolean, String> outcomes = new TreeMap<>();
        for (boolean foresight : List.of(false, true)) {
            AtomicInteger calls = new AtomicInteger();
            try (FakeNameNode nameNode = FakeNameNode.start((method, request) -> {
                if (calls.incrementAndGet() <= errors) {
                    throw error.get();
                }
                return GetFileInfoResponseProto.getDefaultInstance();
            })) {
                Outcome outcome = outcome(
                        conf(settings, CountedSockets.class, foresight),
                        nameNode.port(),
                        client -> client.getFileInfo("/file"));
                outcomes.put(foresight, outcome.error);
                List<FakeNameNode.Received> received = nameNode.received("getFileInfo");
                assertThat(received.stream().map(FakeNameNode.Received::callId).distinct())
                        .as("all attempts are one call for the NameNode")
                        .hasSize(1);
                retries.put(
                        foresight,
                        received.stream().map(FakeNameNode.Received::retry).collect(Collectors.toList()));
            }
        }
        assertThat(outcomes.get(true)).isEqualTo(outcomes.get(false));
        assertThat(retries.get(true)).isEqualTo(retries.get(false));
    }

    private static Outcome outcome(Configuration conf, int port, Call call) throws IOException {
        try (DFSClient client = new DFSClient(uri(port), conf)) {
            SOCKETS.set(0);
            try {
                call.on(client);
                return new Outcome("none", SOCKETS.get());
            } catch (IOException | RuntimeException e) {
                return new Outcome(described(e), SOCKETS.get());
            }
        }
    }

    /** The classes and words of an error and its causes, without the ports that differ from run to run. */
    private static String described(Throwable error) {
        List<String> words = new ArrayList<>();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String message = Objects.toString(cause.getMessage());
            words.add(cause.getClass().getName() + ": "
                    + message.replaceAll(":\\d+", ":port").split("\n", -1)[0]);
        }
        return String.join(" < ", words);
    }

    private static FakeNameNode started(int port) {
        try {
            return FakeNameNode.startAt(port, (method, request) -> GetFileInfoResponseProto.getDefaultInstance());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Configuration conf(Settings settings, Class<? extends SocketFactory> sockets, boolean foresight) {
        Configuration conf = new Configuration();
        conf.set("hadoop.rpc.socket.factory.class.default", sockets.getName());
        conf.set("ipc.client.rpc-timeout.ms", RPC_TIMEOUT_MILLIS);
        settings.keys.forEach(conf::set);
        if (foresight) {
            conf.set("dfs.client.failover.proxy.provider." + HOST, ForesightProxyProvider.class.getName());
        }
        return conf;
    }

    /** Gives up soon where there is never an answer. */
    private static Configuration impatient(Configuration conf) {
        conf.set("ipc.client.rpc-timeout.ms", "300");
        return conf;
    }

    private static URI uri(int port) {
        return URI.create("hdfs://" + HOST + ":" + port);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void acceptAndClose(ServerSocket closing) {
        try {
            while (!closing.isClosed()) {
                closing.accept().close();
            }
        } catch (IOException e) {
            // the test is over
        }
    }
}

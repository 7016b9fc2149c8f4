/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class SlowLinksTest {

    private static final String STATISTICS = """
            class htb f0:10 root prio 0 rate 8Mbit ceil 8Mbit burst 256Kb cburst 256Kb
             Sent 17 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)
             backlog 0b 0p requeues 0
            class htb f0:1 root prio 0 rate 8Mbit ceil 8Mbit burst 256Kb cburst 256Kb
             Sent 4096 bytes 2 pkt (dropped 0, overlimits 0 requeues 0)
            """;

    private static final int BYTES = 1 << 20;

    @Test
    void sentBytes_ofStatistics_isThoseOfTheLink() {
        assertThat(SlowLinks.sentBytes(STATISTICS, "f0:1")).isEqualTo(4096);
        assertThat(SlowLinks.sentBytes(STATISTICS, "f0:10")).isEqualTo(17);
        assertThat(SlowLinks.sentBytes(STATISTICS, "f0:2")).isEqualTo(-1);
    }

    @Test
    void limit_ofTwoServers_holdsForBothUntilItIsFreed() throws IOException {
        try (SlowLinks links = openOrSkip();
                ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Integer> ports = List.of(one.getLocalPort(), two.getLocalPort());

            links.limit(ports, 64 << 20);
            assertThat(sent(one) + sent(two)).isEqualTo(2 * BYTES);
            assertThat(links.sentBytes(ports)).isGreaterThanOrEqualTo(2 * BYTES);

            links.free(ports);
            assertThat(links.sentBytes(ports)).isEqualTo(-1);
            assertThat(sent(one)).isEqualTo(BYTES);
        }
    }

    @Test
    void close_ofOneUser_leavesTheOthersAble() throws IOException {
        List<Integer> ports = List.of(9);
        try (SlowLinks other = openOrSkip()) {
            openOrSkip().close();

            other.limit(ports, 1 << 20);

            openOrSkip().close();
            assertThat(other.sentBytes(ports)).isNotNegative();
        }
    }

    private static SlowLinks openOrSkip() {
        try {
            return SlowLinks.open();
        } catch (IOException e) {
            return Assumptions.abort("no link can be slow here: " + e.getMessage());
        }
    }

    /** Bytes that a client gets from a server. */
    private static long sent(ServerSocket server) throws IOException {
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write(new byte[BYTES]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            return client.getInputStream().readAllBytes().length;
        } finally {
            sender.join();
        }
    }
}

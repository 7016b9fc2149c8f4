/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Picks ports for daemons that keep their ports over restarts.
 *
 * <p>The ports lie below the range from which the kernel takes local ports of outgoing connections. A port from that range may be in use when
 * its daemon starts again. No port is picked twice, by any process of the host, while the process that has picked it lives: it keeps the UDP
 * port of the same number open. The daemons themselves use TCP. Thread-safe.
 */
public final class FreePorts {

    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;
    private static final int USUAL_EPHEMERAL = 32_768;
    private static final int ATTEMPTS_PER_PORT = 200;
    private static final Queue<DatagramSocket> PICKED = new ConcurrentLinkedQueue<>();

    private FreePorts() {}

    /**
     * A port that is free now.
     *
     * @throws IOException if there is none
     */
    public static int pick() throws IOException {
        return pick(1, new SplittableRandom()).get(0);
    }

    /** A number of different ports that are free now. */
    static List<Integer> pick(int count, SplittableRandom random) throws IOException {
        int end = ephemeralBegin();
        TreeSet<Integer> free = new TreeSet<>();
        for (int attempt = 0; attempt < count * ATTEMPTS_PER_PORT && free.size() < count; attempt++) {
            int port = random.nextInt(LOWEST, end);
            if (isFree(port) && reserve(port)) {
                free.add(port);
            }
        }
        if (free.size() < count) {
            throw new IOException("fewer than " + count + " free ports between " + LOWEST + " and " + end);
        }
        return new ArrayList<>(free);
    }

    private static int ephemeralBegin() {
        try {
            int begin = Integer.parseInt(Files.readString(EPHEMERAL).trim().split("\\s+", -1)[0]);
            return begin > 2 * LOWEST ? begin : USUAL_EPHEMERAL;
        } catch (IOException | NumberFormatException e) {
            return USUAL_EPHEMERAL;
        }
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes the port for this process; false if another pick has it. */
    private static boolean reserve(int port) {
        try {
            return PICKED.add(new DatagramSocket(port));
        } catch (SocketException e) {
            return false;
        }
    }
}

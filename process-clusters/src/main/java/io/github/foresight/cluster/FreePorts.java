/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Picks ports for daemons that keep their ports over restarts.
 *
 * <p>The ports lie below the range from which the kernel takes local ports of outgoing connections. A port from that range may be in use when
 * its daemon starts again.
 */
final class FreePorts {

    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;
    private static final int USUAL_EPHEMERAL = 32_768;
    private static final int ATTEMPTS_PER_PORT = 200;

    private FreePorts() {}

    /** A number of different ports that are free now. */
    static List<Integer> pick(int count, SplittableRandom random) throws IOException {
        int end = ephemeralBegin();
        TreeSet<Integer> free = new TreeSet<>();
        for (int attempt = 0; attempt < count * ATTEMPTS_PER_PORT && free.size() < count; attempt++) {
            int port = random.nextInt(LOWEST, end);
            if (isFree(port)) {
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

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}

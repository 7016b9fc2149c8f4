/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for daemons whose addresses must be known before their start. The ports lie below the range for outgoing connections on Linux. So no
 * outgoing connection takes a port before its daemon does.
 */
final class FreePorts {

    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 30_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));

    private FreePorts() {}

    /** Returns a port on which no process listens, and which no recent call in this JVM has returned. */
    static int next() {
        while (true) {
            int port = NEXT.getAndUpdate(last -> last == HIGHEST ? LOWEST : last + 1);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException taken) {
                // The port is in use; the next port is tried.
            }
        }
    }
}

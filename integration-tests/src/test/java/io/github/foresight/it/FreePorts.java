/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for daemons whose addresses must be known before they start. They lie below the range from which Linux takes the ports of
 * outgoing connections, so no connection takes one before its daemon does.
 */
final class FreePorts {

    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 30_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));

    private FreePorts() {}

    /** A port that nobody listens on, and that no other call in this JVM was given lately. */
    static int next() {
        while (true) {
            int port = NEXT.getAndUpdate(last -> last == HIGHEST ? LOWEST : last + 1);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException taken) {
                // The next one.
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Daemon;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The most memory that a client and the blocks locked by DataNodes take at once, looked at ten times a second until the watch is closed.
 * Thread-safe.
 */
final class MemoryWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 100;

    private final ClientProcess client;
    private final List<Daemon> dataNodes;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "memory watch");
        thread.setDaemon(true);
        return thread;
    });
    private final ScheduledFuture<?> looking;
    private volatile long clientBytes;
    private volatile long lockedBytes;

    MemoryWatch(ClientProcess client, List<Daemon> dataNodes) {
        this.client = client;
        this.dataNodes = List.copyOf(dataNodes);
        this.looking = timer.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        clientBytes = Math.max(clientBytes, client.peakBytes());
        long locked = 0;
        for (Daemon dataNode : dataNodes) {
            try {
                locked += dataNode.lockedBytes();
            } catch (IOException e) {
                return;
            }
        }
        lockedBytes = Math.max(lockedBytes, locked);
    }

    /** The client's physical memory, bytes; 0 if it was never seen. */
    long clientBytes() {
        return clientBytes;
    }

    /** Memory that all DataNodes together lock, bytes. */
    long lockedBytes() {
        return lockedBytes;
    }

    @Override
    public void close() {
        looking.cancel(false);
        timer.shutdown();
    }
}

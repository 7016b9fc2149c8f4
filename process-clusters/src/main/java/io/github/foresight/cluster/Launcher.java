/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes and stops them all: once {@link #stopAll} has begun, no process is started. Thread-safe: a shutdown hook may stop the
 * processes while another thread still starts some.
 */
final class Launcher {

    @GuardedBy("this")
    private final List<Daemon> launched = new ArrayList<>();

    @GuardedBy("this")
    private boolean stopped;

    /**
     * Starts a process that appends its output to a log file.
     *
     * @throws IOException if the process cannot start, or once {@link #stopAll} has begun
     */
    synchronized Daemon launch(String name, List<String> command, int httpPort, Path log) throws IOException {
        if (stopped) {
            throw new IOException(name + " is not started: the cluster is being closed");
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        Daemon daemon = new Daemon(name, process, httpPort, log);
        launched.removeIf(other -> !other.isAlive());
        launched.add(daemon);
        return daemon;
    }

    /** Stops all processes at the same time, and waits until the last has ended. */
    void stopAll() throws InterruptedException {
        List<Daemon> running;
        synchronized (this) {
            stopped = true;
            running = List.copyOf(launched);
        }
        stop(running);
    }

    /** Stops daemons at the same time, and waits until the last has ended. */
    static void stop(List<Daemon> daemons) throws InterruptedException {
        List<Thread> stoppers = new ArrayList<>();
        for (Daemon daemon : daemons) {
            Thread stopper = new Thread(() -> stopQuietly(daemon), "stop " + daemon.name());
            stopper.start();
            stoppers.add(stopper);
        }
        for (Thread stopper : stoppers) {
            stopper.join();
        }
    }

    private static void stopQuietly(Daemon daemon) {
        try {
            daemon.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

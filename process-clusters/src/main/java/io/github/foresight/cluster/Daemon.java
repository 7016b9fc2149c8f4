/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One daemon in a JVM of its own. Thread-safe. */
public final class Daemon {

    private static final long GRACE_SECONDS = 20;
    private static final int LOG_TAIL_LINES = 25;

    private final String name;
    private final Process process;
    private final int httpPort;
    private final Path log;

    Daemon(String name, Process process, int httpPort, Path log) {
        this.name = name;
        this.process = process;
        this.httpPort = httpPort;
        this.log = log;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Path log() {
        return log;
    }

    public int httpPort() {
        return httpPort;
    }

    /** Waits for the end of the daemon, and returns its exit status. */
    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Sends SIGTERM, and SIGKILL if the daemon does not end in time. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** Sends SIGKILL: the daemon cannot clean up. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /**
     * A JMX bean, from the daemon's own {@code /jmx} page.
     *
     * @return the bean, or a missing node if the daemon has no bean of that name
     */
    public JsonNode bean(String objectName) throws IOException {
        return new JmxPage("127.0.0.1", httpPort).bean(objectName);
    }

    /** Processor time of all threads of the daemon since its start. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Locked memory of the daemon, bytes ({@code VmLck}). */
    public long lockedBytes() throws IOException {
        return ProcessMemory.bytes(pid(), ProcessMemory.LOCKED);
    }

    /** The last lines of the daemon's log, for error messages. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(its log cannot be read: " + e.getMessage() + ")";
        }
    }
}

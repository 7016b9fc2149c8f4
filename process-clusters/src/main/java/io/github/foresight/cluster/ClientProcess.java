/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HDFS client in a JVM of its own. It reads and writes lines, and has a time limit for its whole life.
 * Only {@link #destroy} may be called from another thread.
 */
public final class ClientProcess {

    private static final int LOG_TAIL_LINES = 25;

    private final Process process;
    private final BufferedReader output;
    private final Path log;
    private final Duration limit;
    private final AtExit.CleanUp ending = this::destroy;
    private volatile boolean late;

    private ClientProcess(Process process, Path log, Duration limit) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.log = log;
        this.limit = limit;
    }

    /** Starts a client that appends its standard error to a log file. The client ends with this JVM at the latest. */
    public static ClientProcess launch(List<String> command, Path log, Duration limit) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        ClientProcess client = new ClientProcess(process, log, limit);
        try {
            AtExit.ofJvm().add(client.ending);
        } catch (IOException e) {
            client.destroy();
            throw e;
        }
        Thread watchdog = new Thread(client::endWhenLate, "client watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        return client;
    }

    /**
     * Runs a client to its end, and ignores its output.
     *
     * @throws IOException with the end of its log if it fails or is late
     */
    public static void run(List<String> command, Path log, Duration limit, String doing)
            throws IOException, InterruptedException {
        ClientProcess client = launch(command, log, limit);
        try {
            client.awaitEnd(doing);
        } finally {
            client.destroy();
        }
    }

    /** The next line, or null after the last. */
    public @Nullable String readLine() throws IOException {
        return output.readLine();
    }

    /** Sends the client an empty line, for which it waits before its next step. */
    public void signal() throws IOException {
        send("");
    }

    /** Sends the client a line. */
    public void send(String line) throws IOException {
        process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Ends the client's input. */
    public void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /**
     * Reads lines up to the first line that begins with a word, and returns that line.
     *
     * @throws IOException with the end of the client's log if the client ends first
     */
    public String awaitLine(String word, String doing) throws IOException {
        for (String line = readLine(); line != null; line = readLine()) {
            if (line.equals(word) || line.startsWith(word + ' ')) {
                return line;
            }
        }
        throw failure(doing);
    }

    /**
     * Ignores the rest of the client's output, and waits for its end.
     *
     * @throws IOException with the end of its log if it has failed or was late
     */
    public void awaitEnd(String doing) throws IOException, InterruptedException {
        while (readLine() != null) {
            // The output is ignored.
        }
        awaitSuccess(doing);
    }

    /**
     * Waits for the client's end.
     *
     * @throws IOException with the end of its log if it has failed or was late
     */
    public void awaitSuccess(String doing) throws IOException, InterruptedException {
        if (process.waitFor() != 0) {
            throw failure(doing);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Processor time of the client since its start, or zero where the platform does not provide it. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * The most physical memory that the client has had at once, bytes ({@code VmHWM}). It is 0 where the client has ended, or where the platform
     * does not say.
     */
    public long peakBytes() {
        try {
            return ProcessMemory.bytes(process.pid(), ProcessMemory.PEAK);
        } catch (IOException e) {
            return 0;
        }
    }

    /** The exception for a client that failed, with the end of its log. */
    public IOException failure(String doing) {
        String why = late ? " did not end in " + limit.toSeconds() + " s" : " failed";
        return new IOException(doing + why + "; the end of its log:\n" + logTail());
    }

    /** Ends the client at once. */
    public void destroy() {
        process.destroyForcibly();
    }

    private void endWhenLate() {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                late = true;
                destroy();
            }
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            AtExit.ofJvm().remove(ending);
        }
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(it cannot be read: " + e.getMessage() + ")";
        }
    }
}

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
 * An HDFS client in a JVM of its own, with which one talks line by line, and which has a limited time for all that it does.
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

    /** Starts a client whose complaints go to the end of a log file. It does not outlive this JVM. */
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
     * Runs a client to its end, whatever it prints.
     *
     * @throws IOException with the end of its log if it fails or is late
     */
    public static void run(List<String> command, Path log, Duration limit, String doing)
            throws IOException, InterruptedException {
        ClientProcess client = launch(command, log, limit);
        try {
            while (client.readLine() != null) {
                // of no interest
            }
            client.awaitSuccess(doing);
        } finally {
            client.destroy();
        }
    }

    /** The next line, or null after the last. */
    public @Nullable String readLine() throws IOException {
        return output.readLine();
    }

    /** Tells the client to go on. */
    public void signal() throws IOException {
        send("");
    }

    /** Tells the client something, in a line. */
    public void send(String line) throws IOException {
        process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /**
     * Reads on to a line that begins with a word, and returns it.
     *
     * @throws IOException with the end of the client's log if it ends before
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
     * Waits for the client's end.
     *
     * @throws IOException with the end of its log if it has failed or was late
     */
    public void awaitSuccess(String doing) throws IOException, InterruptedException {
        if (process.waitFor() != 0) {
            throw failure(doing);
        }
    }

    /** Processor time since it was started, or zero where that cannot be had. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** What is to be said of a client that did not do what it should. */
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

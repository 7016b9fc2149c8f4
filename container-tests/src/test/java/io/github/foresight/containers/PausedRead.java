/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.testcontainers.containers.Container.ExecResult;

/** A read that waits in the middle of a file, because nobody takes the command's output from its pipe. */
final class PausedRead {

    private static final String PAUSED = "/tmp/paused";
    private static final String GO_ON = "/tmp/go-on";

    private final HadoopContainer client;
    private final Future<ExecResult> end;

    private PausedRead(HadoopContainer client, Future<ExecResult> end) {
        this.client = client;
        this.end = end;
    }

    /** Starts a command that prints a file, and waits until a number of bytes has arrived. */
    static PausedRead begin(HadoopContainer client, String command, long bytes)
            throws IOException, InterruptedException {
        client.run("rm -f " + PAUSED + " " + GO_ON);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<ExecResult> end = thread.submit(() -> client.execute(command + " | { head -c " + bytes + "; touch "
                + PAUSED + "; until [ -e " + GO_ON + " ]; do sleep 0.1; done; cat; } | sha256sum"));
        thread.shutdown();
        client.run("timeout 60 bash -c 'until [ -e " + PAUSED + " ]; do sleep 0.1; done'");
        return new PausedRead(client, end);
    }

    /** Reads the rest. The result has the SHA-256 of the whole file, and on standard error the log of HDFS's client. */
    ExecResult finish() throws IOException, InterruptedException {
        client.run("touch " + GO_ON);
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IOException("the read failed after its pause", e.getCause());
        }
    }
}

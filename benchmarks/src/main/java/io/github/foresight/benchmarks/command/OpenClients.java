/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.cluster.ClientProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Client processes that open files at the same time ({@link OpenWorkload}). Each pass makes new HDFS clients in them. Not thread-safe.
 */
final class OpenClients implements Closeable {

    private static final String DOING = "opening files";

    private final List<ClientProcess> processes = new ArrayList<>();

    /**
     * Starts processes.
     *
     * @param command of each process, complete
     * @param limit for the life of each process
     */
    static OpenClients launch(int count, List<String> command, Path log, Duration limit) throws IOException {
        OpenClients clients = new OpenClients();
        try {
            for (int i = 0; i < count; i++) {
                clients.processes.add(ClientProcess.launch(command, log, limit));
            }
            return clients;
        } catch (IOException e) {
            clients.close();
            throw e;
        }
    }

    /**
     * Connects all processes to a cluster before a pass begins.
     *
     * @param turn rotates the clients over the processes
     * @param parts the number of calls of {@link #open} in the pass
     */
    void prepare(int cluster, int round, int pass, int turn, int parts) throws IOException {
        for (int i = 0; i < processes.size(); i++) {
            int client = (i + turn) % processes.size();
            processes.get(i).send(cluster + " " + round + ' ' + pass + ' ' + client + ' ' + parts);
        }
        for (ClientProcess process : processes) {
            process.awaitLine("READY", DOING);
        }
    }

    /** Opens the next part of the files, and returns the seconds of the slowest process. */
    double open() throws IOException {
        for (ClientProcess process : processes) {
            process.signal();
        }
        double seconds = 0;
        for (ClientProcess process : processes) {
            String line = process.awaitLine("OPENED", DOING);
            seconds = Math.max(seconds, Double.parseDouble(line.substring(line.indexOf(' ') + 1)));
        }
        return seconds;
    }

    /** Processor time of all processes since their start. */
    Duration cpuTime() {
        return processes.stream().map(ClientProcess::cpuTime).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        processes.forEach(ClientProcess::destroy);
    }
}

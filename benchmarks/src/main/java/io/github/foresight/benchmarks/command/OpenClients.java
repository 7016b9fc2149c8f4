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
 * Client processes that open files in passes, all at once, each pass as clients that nobody has seen before ({@link
 * OpenWorkload}). Not thread-safe.
 */
final class OpenClients implements Closeable {

    private static final String DOING = "opening files";

    private final List<ClientProcess> processes = new ArrayList<>();

    /**
     * Starts processes.
     *
     * @param command of each, complete
     * @param limit for all that they do
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
     * Connects all to a cluster, as much as can be done before the pass begins.
     *
     * @param turn which process is which client: the next one with each turn
     * @param parts how often they will be told to open
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

    /** Has them open the next part of their files, and returns how many seconds the slowest took. */
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

    /** Processor time of all since they were started. */
    Duration cpuTime() {
        return processes.stream().map(ClientProcess::cpuTime).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        processes.forEach(ClientProcess::destroy);
    }
}

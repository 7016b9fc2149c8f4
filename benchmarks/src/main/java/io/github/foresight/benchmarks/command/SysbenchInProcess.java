/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.workload.SysbenchRequests.Mode;
import io.github.foresight.benchmarks.workload.SysbenchWorkload;
import io.github.foresight.cluster.ClientProcess;
import java.io.IOException;

/** Reads through HDFS's client in the process of a {@link SysbenchWorkload}. */
final class SysbenchInProcess implements SysbenchClient {

    private final ClientProcess process;

    SysbenchInProcess(ClientProcess process) {
        this.process = process;
    }

    void write(String folder, long fileBytes, long blockBytes) throws IOException {
        process.send("write " + folder + " " + fileBytes + " " + blockBytes);
        process.awaitLine("DONE", "writing files");
    }

    @Override
    public Pass read(String folder, long fileBytes, Mode mode, int threads, int seconds, int seed) throws IOException {
        process.send("read " + folder + " " + fileBytes + " " + mode + " " + threads + " " + seconds + " " + seed);
        String[] words = process.awaitLine("DONE", "reading by position").split(" ", -1);
        return new Pass(Double.parseDouble(words[1]), Long.parseLong(words[2]), Double.parseDouble(words[3]));
    }

    @Override
    public void close() {
        process.destroy();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.workload.SysbenchRequests.Mode;
import java.io.Closeable;
import java.io.IOException;

/** A client of one side, which reads as {@code sysbench fileio} reads. */
interface SysbenchClient extends Closeable {

    /**
     * The requests of a pass, and their times.
     *
     * @param latencyMillis 95th percentile of the time of a request
     */
    record Pass(double seconds, long requests, double latencyMillis) {}

    /**
     * Reads the files in a folder.
     *
     * @param fileBytes of each file
     * @param seconds at most; mode {@code SEQRD} ends earlier at the end of the last file
     */
    Pass read(String folder, long fileBytes, Mode mode, int threads, int seconds, int seed)
            throws IOException, InterruptedException;
}

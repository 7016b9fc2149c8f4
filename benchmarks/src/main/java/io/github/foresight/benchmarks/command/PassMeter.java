/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.util.Arrays;

/**
 * Measures passes over the files of a cluster that nobody else uses: time, processor time, and the counters of the NameNode. Not
 * thread-safe.
 */
final class PassMeter {

    private static final String ACTIVITY = "Hadoop:service=NameNode,name=NameNodeActivity";
    private static final String FORESIGHT = "Hadoop:service=NameNode,name=Foresight";
    private static final long POLL_MILLIS = 500;

    /** Three seconds: these daemons publish metrics once a second. */
    private static final int POLLS_TO_SETTLE = 6;

    private static final int POLLS_MAX = 60;

    private final ProcessCluster cluster;
    private long[] counted;
    private CpuTimes cpuBefore = new CpuTimes(0, 0, 0);
    private double seconds;

    PassMeter(ProcessCluster cluster) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.counted = settledCounts();
    }

    /** Waits for the counters, and leaves out events since the last pass. */
    void settle() throws IOException, InterruptedException {
        counted = settledCounts();
    }

    /** Begins a pass of prepared clients. */
    void begin(OpenClients clients) {
        cpuBefore = CpuTimes.of(clients, cluster);
        seconds = 0;
    }

    /** Makes the clients do the next part of the pass. */
    void open(OpenClients clients) throws IOException {
        seconds += clients.open();
    }

    /** Ends the pass, and returns its figures. */
    OpenPass end(OpenClients clients) throws IOException, InterruptedException {
        CpuTimes cpu = CpuTimes.of(clients, cluster).since(cpuBefore);
        long[] before = counted;
        long[] after = settledCounts();
        counted = after;
        return new OpenPass(
                seconds,
                after[0] - before[0],
                cpu,
                after[1] - before[1],
                after[2] - before[2],
                after[3] - before[3],
                after[4] - before[4]);
    }

    /** The counters, once they stand still: a NameNode publishes them a moment after the event. */
    private long[] settledCounts() throws IOException, InterruptedException {
        long[] last = counts();
        int same = 0;
        for (int poll = 0; poll < POLLS_MAX && same < POLLS_TO_SETTLE; poll++) {
            Thread.sleep(POLL_MILLIS);
            long[] now = counts();
            same = Arrays.equals(now, last) ? same + 1 : 0;
            last = now;
        }
        return last;
    }

    private long[] counts() throws IOException {
        JsonNode plugin = cluster.nameNode().bean(FORESIGHT);
        return new long[] {
            cluster.nameNode().bean(ACTIVITY).path("GetBlockLocations").asLong(),
            plugin.path("Returned").asLong(),
            plugin.path("Used").asLong(),
            plugin.path("Wasted").asLong(),
            plugin.path("HeldBack").asLong()
        };
    }
}

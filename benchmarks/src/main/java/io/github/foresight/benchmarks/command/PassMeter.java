/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.util.Arrays;

/**
 * Measures passes over a cluster's files, which nobody else uses: time, processor time, and what its NameNode counts. Not
 * thread-safe.
 */
final class PassMeter {

    private static final String ACTIVITY = "Hadoop:service=NameNode,name=NameNodeActivity";
    private static final String FORESIGHT = "Hadoop:service=NameNode,name=Foresight";
    private static final long POLL_MILLIS = 500;

    /** Daemons publish metrics once a second here. */
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

    /** Leaves out of account what has happened since the last pass. */
    void settle() throws IOException, InterruptedException {
        counted = settledCounts();
    }

    /** Begins a pass by clients that are prepared. */
    void begin(OpenClients clients) {
        cpuBefore = CpuTimes.of(clients, cluster);
        seconds = 0;
    }

    /** Has them do a part of it. */
    void open(OpenClients clients) throws IOException {
        seconds += clients.open();
    }

    /** What they took for all of it. */
    MetadataPass end(OpenClients clients) throws IOException, InterruptedException {
        CpuTimes cpu = CpuTimes.of(clients, cluster).since(cpuBefore);
        long[] before = counted;
        long[] after = settledCounts();
        counted = after;
        return new MetadataPass(
                seconds,
                after[0] - before[0],
                cpu,
                after[1] - before[1],
                after[2] - before[2],
                after[3] - before[3],
                after[4] - before[4]);
    }

    /** The counters once they stand still: they are published a moment after the fact. */
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
        JsonNode ours = cluster.nameNode().bean(FORESIGHT);
        return new long[] {
            cluster.nameNode().bean(ACTIVITY).path("GetBlockLocations").asLong(),
            ours.path("HandedOut").asLong(),
            ours.path("Used").asLong(),
            ours.path("Wasted").asLong(),
            ours.path("HeldBack").asLong()
        };
    }
}

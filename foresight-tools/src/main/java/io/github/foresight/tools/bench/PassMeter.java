/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.tools.cluster.Daemon;
import java.io.IOException;
import java.util.Arrays;

/** Reads a NameNode's counters between passes, which nobody else makes. Not thread-safe. */
final class PassMeter {

    private static final String ACTIVITY = "Hadoop:service=NameNode,name=NameNodeActivity";
    private static final String FORESIGHT = "Hadoop:service=NameNode,name=Foresight";
    private static final long POLL_MILLIS = 500;

    /** Daemons publish metrics once a second here. */
    private static final int POLLS_TO_SETTLE = 6;

    private static final int POLLS_MAX = 60;

    private final Daemon nameNode;
    private long[] counted;

    PassMeter(Daemon nameNode) throws IOException, InterruptedException {
        this.nameNode = nameNode;
        this.counted = settledCounts();
    }

    /** Lets clients that are prepared do a pass. */
    MetadataPass measure(OpenClients clients) throws IOException, InterruptedException {
        double cpuBefore = cpuSeconds();
        double seconds = clients.open();
        double cpu = cpuSeconds() - cpuBefore;
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

    private double cpuSeconds() {
        return nameNode.cpuTime().toNanos() / 1e9;
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
        JsonNode ours = nameNode.bean(FORESIGHT);
        return new long[] {
            nameNode.bean(ACTIVITY).path("GetBlockLocations").asLong(),
            ours.path("HandedOut").asLong(),
            ours.path("Used").asLong(),
            ours.path("Wasted").asLong(),
            ours.path("HeldBack").asLong()
        };
    }
}

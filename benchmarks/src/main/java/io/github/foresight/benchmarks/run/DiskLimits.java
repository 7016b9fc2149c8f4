/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.cluster.DiskThrottle;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How fast the disks of a benchmark's DataNodes are, as options of its command. */
public final class DiskLimits {

    @Option(
            names = "--rate",
            defaultValue = "60",
            description = "Speed of each DataNode's disk in MiB/s, 0 for unlimited (${DEFAULT-VALUE}).")
    private int rateMib;

    @Option(
            names = "--iops",
            defaultValue = "120",
            description = "Reads that each DataNode's disk does in a second, 0 for unlimited (${DEFAULT-VALUE}).")
    private int readsPerSecond;

    /**
     * Refuses what no disk can be limited to.
     *
     * @throws picocli.CommandLine.ParameterException naming the option, the value and what is accepted
     */
    public void require(ClusterOptions cluster) {
        cluster.require("--rate", rateMib, 0);
        cluster.require("--iops", readsPerSecond, 0);
    }

    /** Limits the disk under a directory, as far as that can be had here. */
    public DiskThrottle throttle(Path directory) {
        return DiskThrottle.forDataIn(directory, (long) rateMib << 20, readsPerSecond);
    }

    /** What a report says of a throttle's disks. */
    public String describe(DiskThrottle throttle) {
        String reason = throttle.unavailableReason();
        return reason == null
                ? "Disks: " + rateMib + " MiB/s and " + readsPerSecond + " reads/s for each DataNode (0: not limited)"
                : "Disks: NOT limited: " + reason;
    }
}

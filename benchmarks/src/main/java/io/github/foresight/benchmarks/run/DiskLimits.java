/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that limit the speed of the disks of a benchmark's DataNodes. */
public final class DiskLimits {

    @Option(
            names = "--rate",
            defaultValue = "60",
            description = "Speed of each DataNode's disk in MiB/s, 0 for unlimited (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int rateMib;

    @Option(
            names = "--iops",
            description = "Reads that each DataNode's disk does in a second, 0 for unlimited (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int readsPerSecond;

    /** The options with a default of {@code --iops}. */
    public DiskLimits(int readsPerSecond) {
        this.readsPerSecond = readsPerSecond;
    }

    /** Limits the disk under a directory, as far as the machine allows. */
    public DiskThrottle throttle(Path directory) {
        return DiskThrottle.forDataIn(directory, (long) rateMib << 20, readsPerSecond);
    }

    /** A line for people about a throttle's disks. */
    public String describe(DiskThrottle throttle) {
        String reason = throttle.unavailableReason();
        return reason == null
                ? "Disks: " + rateMib + " MiB/s and " + readsPerSecond + " reads/s for each DataNode (0: not limited)"
                : "Disks: NOT limited: " + reason;
    }

    /** The conditions of cold reads from a throttle's disks. */
    public RunConditions conditions(DiskThrottle throttle) {
        return RunConditions.NONE
                .throttled(throttle.unavailableReason(), rateMib > 0 || readsPerSecond > 0)
                .cold(PageCache.canDrop())
                .saying(describe(throttle) + ".");
    }

    /** Reads that the disks of the first DataNodes have done. */
    public static DiskReads reads(DiskThrottle throttle, int dataNodes) throws IOException {
        DiskReads sum = new DiskReads(0, 0);
        for (int i = 0; i < dataNodes; i++) {
            sum = sum.plus(throttle.reads(i));
        }
        return sum;
    }
}

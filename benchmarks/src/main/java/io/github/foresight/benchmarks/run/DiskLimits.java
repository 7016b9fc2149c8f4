/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.KernelReadAhead;
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

    @Option(
            names = "--read-ahead",
            defaultValue = "0",
            description =
                    "KiB that the kernel reads ahead on the disk while this runs, for all processes; Linux's default is 128; 0: as it is"
                            + " (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int readAheadKib;

    /** The kernel's read-ahead in words, once a throttle was made. */
    private String readAhead = "";

    /** The options with a default of {@code --iops}. */
    public DiskLimits(int readsPerSecond) {
        this.readsPerSecond = readsPerSecond;
    }

    /**
     * Limits the disk under a directory, as far as the machine allows.
     *
     * @throws IOException if the kernel's read-ahead is to be changed and cannot be
     */
    public DiskThrottle throttle(Path directory) throws IOException {
        if (readAheadKib > 0) {
            try {
                KernelReadAhead.of(directory).set(readAheadKib);
            } catch (IOException e) {
                throw new IOException(
                        "--read-ahead is " + readAheadKib + ", but the disk of " + directory
                                + " cannot be changed (root is needed): " + e,
                        e);
            }
        }
        readAhead = readAhead(directory);
        return DiskThrottle.forDataIn(directory, (long) rateMib << 20, readsPerSecond);
    }

    private static String readAhead(Path directory) {
        try {
            return "; the kernel reads ahead " + KernelReadAhead.of(directory).kib() + " KiB";
        } catch (IOException e) {
            return "";
        }
    }

    /** A line for people about a throttle's disks. */
    public String describe(DiskThrottle throttle) {
        String reason = throttle.unavailableReason();
        return reason == null
                ? "Disks: " + rateMib + " MiB/s and " + readsPerSecond + " reads/s for each DataNode (0: not limited)"
                        + readAhead
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

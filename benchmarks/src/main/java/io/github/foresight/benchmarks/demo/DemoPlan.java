/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The work of a demo. Immutable.
 *
 * @param size bytes of each file
 * @param readers readers at once, each of its own file
 * @param rateMib speed of each DataNode's disk in MiB/s; 0 for unlimited
 * @param daemonJava the {@code java} command of the daemons
 * @param cache capacity of each DataNode's cache, in Hadoop's notation
 */
record DemoPlan(
        long size,
        long blockSize,
        int readers,
        int rounds,
        int dataNodes,
        int rateMib,
        Path daemonJava,
        String cache,
        String hadoopVersion) {

    /** The workload in words. */
    String workload() {
        return readers + (readers == 1 ? " reader" : " readers, each") + " of a file of " + mib(size)
                + " MiB in blocks of " + mib(blockSize) + " MiB, one replica over " + dataNodes + " DataNodes";
    }

    /**
     * The least throughput that Foresight promises for this plan, as a multiple of stock's. One reader of a large enough file gets four
     * disks at once. Several readers keep all disks busy with stock HDFS too, and must not lose.
     */
    double targetRatio() {
        return readers == 1 && dataNodes >= 4 && size >= 8 * blockSize && rateMib > 0 ? 3.2 : 1.0;
    }

    /** The time limit of a client: four times the time that stock HDFS needs to read from one disk, and two minutes. */
    Duration clientLimit() {
        long slowest = rateMib > 0 ? rateMib : 20;
        return Duration.ofSeconds(120 + 4L * readers * mib(size) / slowest);
    }

    private static long mib(long bytes) {
        return bytes >> 20;
    }
}

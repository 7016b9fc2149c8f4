/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import io.github.foresight.benchmarks.workload.WriteWorkload;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The work of a demo. Immutable.
 *
 * @param size bytes of each file
 * @param replication replicas of each block; HDFS places them if there are several
 * @param placement how the DataNodes of single replicas are chosen
 * @param readers readers at once, each of its own file
 * @param rateMib speed of each DataNode's disk in MiB/s; 0 for unlimited
 * @param daemonJava the {@code java} command of the daemons
 * @param cache capacity of each DataNode's cache, in Hadoop's notation
 */
record DemoPlan(
        long size,
        long blockSize,
        int replication,
        WriteWorkload.Placement placement,
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
                + " MiB in blocks of " + mib(blockSize) + " MiB, "
                + placed()
                + dataNodes
                + " DataNodes";
    }

    private String placed() {
        if (placement.isErasureCoded()) {
            return "erasure-coded with " + placement + " on ";
        }
        if (isPlacedByHdfs()) {
            return (replication == 1 ? "one replica" : replication + " replicas") + " placed by HDFS on ";
        }
        return "one replica dealt to ";
    }

    /** Whether HDFS chooses the DataNodes. Then the NameNode runs Foresight too, and no DataNode is on the readers' host. */
    boolean isPlacedByHdfs() {
        return replication > 1 || placement != WriteWorkload.Placement.DEALT;
    }

    /**
     * The least throughput that Foresight promises for this plan, as a multiple of stock's. One reader of a large enough file gets four
     * disks at once where its blocks are dealt to them, and five of six where HDFS places three replicas. Several readers keep all disks busy
     * with stock HDFS too, and must not lose.
     */
    double targetRatio() {
        if (readers > 1 || rateMib == 0 || placement != WriteWorkload.Placement.DEALT) {
            return 1.0;
        }
        if (replication >= 3 && dataNodes >= 6 && size >= 16 * blockSize) {
            return 5.0;
        }
        return replication == 1 && dataNodes >= 4 && size >= 8 * blockSize ? 3.2 : 1.0;
    }

    /** Whether one reader's speed is bound by the disk with the most bytes. */
    boolean isBoundByFullest() {
        return readers == 1 && rateMib > 0 && replication == 1 && placement == WriteWorkload.Placement.HDFS;
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

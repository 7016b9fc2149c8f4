/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import java.time.Duration;

/** What a demo does; immutable. */
final class DemoPlan {

    final long size;
    final long blockSize;
    final int readers;
    final int rounds;
    final int dataNodes;
    final int rateMib;
    final String cache;
    final String hadoopVersion;

    DemoPlan(
            long size,
            long blockSize,
            int readers,
            int rounds,
            int dataNodes,
            int rateMib,
            String cache,
            String hadoopVersion) {
        this.size = size;
        this.blockSize = blockSize;
        this.readers = readers;
        this.rounds = rounds;
        this.dataNodes = dataNodes;
        this.rateMib = rateMib;
        this.cache = cache;
        this.hadoopVersion = hadoopVersion;
    }

    String describe() {
        return readers + (readers == 1 ? " reader" : " readers, each") + " of a file of " + mib(size)
                + " MiB in blocks of " + mib(blockSize) + " MiB, one replica over " + dataNodes + " DataNodes, Hadoop "
                + hadoopVersion;
    }

    /**
     * What Foresight promises for this plan as a multiple of stock: four disks at once for one reader of large enough a file,
     * and for several readers, who keep all disks busy between them, no loss.
     */
    double targetRatio() {
        return readers == 1 && dataNodes >= 4 && size >= 8 * blockSize && rateMib > 0 ? 3.2 : 1.0;
    }

    /** How long a client may take for all it does: some times what stock HDFS takes from one disk of that speed. */
    Duration clientLimit() {
        long slowest = rateMib > 0 ? rateMib : 20;
        return Duration.ofSeconds(120 + 4L * readers * mib(size) / slowest);
    }

    private static long mib(long bytes) {
        return bytes >> 20;
    }
}

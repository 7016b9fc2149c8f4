/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.demo;

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

    private static long mib(long bytes) {
        return bytes >> 20;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import io.github.foresight.cluster.DiskReads;

/** One side of one round; immutable. */
final class SideResult {

    final double seconds;
    final long bytes;
    final DiskReads diskReads;
    final long prefetchedBytes;
    final long wastedBytes;

    SideResult(double seconds, long bytes, DiskReads diskReads, long prefetchedBytes, long wastedBytes) {
        this.seconds = seconds;
        this.bytes = bytes;
        this.diskReads = diskReads;
        this.prefetchedBytes = prefetchedBytes;
        this.wastedBytes = wastedBytes;
    }

    double mibPerSecond() {
        return bytes / 1048576.0 / seconds;
    }
}

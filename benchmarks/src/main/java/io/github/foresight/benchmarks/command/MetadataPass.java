/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

/** What one pass over the files took, and what the NameNode counted meanwhile. Immutable. */
final class MetadataPass {

    final double seconds;
    final long roundTrips;
    final CpuTimes cpu;
    final long handedOut;
    final long used;
    final long wasted;
    final long heldBack;

    MetadataPass(double seconds, long roundTrips, CpuTimes cpu, long handedOut, long used, long wasted, long heldBack) {
        this.seconds = seconds;
        this.roundTrips = roundTrips;
        this.cpu = cpu;
        this.handedOut = handedOut;
        this.used = used;
        this.wasted = wasted;
        this.heldBack = heldBack;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

/**
 * The figures of one pass over small files. Immutable.
 *
 * @param seconds of the slowest client, summed over the parts of the pass
 * @param roundTrips calls of {@code getBlockLocations} to the NameNode
 * @param handedOut predicted files that the NameNode granted; zero without Foresight, as are the following counts
 * @param used granted files that a client opened
 * @param wasted granted files that no client opened in time
 * @param heldBack predicted files that the NameNode did not grant
 */
record OpenPass(double seconds, long roundTrips, CpuTimes cpu, long handedOut, long used, long wasted, long heldBack) {}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@link io.github.foresight.benchmarks.BenchmarksMain}, the entry of the benchmarks on real daemons, and JMH benchmarks of code on a daemon's hot
 * paths. {@code bin/foresight bench graph} and {@code bench placement} start two of the JMH benchmarks.
 */
package io.github.foresight.benchmarks;

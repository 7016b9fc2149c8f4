/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks on real daemons, stock HDFS beside Foresight: the subcommands of {@link
 * io.github.foresight.benchmarks.command.BenchCommand}. Each is a {@link io.github.foresight.benchmarks.run.Benchmark}.
 */
package io.github.foresight.benchmarks.command;

/* SPDX-License-Identifier: Apache-2.0 */
/** Benchmarks on real daemons, stock HDFS beside Foresight: {@link io.github.foresight.benchmarks.command.BenchCommand}. */
package io.github.foresight.benchmarks.command;

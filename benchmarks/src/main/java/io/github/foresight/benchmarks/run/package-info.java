/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command line of a {@link io.github.foresight.benchmarks.run.Benchmark}, with the options that benchmarks share, and the {@link
 * io.github.foresight.benchmarks.run.Release} that it installs.
 */
package io.github.foresight.benchmarks.run;

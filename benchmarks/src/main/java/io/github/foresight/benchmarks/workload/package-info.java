/* SPDX-License-Identifier: Apache-2.0 */
/** The work of HDFS clients in the demo and the benchmarks. Each class with a {@code main} runs in a JVM of its own, with Hadoop's client. */
package io.github.foresight.benchmarks.workload;

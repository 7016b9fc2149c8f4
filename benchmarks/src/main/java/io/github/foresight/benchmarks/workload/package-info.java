/* SPDX-License-Identifier: Apache-2.0 */
/** What the demo has HDFS clients do, each in a JVM of its own with Hadoop's client and nothing else configured by hand. */
package io.github.foresight.benchmarks.workload;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@link io.github.foresight.benchmarks.demo.DemoCommand}: the same cluster, data and readers with stock HDFS and with Foresight, side by
 * side.
 */
package io.github.foresight.benchmarks.demo;

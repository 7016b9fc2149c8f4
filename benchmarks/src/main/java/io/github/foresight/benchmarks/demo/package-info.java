/* SPDX-License-Identifier: Apache-2.0 */
/** The demo: the same cluster, data and readers with stock HDFS and with Foresight, measured side by side. */
package io.github.foresight.benchmarks.demo;

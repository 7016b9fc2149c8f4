/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks of what runs on a daemon's hot paths; {@code bin/foresight bench graph} starts the graph's. And pictures of other benchmarks. */
package io.github.foresight.benchmarks;

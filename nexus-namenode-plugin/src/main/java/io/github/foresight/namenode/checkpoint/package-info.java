/* SPDX-License-Identifier: Apache-2.0 */
/** Saves and loads the graph: {@link io.github.foresight.namenode.checkpoint.Checkpoints}, in a local file and in HDFS. */
package io.github.foresight.namenode.checkpoint;

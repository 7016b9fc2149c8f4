/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps failures of Foresight away from HDFS: {@link io.github.foresight.namenode.guard.Features} on RPC handlers, {@link
 * io.github.foresight.namenode.guard.PluginThreads} on Foresight's own threads.
 */
package io.github.foresight.namenode.guard;

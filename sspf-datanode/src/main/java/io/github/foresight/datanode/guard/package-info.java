/* SPDX-License-Identifier: Apache-2.0 */
/** Keeps failures of Foresight away from HDFS: each call is guarded, each thread of ours is named and counted. */
package io.github.foresight.datanode.guard;

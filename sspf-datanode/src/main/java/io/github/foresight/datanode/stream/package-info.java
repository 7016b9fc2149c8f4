/* SPDX-License-Identifier: Apache-2.0 */
/** Sees the reads and writes of block files by HDFS's own streams. */
package io.github.foresight.datanode.stream;

/* SPDX-License-Identifier: Apache-2.0 */
/** The disk work of one volume: one thread reads ahead, and gives way to reads and writes of HDFS. */
package io.github.foresight.datanode.lane;
